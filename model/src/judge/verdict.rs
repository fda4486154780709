use super::event::{End, Event};
use super::finding::{Finding, Seen};
use super::hits::Hits;
use super::ledger::{Entry, Ledger, Owed};
use crate::border::{Answered, Call, Form, Garbage, IdRef, Kind, Said, SaidId, Sent};
use crate::lifecycle::{IdEcho, Outcome, Situation, Stage, expect};
use crate::profile::Profile;
use crate::spec::{Answer, Code, IdForm, Pattern, Revision, RuleId, Version, rule};

/// The accounting of one conversation: which line is owed what, and what came.
#[derive(Debug, Clone)]
pub struct Judge {
    pub(super) profile: Profile,
    pub(super) revision: Revision,
    pub(super) stage: Stage,
    pub(super) version: Version,
    pub(super) ledger: Ledger,
    pub(super) findings: Vec<Finding>,
    pub(super) hits: Hits,
    /// Ids of the agent's own requests that the client has not answered yet.
    pub(super) asked_by_agent: Vec<IdRef>,
    pub(super) before: Before,
    /// Findings about requests before initialization of an agent of both versions: which
    /// version's rule they break shows with the negotiation.
    pub(super) undecided: Vec<Finding>,
}

/// What came before the first successful `initialize`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) request: bool,
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
            Event::Said(Said::Messages(ids)) => self.unasked_messages(&ids),
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

    /// Whether an `initialize` request is unanswered. A notification is never answered, so
    /// nothing waits for it (INIT-24).
    pub fn is_initializing(&self) -> bool {
        let open =
            |e: &Entry| e.is_open() && is_initialize(&e.sent) && e.sent.form != Form::Notification;
        self.ledger.any(open)
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
        let situation = Situation {
            profile: &self.profile,
            revision: self.revision,
            stage: self.stage,
            version: self.version,
            initializing: self.is_initializing(),
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
        let in_flight = |e: &Entry| e.is_open() && sent.id.is_some_and(|id| e.has_id(id));
        if sent.form == Form::Request && self.ledger.oldest(in_flight).is_some() {
            // RPC-24 and P34: either of the two may be refused for the other.
            let refused = Code::InvalidRequest.number();
            let refused = Answer::response(Pattern::Code(refused), IdForm::Echoed);
            expectation.answers.push(refused.clone());
            expectation.also.push(rule("RPC-24"));
            for entry in self.ledger.entries_mut().filter(|e| in_flight(e)) {
                entry.expectation.answers.push(refused.clone());
                entry.expectation.also.push(rule("RPC-24"));
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
            guessed: false,
            faulted: false,
            garbled: false,
            closed: false,
        });
    }

    pub(super) fn count_line(&mut self) {
        self.hits.count(rule("FRM-01"));
        self.hits.count(rule("FRM-02"));
    }

    pub(super) fn response(&mut self, answer: &Answered) {
        self.count_line();
        self.count_response(answer);
        let (entry, id) = self.ledger.asker(answer);
        for broken in answer.broken_rules(self.version) {
            let about_code = entry.filter(|_| broken == rule("ERR-06"));
            if about_code.is_some_and(|index| self.decides_code(index, answer, id)) {
                continue;
            }
            self.find(entry, broken, Seen::Misshapen);
        }
        match entry {
            Some(index) => self.settle(index, answer, id),
            None => self.find(None, rule("RPC-01"), Seen::OtherId),
        }
    }

    /// Whether the line's own row says what to think of the code of `answer`: it names the code
    /// (INIT-11), or allows it no more than the general rule does.
    fn decides_code(&self, index: usize, answer: &Answered, id: IdEcho) -> bool {
        let expectation = &self.ledger.get(index).expectation;
        let outcome = Outcome { kind: answer.kind, id, facts: answer.facts };
        let named = |a: &Answer| match a {
            Answer::Response { pattern: Pattern::Code(code), .. } => {
                answer.kind == Kind::Error(*code)
            }
            _ => false,
        };
        !expectation.allows(&outcome) || expectation.answers.iter().any(named)
    }

    fn settle(&mut self, index: usize, answer: &Answered, id: IdEcho) {
        let entry = self.ledger.get_mut(index);
        if entry.guessed && id == IdEcho::Echoed {
            // What was taken for its response was none of its.
            entry.answers -= 1;
        }
        entry.answers += 1;
        let once = entry.answers == 1 && !entry.closed;
        let outcome = Outcome { kind: answer.kind, id, facts: answer.facts };
        let was_silent = entry.expectation.allows_only_silence();
        // An error without a readable code was found already (RPC-03).
        let unreadable = answer.facts.misshapen_error && !was_silent;
        let allowed = entry.expectation.allows(&outcome) || unreadable;
        entry.guessed = !allowed && matches!(id, IdEcho::Other | IdEcho::Null);
        let form = entry.sent.form.clone();
        let seen = match id {
            IdEcho::Other if answer.id == SaidId::None => Seen::NoId,
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
        } else if allowed && self.breaks_batch_kind(index) {
            // One kind per agent: the other was seen while the profile was learned.
            self.find(Some(index), self.ledger.get(index).expectation.rule, seen);
        } else if !allowed {
            let deciding = self.deciding_rule(index, &outcome);
            let only_null = id == IdEcho::Null && deciding == rule("RPC-01");
            self.find(Some(index), deciding, if only_null { Seen::NullId } else { seen });
        }
        self.count_entry(index);
        if once {
            self.advance(index, answer);
        }
    }

    /// What an answer changes about the connection.
    fn advance(&mut self, index: usize, answer: &Answered) {
        let entry = self.ledger.get(index);
        let (step_stage, call, form) = (entry.stage, entry.sent.call, entry.sent.form.clone());
        let Some(Call::Initialize(asked)) = call else {
            let request = form == Form::Request || form == Form::Invalid && call.is_some();
            if self.stage == Stage::Fresh && step_stage != Stage::Uninitialized && request {
                self.stage = Stage::Ready;
            }
            return;
        };
        // Served although its envelope is broken: one fault, and the agent is initialized.
        if answer.kind != Kind::Result || !matches!(form, Form::Request | Form::Invalid) {
            self.before.failed_initialize |= self.stage == Stage::Uninitialized;
            return;
        }
        self.hits.count(rule("INIT-25"));
        self.hits.count(rule("INIT-16"));
        let outcome = Outcome { kind: answer.kind, id: IdEcho::Echoed, facts: answer.facts };
        let allowed = self.ledger.get(index).expectation.allows(&outcome);
        if answer.facts.misshapen_initialize && allowed {
            self.find(Some(index), rule("INIT-25"), Seen::Misshapen);
        }
        if answer.facts.terminal_login && !asked.terminal_login {
            self.find(Some(index), rule("INIT-16"), Seen::Misshapen);
        }
        let negotiated = answer.facts.protocol_version.and_then(Version::from_number);
        self.negotiate(negotiated.unwrap_or(self.version), Stage::Fresh);
    }

    pub(super) fn negotiate(&mut self, version: Version, stage: Stage) {
        self.version = version;
        self.stage = stage;
        let undecided = std::mem::take(&mut self.undecided);
        if self.version == self.profile.version {
            self.findings.extend(undecided);
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
            // Not even the probe is answered: the line before it is to blame, unless the agent
            // is known to be deaf to all requests here.
            let deaf = |e: &Entry| {
                !self.profile.answers_early
                    && e.stage == Stage::Uninitialized
                    && (e.owed() != Owed::Response || e.sent.form == Form::Request)
            };
            let before = self.ledger.newest(|e| !e.probe && !e.closed);
            let blame = before.filter(|index| !deaf(self.ledger.get(*index))).unwrap_or(probe);
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

    pub(super) fn count_response(&mut self, answer: &Answered) {
        self.hits.count(rule("RPC-02"));
        if let Kind::Error(_) = answer.kind {
            for rule in [rule("RPC-03"), rule("ERR-05"), rule("ERR-07"), rule("ERR-08")] {
                self.hits.count(rule);
            }
        }
        self.hits.count(rule("ERR-06"));
    }

    /// Counts the rules that a line exercised, now that its outcome is known.
    pub(super) fn count_entry(&mut self, index: usize) {
        let entry = self.ledger.get(index);
        let expectation = &entry.expectation;
        let general: &[RuleId] = match entry.sent.form {
            Form::Request => const { &[rule("RPC-01")] },
            Form::Notification => const { &[rule("RPC-04")] },
            Form::Batch(_) => const { &[rule("BAT-10"), rule("BAT-11")] },
            _ => &[],
        };
        // A line that broke one rule proves nothing about the others.
        let others = expectation.also.iter().chain(general).filter(|_| !entry.faulted);
        let rules: Vec<RuleId> = [expectation.rule].iter().chain(others).copied().collect();
        for rule in rules {
            self.hits.count(rule);
        }
        if entry.probe {
            self.hits.count(rule("ERR-09"));
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
