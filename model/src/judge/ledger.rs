use crate::border::{Form, IdRef, Sent};
use crate::lifecycle::{Expectation, Stage};
use crate::spec::Version;

/// Lines whose answers are known are kept this long, so that one more answer finds its line.
const REMEMBERED: usize = 128;

/// What the agent still owes for the lines sent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owed {
    /// Nothing.
    Nothing,
    /// A response, or silence.
    Perhaps,
    /// A response.
    Response,
}

/// One line of the client's and what became of it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) step: usize,
    pub(super) probe: bool,
    pub(super) sent: Sent,
    pub(super) expectation: Expectation,
    pub(super) stage: Stage,
    pub(super) version: Version,
    /// The id was used before, and answered.
    pub(super) reused_id: bool,
    /// Responses to it so far.
    pub(super) answers: u32,
    /// The last of them was laid to it although it names another line or none.
    pub(super) guessed: bool,
    /// Something was found about it.
    pub(super) faulted: bool,
    /// A line that was no message came while it was unanswered.
    pub(super) garbled: bool,
    /// Its time is over.
    pub(super) closed: bool,
}

impl Entry {
    /// Whether it may still be answered for the first time.
    pub(super) fn is_open(&self) -> bool {
        self.answers == 0 && !self.closed
    }

    pub(super) fn owed(&self) -> Owed {
        match () {
            () if !self.is_open() || self.expectation.allows_only_silence() => Owed::Nothing,
            () if self.expectation.allows_silence() => Owed::Perhaps,
            () => Owed::Response,
        }
    }

    /// Whether it is a message with an id of its own, that an answer may name.
    pub(super) fn has_id(&self, id: IdRef) -> bool {
        let named = matches!(self.sent.form, Form::Request | Form::Invalid | Form::NotJson);
        named && (self.sent.id == Some(id) || self.sent.first_id == Some(id))
    }
}

/// The lines of a conversation, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
}

impl Ledger {
    pub(super) fn add(&mut self, entry: Entry) {
        if self.entries.len() >= REMEMBERED {
            let old = self.entries.iter().position(|e| !e.is_open());
            self.entries.remove(old.unwrap_or(0));
        }
        self.entries.push(entry);
    }

    pub(super) fn get(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut Entry {
        &mut self.entries[index]
    }

    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    pub(super) fn any(&self, wanted: impl Fn(&Entry) -> bool) -> bool {
        self.entries.iter().any(wanted)
    }

    /// The oldest entry for which `wanted` holds.
    pub(super) fn oldest(&self, wanted: impl Fn(&Entry) -> bool) -> Option<usize> {
        self.entries.iter().position(wanted)
    }

    /// The oldest entry, from place `start` on, for which `wanted` holds.
    pub(super) fn oldest_from(
        &self,
        start: usize,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Option<usize> {
        (start..self.entries.len()).find(|index| wanted(&self.entries[*index]))
    }

    /// The newest entry for which `wanted` holds.
    pub(super) fn newest(&self, wanted: impl Fn(&Entry) -> bool) -> Option<usize> {
        self.entries.iter().rposition(wanted)
    }

    /// What is owed for the lines of `step`: the most of what its lines owe.
    pub(super) fn owed(&self, step: usize) -> Owed {
        self.most_owed(|e| e.step == step)
    }

    /// What is owed for all lines.
    pub(super) fn owed_at_all(&self) -> Owed {
        self.most_owed(|_| true)
    }

    fn most_owed(&self, of: impl Fn(&Entry) -> bool) -> Owed {
        self.entries.iter().filter(|e| of(e)).map(Entry::owed).max().unwrap_or(Owed::Nothing)
    }
}
