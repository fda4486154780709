use super::event::{End, Event};
use super::finding::{Finding, Seen};
use super::hits::Hits;
use super::ledger::{Entry, Ledger, Owed};
use crate::border::{Answered, Call, Flaw, Form, Garbage, IdRef, Kind, Said, SaidId, Sent};
use crate::lifecycle::{IdEcho, Outcome, Situation, Stage, expect};
use crate::profile::{BatchKind, Profile};
use crate::spec::{Code, Level, Revision, RuleId, Version, rule};

/// Findings of one conversation past which no more are kept.
const MOST_FINDINGS: usize = 1000;

/// The accounting of one conversation: which line is owed what, and what came.
#[derive(Debug, Clone)]
pub struct Judge {
    profile: Profile,
    revision: Revision,
    stage: Stage,
    version: Version,
    ledger: Ledger,
    findings: Vec<Finding>,
    hits: Hits,
    /// Ids of the agent's own requests that the client has not answered yet.
    asked_by_agent: Vec<IdRef>,
    before: Before,
    /// Findings about requests before initialization of an agent of both versions: which
    /// version's rule they break shows with the negotiation.
    undecided: Vec<Finding>,
}

/// What came before the first successful `initialize`.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    request: bool,
    malformed: bool,
    notification: bool,
    failed_initialize: bool,
}

impl Judge {
    /// A judge of a new connection.
    pub fn new(profile: Profile, revision: Revision) -> Judge {
        Judge {
            version: profile.version,
            profile,
            revision,
            stage: Stage::Uninitialized,
            ledger: Ledger::default(),
            findings: Vec::new(),
            hits: Hits::new(),
            asked_by_agent: Vec::new(),
            before: Before::default(),
            undecided: Vec::new(),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Sent { step, sent, probe } => self.sent(step, sent, probe),
            Event::Said(Said::Response(answer)) => self.response(&answer),
            Event::Said(Said::Array(answers)) => self.array(&answers),
            Event::Said(Said::Request { id }) => {
                self.count_line();
                self.asked_by_agent.push(id);
            }
            Event::Said(Said::Notification) => self.count_line(),
            Event::Said(Said::Garbage(garbage)) => self.garbage(garbage),
            Event::Quiet => self.quiet(),
            Event::Ended(end) => self.ended(end),
        }
    }

    /// The negotiated version, or the one that the run asks for.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What was learned about the agent.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Whether the agent gave any response yet.
    pub fn has_answered(&self) -> bool {
        self.hits.of(rule("RPC-02")) > 0
    }

    /// How far the connection is initialized.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// What the agent still owes for the lines of `step`.
    pub fn owed(&self, step: usize) -> Owed {
        self.ledger.owed(step)
    }

    /// What the agent still owes for all that was sent: the most of what any line owes.
    pub fn owed_at_all(&self) -> Owed {
        self.ledger.owed_at_all()
    }

    /// The findings so far.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How often each rule was put to the test so far.
    pub fn hits(&self) -> &Hits {
        &self.hits
    }

    fn sent(&mut self, step: usize, sent: Sent, probe: bool) {
        if let (Form::Response, Some(id)) = (&sent.form, sent.id)
            && let Some(index) = self.asked_by_agent.iter().position(|asked| *asked == id)
        {
            self.asked_by_agent.swap_remove(index);
        }
        let open_initialize = |e: &Entry| e.is_open() && is_initialize(&e.sent);
        let situation = Situation {
            profile: &self.profile,
            revision: self.revision,
            stage: self.stage,
            version: self.version,
            initializing: self.ledger.oldest(open_initialize).is_some(),
            locked: self.before.request,
        };
        let mut expectation = expect(&situation, &sent);
        if self.stage == Stage::Uninitialized && sent.form == Form::Request {
            let before = [
                (self.before.failed_initialize, rule("INIT-23")),
                (self.before.malformed, rule("INIT-04")),
                (self.before.notification, rule("INIT-24")),
            ];
            for (_, rule) in before.into_iter().filter(|(seen, _)| *seen) {
                expectation.also.push(rule);
            }
        }
        let same_id = |e: &Entry| sent.id.is_some_and(|id| e.has_id(id) && e.answers > 0);
        let reused_id = sent.form == Form::Request && self.ledger.oldest(same_id).is_some();
        if reused_id {
            expectation.also.push(rule("RPC-25"));
        }
        if self.stage == Stage::Uninitialized {
            self.before.note(&sent);
        }
        self.ledger.add(Entry {
            step,
            probe,
            sent,
            expectation,
            stage: self.stage,
            version: self.version,
            reused_id,
            answers: 0,
            garbled: false,
            closed: false,
        });
    }

