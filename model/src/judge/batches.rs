use super::finding::Seen;
use super::ledger::{Entry, Owed};
use super::verdict::Judge;
use crate::border::{Answered, Flaw, Form, IdRef, SaidId};
use crate::lifecycle::{Situation, Stage};
use crate::profile::BatchKind;
use crate::spec::{Version, rule};

/// Arrays from the agent: answers to batches, and arrays that nobody asked for.
impl Judge {
    pub(super) fn array(&mut self, answers: &[Option<Answered>]) {
        self.count_line();
        self.hits.count(rule("BAT-11"));
        let is_batch = |e: &Entry| e.is_open() && matches!(e.sent.form, Form::Batch(_));
        let fits = |e: &Entry| match &e.sent.form {
            Form::Batch(batch) => {
                e.is_open() && batch.is_answered_by(answers, &self.situation_of(e))
            }
            _ => false,
        };
        let Some(index) = self.ledger.oldest(fits).or_else(|| self.ledger.oldest(is_batch)) else {
            return self.unasked_array(answers);
        };
        for answer in answers.iter().flatten() {
            self.count_response(answer);
            for rule in answer.broken_rules(self.version) {
                self.find(Some(index), rule, Seen::Misshapen);
            }
        }
        self.count_entry(index);
        self.ledger.get_mut(index).answers += 1;
        let entry = self.ledger.get(index);
        let Form::Batch(batch) = &entry.sent.form else { return };
        let situation = self.situation_of(entry);
        let (initializes, uninitialized) =
            (batch.has_initialize, self.stage == Stage::Uninitialized);
        let (rule, asks) = (entry.expectation.rule, !batch.requests.is_empty());
        if !entry.expectation.allows_array() {
            self.find(Some(index), rule, Seen::Array);
        } else if !batch.is_answered_by(answers, &situation) {
            self.find(Some(index), rule, Seen::WrongArray);
        } else if asks && self.profile.batch == Some(BatchKind::Refused) {
            // One kind per agent: the other was seen while the profile was learned.
            self.find(Some(index), rule, Seen::Array);
        }
        let version = |a: &Answered| a.facts.protocol_version.and_then(Version::from_number);
        if let Some(version) = answers.iter().flatten().find_map(version)
            && initializes
            && uninitialized
        {
            // BAT-08: the initialize in it was served.
            self.negotiate(version, Stage::Ready);
        }
    }

    /// An array of the agent's own requests and notifications.
    pub(super) fn unasked_messages(&mut self, ids: &[IdRef]) {
        self.count_line();
        self.hits.count(rule("BAT-11"));
        self.asked_by_agent.extend(ids);
        self.find(None, rule("BAT-11"), Seen::Array);
    }

    /// The situation in which the line of `entry` was sent.
    fn situation_of(&self, entry: &Entry) -> Situation<'_> {
        Situation {
            profile: &self.profile,
            revision: self.revision,
            stage: entry.stage,
            version: entry.version,
            initializing: false,
            locked: self.before.request,
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
            self.find(self.ledger.foreign_asker(), rule("BAT-11"), Seen::Array);
            for answer in answers.iter().flatten() {
                self.response(answer);
            }
            return;
        }
        match self.ledger.foreign_asker() {
            Some(index) => {
                let entry = self.ledger.get_mut(index);
                entry.answers += 1;
                let rule = entry.expectation.rule;
                self.find(Some(index), rule, Seen::Array);
            }
            None => self.find(None, rule("FRM-01"), Seen::Array),
        }
    }

    /// Whether a single response to this line means that the agent refuses batches, although it
    /// answers them with arrays. Before initialization either may be refused.
    pub(super) fn breaks_batch_kind(&self, index: usize) -> bool {
        let entry = self.ledger.get(index);
        let asks = matches!(&entry.sent.form, Form::Batch(batch) if !batch.requests.is_empty());
        asks && entry.version == Version::V2
            && entry.stage != Stage::Uninitialized
            && entry.expectation.allows_array()
            && self.profile.batch == Some(BatchKind::Array)
    }
}
