use super::finding::{Finding, Seen};
use super::ledger::Entry;
use super::verdict::Judge;
use crate::border::{Call, Flaw, Form, Kind};
use crate::lifecycle::{IdEcho, Outcome, Stage};
use crate::spec::{Code, Level, Revision, RuleId, Version, rule};

/// Findings of one conversation past which no more are kept.
const MOST_FINDINGS: usize = 1000;

/// Which rule a wrong outcome breaks, how much that weighs, and what else it breaks.
impl Judge {
    /// Which rule a wrong outcome breaks, of those that the line exercises.
    pub(super) fn deciding_rule(&self, index: usize, outcome: &Outcome) -> RuleId {
        let entry = self.ledger.get(index);
        let expectation = &entry.expectation;
        let about_id = entry.sent.flaws.iter().any(Flaw::is_about_id);
        let foreign_id = matches!(outcome.id, IdEcho::Other | IdEcho::Null);
        let fixed = Outcome { id: IdEcho::Echoed, ..*outcome };
        let own_id = entry.sent.form == Form::Request;
        if own_id
            && foreign_id
            && !about_id
            && (outcome.id == IdEcho::Other || expectation.allows(&fixed))
        {
            return rule("RPC-01");
        }
        // A merely odd message to an unknown method, answered as the plain one is: the oddity
        // is not what is wrong.
        let odd = |flaw: Flaw| flaw.is_benign() || flaw == Flaw::ByteOrderMark;
        let benign =
            entry.sent.flaws.iter().all(odd) && !entry.sent.flaws.is_empty() && !foreign_id;
        let gated = |r: &RuleId| r.get().area == "capability";
        let unknown =
            matches!(entry.sent.call, Some(Call::Unknown(_))) || expectation.also.iter().any(gated);
        if benign && unknown && Some(outcome.kind) == self.profile.unknown_method {
            let areas = ["error", "extension", "initialize", "capability"];
            let odd: Vec<RuleId> = entry.sent.flaws.iter().map(|f| f.rule(entry.version)).collect();
            let plain = |r: &&RuleId| areas.contains(&r.get().area) && !odd.contains(r);
            if let Some(plain) = expectation.also.iter().find(plain) {
                return *plain;
            }
        }
        expectation.rule
    }

    /// Notes that `rule` was broken, about the line of `entry`.
    pub(super) fn find(&mut self, entry: Option<usize>, broken: RuleId, seen: Seen) {
        if let Some(index) = entry {
            self.ledger.get_mut(index).faulted = true;
        }
        let entry = entry.map(|index| self.ledger.get(index));
        let version = entry.map_or(self.version, |e| e.version);
        let mut also: Vec<RuleId> = Vec::new();
        let mut level = broken.get().level(version).unwrap_or(Level::Info);
        if let Some(entry) = entry {
            let expectation = &entry.expectation;
            also.push(expectation.rule);
            also.extend(&expectation.also);
            also.extend(implied(entry, &seen));
            let about_line =
                matches!(seen, Seen::Response(..) | Seen::Nothing | Seen::Array | Seen::WrongArray);
            if broken == expectation.rule || about_line && expectation.level == Level::Info {
                level = expectation.level;
            }
        }
        if broken == rule("BAT-11")
            && !(self.revision == Revision::Schema1_20 && self.version == Version::V2)
        {
            level = Level::Info; // forbidden by one revision, tolerated by the other and in v1
        }
        // Survival is a must on every row, and so is one response where the row itself is weak.
        // An id that is itself of no fixed form (RPC-21) may come back in another.
        let has = |flaw| entry.is_some_and(|e| e.sent.flaws.has(flaw));
        let lost = match seen {
            Seen::Nothing => true,
            Seen::NoId => !has(Flaw::IllegalId),
            Seen::OtherId => !has(Flaw::IntegralFloatId),
            _ => false,
        };
        if lost {
            // What is no sound request owes a response too, but no text says MUST of it.
            let sound =
                entry.is_some_and(|e| e.sent.form == Form::Request) && !has(Flaw::ByteOrderMark);
            level = level.max(if sound && level < Level::Derived {
                Level::Must
            } else {
                Level::Derived
            });
        }
        if matches!(seen, Seen::Ended(_) | Seen::Hang) {
            level = Level::Must;
        }
        also.retain(|r| *r != broken && r.get().level(version).is_some());
        also.sort_unstable();
        also.dedup();
        let finding = Finding {
            rule: broken,
            also,
            level,
            seen,
            step: entry.map(|e| e.step),
            stage: entry.map_or(self.stage, |e| e.stage),
            allowed: entry.map_or_else(Vec::new, |e| e.expectation.answers.clone()),
        };
        let early = [rule("INIT-01"), rule("INIT-02")];
        let undecided = self.profile.speaks_both()
            && self.stage == Stage::Uninitialized
            && early.iter().any(|r| finding.rule == *r || finding.also.contains(r))
            && matches!(seen, Seen::Response(..) | Seen::Array | Seen::WrongArray);
        let list = if undecided { &mut self.undecided } else { &mut self.findings };
        if list.len() < MOST_FINDINGS {
            list.push(finding);
        }
    }
}

/// General rules that a finding breaks beside the specific one.
fn implied(entry: &Entry, seen: &Seen) -> Vec<RuleId> {
    let request = entry.sent.form == Form::Request;
    let mut rules = Vec::new();
    match seen {
        Seen::Response(Kind::Error(code), _) if *code == Code::InternalError.number() => {
            rules.push(rule("ERR-08"));
        }
        Seen::Response(Kind::Error(code), _)
            if *code == Code::UnsupportedProtocolVersion.number() =>
        {
            rules.push(rule("ERR-06"));
        }
        Seen::Ended(_) | Seen::Hang => {
            rules.extend((entry.answers > 0).then_some(rule("ERR-09")));
            let batch = matches!(entry.sent.form, Form::Batch(_))
                || entry.sent.flaws.has(Flaw::EmptyBatch)
                || entry.sent.flaws.has(Flaw::BrokenArray);
            rules.extend(batch.then_some(rule("BAT-10")));
        }
        _ => {}
    }
    if request && matches!(seen, Seen::Nothing | Seen::OneMore | Seen::OtherId | Seen::NoId) {
        rules.push(rule("RPC-01"));
    }
    rules
}