    fn count_line(&mut self) {
        self.hits.count(rule("FRM-01"));
        self.hits.count(rule("FRM-02"));
    }

    fn response(&mut self, answer: &Answered) {
        self.count_line();
        self.count_response(answer);
        let (entry, id) = self.find_asker(answer);
        for rule in answer.broken_rules(self.version) {
            self.find(entry, rule, Seen::Misshapen);
        }
        match entry {
            Some(index) => self.settle(index, answer, id),
            None => self.find(None, rule("RPC-01"), Seen::OtherId),
        }
    }

    /// The line that a response answers, and how its id relates to that line's.
    fn find_asker(&self, answer: &Answered) -> (Option<usize>, IdEcho) {
        let open = |e: &Entry| e.is_open();
        match answer.id {
            SaidId::Is(IdRef::NULL) => {
                let asked_null = |e: &Entry| !e.closed && e.has_id(IdRef::NULL);
                let allows = |e: &Entry| {
                    let outcome =
                        Outcome { kind: answer.kind, id: IdEcho::Null, facts: answer.facts };
                    open(e) && e.expectation.allows(&outcome)
                };
                let ledger = &self.ledger;
                let null = ledger.oldest(|e| open(e) && asked_null(e));
                if let Some(index) = null.or_else(|| ledger.newest(asked_null)) {
                    return (Some(index), IdEcho::EchoedNull);
                }
                // Lines without an id of their own come before those that could be named.
                let nameless = |e: &Entry| open(e) && e.sent.form != Form::Request;
                let index = ledger
                    .oldest(allows)
                    .or_else(|| ledger.oldest(|e| nameless(e) && e.owed() == Owed::Response))
                    .or_else(|| ledger.newest(nameless))
                    .or_else(|| ledger.oldest(|e| open(e) && !e.probe))
                    .or_else(|| ledger.newest(open))
                    .or_else(|| ledger.newest(|e| !e.probe));
                (index, IdEcho::Null)
            }
            SaidId::Is(id) => {
                let asked = |e: &Entry| e.has_id(id) || in_batch(e, id);
                let index = self
                    .ledger
                    .oldest(|e| asked(e) && open(e))
                    .or_else(|| self.ledger.newest(asked));
                match index {
                    Some(index) => (Some(index), IdEcho::Echoed),
                    None => (self.without_id(), IdEcho::Other),
                }
            }
            SaidId::None => (self.without_id(), IdEcho::Other),
        }
    }

    /// The line that a response with a foreign id most likely answers.
    fn without_id(&self) -> Option<usize> {
        let owes = |e: &Entry| e.owed() == Owed::Response;
        let ledger = &self.ledger;
        ledger
            .oldest(|e| owes(e) && !e.probe)
            .or_else(|| ledger.newest(|e| e.is_open() && !e.probe))
            .or_else(|| ledger.oldest(owes))
            .or_else(|| ledger.newest(|e| !e.probe))
            .or_else(|| ledger.newest(|_| true))
    }

