use super::ledger::{Entry, Ledger, Owed};
use crate::border::{Answered, Form, IdRef, SaidId};
use crate::lifecycle::{IdEcho, Outcome};

/// Which line a response answers. Ids decide where they can; where a response carries null or a
/// foreign id, the line that it fits best is taken, so that one bug is one finding.
impl Ledger {
    /// The line that a response answers, and how its id relates to that line's.
    pub(super) fn asker(&self, answer: &Answered) -> (Option<usize>, IdEcho) {
        let open = |e: &Entry| e.is_open();
        match answer.id {
            SaidId::Is(IdRef::NULL) => {
                let asked_null = |e: &Entry| !e.closed && e.has_id(IdRef::NULL);
                let allows = |e: &Entry| {
                    let outcome =
                        Outcome { kind: answer.kind, id: IdEcho::Null, facts: answer.facts };
                    open(e) && e.expectation.allows(&outcome)
                };
                let ledger = self;
                // A request with id null may be answered by anything, these lines only by this.
                let only_this =
                    |e: &Entry| allows(e) && e.owed() == Owed::Response && !e.has_id(IdRef::NULL);
                if let Some(index) = ledger.oldest(only_this) {
                    return (Some(index), IdEcho::Null);
                }
                let null = ledger.oldest(|e| open(e) && asked_null(e));
                let misfit = |e: &Entry| {
                    open(e) && e.sent.form != Form::Request && e.owed() == Owed::Response
                };
                let again = || ledger.newest(asked_null).filter(|_| !ledger.any(misfit));
                if let Some(index) = null.or_else(again) {
                    return (Some(index), IdEcho::EchoedNull);
                }
                // Lines without an id of their own come before those that could be named.
                let nameless = |e: &Entry| open(e) && e.sent.form != Form::Request;
                let owes = |e: &Entry| e.owed() == Owed::Response;
                // One more response to a line that has its own, while another is pending.
                let doubled = |e: &Entry| {
                    let again =
                        Outcome { kind: answer.kind, id: IdEcho::Null, facts: answer.facts };
                    e.answers > 0 && !e.probe && e.expectation.allows(&again)
                };
                let fits_named = |e: &Entry| {
                    let named =
                        Outcome { kind: answer.kind, id: IdEcho::Echoed, facts: answer.facts };
                    open(e) && e.expectation.allows(&named)
                };
                let index = ledger
                    .oldest(allows)
                    .or_else(|| ledger.oldest(|e| nameless(e) && owes(e)))
                    .or_else(|| ledger.newest(nameless))
                    .or_else(|| ledger.oldest(|e| open(e) && !e.probe))
                    .or_else(|| ledger.newest(fits_named))
                    .or_else(|| ledger.newest(doubled))
                    .or_else(|| ledger.newest(open))
                    .or_else(|| ledger.newest(|e| !e.probe));
                (index, IdEcho::Null)
            }
            SaidId::Is(id) => {
                let asked = |e: &Entry| e.has_id(id) || in_batch(e, id);
                let allows = |e: &Entry| {
                    let outcome =
                        Outcome { kind: answer.kind, id: IdEcho::Echoed, facts: answer.facts };
                    e.expectation.allows(&outcome)
                };
                let index = self
                    .oldest(|e| asked(e) && open(e) && allows(e))
                    .or_else(|| self.oldest(|e| asked(e) && open(e)))
                    .or_else(|| self.newest(asked));
                match index {
                    Some(index) => (Some(index), IdEcho::Echoed),
                    None => (self.foreign_asker(), IdEcho::Other),
                }
            }
            SaidId::None => (self.foreign_asker(), IdEcho::Other),
        }
    }

    /// The line that a response with a foreign id most likely answers.
    pub(super) fn foreign_asker(&self) -> Option<usize> {
        let owes = |e: &Entry| e.owed() == Owed::Response;
        let ledger = self;
        ledger
            .oldest(|e| owes(e) && !e.probe)
            .or_else(|| ledger.newest(|e| e.is_open() && !e.probe))
            .or_else(|| ledger.oldest(owes))
            .or_else(|| ledger.newest(|e| !e.probe))
            .or_else(|| ledger.newest(|_| true))
    }
}

fn in_batch(entry: &Entry, id: IdRef) -> bool {
    matches!(&entry.sent.form, Form::Batch(batch) if batch.requests.contains(&id))
}
