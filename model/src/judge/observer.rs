use super::event::{End, Event};
use super::finding::Finding;
use super::ledger::Owed;
use super::verdict::Judge;
use crate::border::{Border, Garbage, Said};
use crate::profile::Profile;
use crate::spec::Revision;

/// Bytes that are kept of a message that was cut by a raw newline.
const MOST_HELD_BYTES: usize = 1 << 20;

/// Watches the bytes of one conversation and judges them.
///
/// ```
/// use acp_model::judge::Observer;
/// use acp_model::profile::Profile;
/// use acp_model::spec::{Revision, Version};
///
/// let mut observer = Observer::new(Profile::of(Version::V2), Revision::ErrorsPage);
/// observer.sent(0, b"{not json", false);
/// observer.said(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"oops"}}"#);
/// observer.quiet();
/// assert_eq!(observer.findings()[0].rule.name(), "FRM-03");
/// ```
#[derive(Debug, Clone)]
pub struct Observer {
    border: Border,
    judge: Judge,
    /// A line that ended inside a string: the next may be the rest of it.
    held: Vec<u8>,
}

impl Observer {
    /// An observer of a new connection.
    pub fn new(profile: Profile, revision: Revision) -> Observer {
        Observer { border: Border::new(), judge: Judge::new(profile, revision), held: Vec::new() }
    }

    /// The client sent `line` (without its newline) in step `step`. A probe only asks whether
    /// the agent still serves.
    pub fn sent(&mut self, step: usize, line: &[u8], probe: bool) {
        let sent = self.border.sent(line, self.judge.version());
        self.judge.event(Event::Sent { step, sent, probe });
    }

    /// The agent printed `line` (without its newline).
    pub fn said(&mut self, line: &[u8]) {
        let mut said = self.border.said(line);
        if !self.held.is_empty() && matches!(said, Said::Garbage(_)) {
            // FRM-02: with an escaped newline in between, the pieces may be one message.
            self.held.extend_from_slice(b"\\n");
            self.held.extend_from_slice(line);
            let joined = self.border.said(&self.held);
            if joined == Said::Garbage(Garbage::CutInString) && self.held.len() < MOST_HELD_BYTES {
                return;
            }
            if !matches!(joined, Said::Garbage(_)) {
                said = joined;
            }
            self.held.clear();
        } else if said == Said::Garbage(Garbage::CutInString) {
            self.held = line.to_vec();
        } else {
            self.held.clear();
        }
        self.judge.event(Event::Said(said));
    }

    /// The agent printed more than a line may hold.
    pub fn said_too_much(&mut self) {
        self.judge.event(Event::Said(Said::Garbage(Garbage::Overlong)));
    }

    /// All that was sent has had its time.
    pub fn quiet(&mut self) {
        self.judge.event(Event::Quiet);
    }

    /// The agent ended although its input was open.
    pub fn ended(&mut self, end: End) {
        self.judge.event(Event::Ended(end));
    }

    /// What the agent still owes for the lines of `step`.
    pub fn owed(&self, step: usize) -> Owed {
        self.judge.owed(step)
    }

    /// What the agent still owes for all that was sent.
    pub fn owed_at_all(&self) -> Owed {
        self.judge.owed_at_all()
    }

    /// The findings so far, in the order in which they showed.
    pub fn findings(&self) -> &[Finding] {
        self.judge.findings()
    }

    /// The judge behind the border.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }
}