    fn settle(&mut self, index: usize, answer: &Answered, id: IdEcho) {
        let entry = self.ledger.get_mut(index);
        entry.answers += 1;
        let once = entry.answers == 1 && !entry.closed;
        let outcome = Outcome { kind: answer.kind, id, facts: answer.facts };
        let was_silent = entry.expectation.allows_only_silence();
        // An error without a readable code was found already (RPC-03).
        let unreadable = answer.facts.misshapen_error && !was_silent;
        let allowed = entry.expectation.allows(&outcome) || unreadable;
        let form = entry.sent.form.clone();
        self.count_entry(index);
        let seen = match id {
            IdEcho::Other => Seen::OtherId,
            _ => Seen::Response(answer.kind, id),
        };
        if form == Form::Notification && !allowed {
            self.find(Some(index), rule("RPC-04"), seen);
        } else if !once && !was_silent {
            let late = self.ledger.get(index).answers == 1;
            if !late {
                self.find(Some(index), rule("RPC-01"), Seen::OneMore);
            }
        } else if !allowed {
            let deciding = self.deciding_rule(index, &outcome);
            let only_null = id == IdEcho::Null && deciding == rule("RPC-01");
            self.find(Some(index), deciding, if only_null { Seen::NullId } else { seen });
        }
        if once {
            self.advance(index, answer);
        }
    }

    /// Which rule a wrong outcome breaks, of those that the line exercises.
    fn deciding_rule(&self, index: usize, outcome: &Outcome) -> RuleId {
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
        let unknown = matches!(entry.sent.call, Some(Call::Unknown(_)));
        if benign && unknown && Some(outcome.kind) == self.profile.unknown_method {
            let plain = |r: &&RuleId| matches!(r.get().area, "error" | "extension" | "initialize");
            if let Some(plain) = expectation.also.iter().find(plain) {
                return *plain;
            }
        }
        expectation.rule
    }

    /// What an answer changes about the connection.
    fn advance(&mut self, index: usize, answer: &Answered) {
        let entry = self.ledger.get(index);
        let (step_stage, call, form) = (entry.stage, entry.sent.call, entry.sent.form.clone());
        if !matches!(call, Some(Call::Initialize(_))) {
            let request = form == Form::Request || form == Form::Invalid && call.is_some();
            if self.stage == Stage::Fresh && step_stage != Stage::Uninitialized && request {
                self.stage = Stage::Ready;
            }
            return;
        }
        if answer.kind != Kind::Result || form != Form::Request {
            self.before.failed_initialize |= self.stage == Stage::Uninitialized;
            return;
        }
        self.hits.count(rule("INIT-25"));
        self.hits.count(rule("INIT-16"));
        if answer.facts.misshapen_initialize {
            self.find(Some(index), rule("INIT-25"), Seen::Misshapen);
        }
        if answer.facts.terminal_login {
            self.find(Some(index), rule("INIT-16"), Seen::Misshapen);
        }
        let negotiated = answer.facts.protocol_version.and_then(Version::from_number);
        self.version = negotiated.unwrap_or(self.version);
        self.stage = Stage::Fresh;
        let undecided = std::mem::take(&mut self.undecided);
        if self.version == self.profile.version {
            self.findings.extend(undecided);
        }
    }

    fn array(&mut self, answers: &[Option<Answered>]) {
        self.count_line();
        self.hits.count(rule("BAT-11"));
        let is_batch = |e: &Entry| e.is_open() && matches!(e.sent.form, Form::Batch(_));
        let Some(index) = self.ledger.oldest(is_batch) else {
            return self.unasked_array(answers);
        };
        for answer in answers.iter().flatten() {
            self.count_response(answer);
            for rule in answer.broken_rules(self.version) {
                self.find(Some(index), rule, Seen::Misshapen);
            }
        }
        self.count_entry(index);
        let entry = self.ledger.get_mut(index);
        entry.answers += 1;
        let Form::Batch(batch) = &entry.sent.form else { return };
        let situation = Situation {
            profile: &self.profile,
            revision: self.revision,
            stage: entry.stage,
            version: entry.version,
            initializing: false,
            locked: self.before.request,
        };
        let (rule, asks) = (entry.expectation.rule, !batch.requests.is_empty());
        if !entry.expectation.allows_array() {
            self.find(Some(index), rule, Seen::Array);
        } else if !batch.is_answered_by(answers, &situation) {
            self.find(Some(index), rule, Seen::WrongArray);
        } else if asks && self.profile.batch == Some(BatchKind::Refused) {
            // One kind per agent: the other was seen while the profile was learned.
            self.find(Some(index), rule, Seen::Array);
        }
    }

    /// An array although no batch was sent: its entries count as responses.
    fn unasked_array(&mut self, answers: &[Option<Answered>]) {
        let known = |answer: &Answered| match answer.id {
            SaidId::Is(IdRef::NULL) => self.ledger.oldest(|e| e.owed() != Owed::Nothing).is_some(),
            SaidId::Is(id) => self.ledger.oldest(|e| e.has_id(id)).is_some(),
            SaidId::None => false,
        };
        let all_known =
            !answers.is_empty() && answers.iter().all(|a| a.as_ref().is_some_and(known));
        // What looked like a batch owes one object, never an array (BAT-01, BAT-02).
        let like_batch = |e: &Entry| {
            let flaws = e.sent.flaws;
            e.is_open() && (flaws.has(Flaw::EmptyBatch) || flaws.has(Flaw::BrokenArray))
        };
        if all_known && self.ledger.oldest(like_batch).is_none() {
            let forbidden = self.revision == Revision::Schema1_20 && self.version == Version::V2;
            self.find(self.without_id(), rule("BAT-11"), Seen::Array);
            if !forbidden && let Some(tolerated) = self.findings.last_mut() {
                tolerated.level = Level::Info;
            }
            for answer in answers.iter().flatten() {
                self.response(answer);
            }
            return;
        }
        match self.without_id() {
            Some(index) => {
                let entry = self.ledger.get_mut(index);
                entry.answers += 1;
                let rule = entry.expectation.rule;
                self.find(Some(index), rule, Seen::Array);
            }
            None => self.find(None, rule("FRM-01"), Seen::Array),
        }
    }

    fn garbage(&mut self, garbage: Garbage) {
        self.count_line();
        let owes = |e: &Entry| e.owed() != Owed::Nothing;
        let open = self.ledger.newest(|e| owes(e) && !e.probe).or(self.ledger.newest(owes));
        if let Some(index) = open {
            self.ledger.get_mut(index).garbled = true;
        }
        let rule = match garbage {
            Garbage::CutInString => rule("FRM-02"),
            _ => rule("FRM-01"),
        };
        self.find(open, rule, Seen::Garbage(garbage));
    }

    fn quiet(&mut self) {
        let unanswered = |e: &Entry| e.owed() == Owed::Response && !e.garbled;
        if let Some(probe) = self.ledger.oldest(|e| e.probe && unanswered(e)) {
            // Not even the probe is answered: the line before it is to blame.
            let blame = self.ledger.newest(|e| !e.probe && !e.closed).unwrap_or(probe);
            let rule = self.ledger.get(blame).expectation.rule;
            self.find(Some(blame), rule, if blame == probe { Seen::Nothing } else { Seen::Hang });
            self.count_entry(blame);
        } else {
            while let Some(index) = self.ledger.oldest(unanswered) {
                let entry = self.ledger.get_mut(index);
                entry.closed = true;
                let reused = entry.reused_id && entry.sent.flaws.is_empty();
                let rule = if reused { rule("RPC-25") } else { entry.expectation.rule };
                self.find(Some(index), rule, Seen::Nothing);
                self.count_entry(index);
            }
            let silent: Vec<usize> =
                std::iter::successors(self.ledger.oldest(Entry::is_open), |last| {
                    let after = last + 1;
                    self.ledger.oldest_from(after, Entry::is_open)
                })
                .collect();
            for index in silent {
                self.count_entry(index);
            }
        }
        self.ledger.entries_mut().for_each(|entry| entry.closed = true);
    }

    fn ended(&mut self, end: End) {
        let blame = self
            .ledger
            .newest(|e| !e.probe && !e.closed)
            .or_else(|| self.ledger.newest(|e| !e.probe))
            .or_else(|| self.ledger.newest(|_| true));
        let rule = blame.map_or(rule("ERR-09"), |index| self.ledger.get(index).expectation.rule);
        self.find(blame, rule, Seen::Ended(end));
        if let Some(index) = blame {
            self.count_entry(index);
        }
        self.ledger.entries_mut().for_each(|entry| entry.closed = true);
    }

    fn count_response(&mut self, answer: &Answered) {
        self.hits.count(rule("RPC-02"));
        if let Kind::Error(_) = answer.kind {
            for rule in [rule("RPC-03"), rule("ERR-05"), rule("ERR-07"), rule("ERR-08")] {
                self.hits.count(rule);
            }
        }
        self.hits.count(rule("ERR-06"));
    }

    /// Counts the rules that a line exercised, now that its outcome is known.
    fn count_entry(&mut self, index: usize) {
        let entry = self.ledger.get(index);
        let expectation = &entry.expectation;
        let general: &[RuleId] = match entry.sent.form {
            Form::Request => const { &[rule("RPC-01")] },
            Form::Notification => const { &[rule("RPC-04")] },
            Form::Batch(_) => const { &[rule("BAT-10"), rule("BAT-11")] },
            _ => &[],
        };
        let rules = [expectation.rule].into_iter().chain(expectation.also.iter().copied());
        let rules: Vec<RuleId> = rules.chain(general.iter().copied()).collect();
        for rule in rules {
            self.hits.count(rule);
        }
        if entry.probe {
            self.hits.count(rule("ERR-09"));
        }
    }

    /// Notes that `rule` was broken, about the line of `entry`.
    fn find(&mut self, entry: Option<usize>, broken: RuleId, seen: Seen) {
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
        if matches!(seen, Seen::Ended(_) | Seen::Hang) {
            level = Level::Must; // survival is a must on every row
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
            && !matches!(seen, Seen::Ended(_) | Seen::Hang | Seen::Nothing);
        let list = if undecided { &mut self.undecided } else { &mut self.findings };
        if list.len() < MOST_FINDINGS {
            list.push(finding);
        }
    }
}

impl Before {
    fn note(&mut self, sent: &Sent) {
        let initialize = is_initialize(sent);
        match sent.form {
            Form::Request => self.request |= !initialize,
            Form::Batch(_) => self.request = true,
            Form::Invalid | Form::NotJson => {
                self.malformed = true;
                self.request |= sent.call.is_some() && !initialize;
            }
            Form::Notification => self.notification |= initialize,
            Form::Response => {}
        }
    }
}

fn is_initialize(sent: &Sent) -> bool {
    matches!(sent.call, Some(Call::Initialize(_)))
}

fn in_batch(entry: &Entry, id: IdRef) -> bool {
    matches!(&entry.sent.form, Form::Batch(batch) if batch.requests.contains(&id))
}

/// General rules that a finding breaks beside the specific one.
fn implied(entry: &Entry, seen: &Seen) -> Vec<RuleId> {
    let request = entry.sent.form == Form::Request;
    let mut rules = Vec::new();
    match seen {
        Seen::Response(Kind::Error(code), _) if *code == Code::InternalError.number() => {
            rules.push(rule("ERR-08"));
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
    if request && matches!(seen, Seen::Nothing | Seen::OneMore | Seen::OtherId) {
        rules.push(rule("RPC-01"));
    }
    rules
}
