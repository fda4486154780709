use super::expectation::Expectation;
use super::request::by_rule;
use super::{Situation, Stage};
use crate::border::{Answered, Batch, Flaw, IdRef, Kind, SaidId};
use crate::spec::{Answer, Code, IdForm, Pattern, Version, rule};

/// What a batch with at least one entry owes.
pub(super) fn expect(at: &Situation<'_>, batch: &Batch, flaw: Flaw) -> Expectation {
    let mut expectation = by_rule(at, flaw.rule(at.version));
    if batch.owes_nothing() && expectation.allows_array() {
        // The array of no responses is no response, never `[]`.
        expectation.answers.retain(|a| *a != Answer::Array);
        expectation.answers.insert(0, Answer::Silent);
    }
    if at.stage == Stage::Uninitialized && !batch.has_initialize {
        expectation.mention(match at.version {
            Version::V1 => rule("INIT-02"),
            Version::V2 => rule("INIT-01"),
        });
    }
    let refused = Answer::response(Pattern::Code(Code::InvalidRequest.number()), IdForm::Null);
    expectation.extend(expectation.allows_array().then_some(refused));
    expectation
}

impl Batch {
    /// Whether its array of responses would be empty.
    pub fn owes_nothing(&self) -> bool {
        self.requests.is_empty() && self.invalid == 0
    }

    /// Whether `answers` is the array that JSON-RPC 2.0 section 6 asks for: one response for
    /// each request, -32600 with id null for each invalid entry, in any order.
    pub fn is_answered_by(&self, answers: &[Option<Answered>], at: &Situation<'_>) -> bool {
        let mut requests = self.requests.clone();
        let mut invalid = self.invalid;
        let early =
            at.stage == Stage::Uninitialized && at.version == Version::V2 && !self.has_initialize;
        for answer in answers {
            let Some(Answered { id: SaidId::Is(id), kind, facts }) = answer else { return false };
            if facts.misshapen || facts.misshapen_error {
                return false;
            }
            let refused = *kind == Kind::Error(Code::InvalidRequest.number());
            if let Some(index) = requests.iter().position(|r| r == id) {
                requests.swap_remove(index);
                if early && !refused {
                    return false; // P33
                }
            } else if *id == IdRef::NULL && invalid > 0 && refused {
                invalid -= 1;
            } else {
                return false;
            }
        }
        requests.is_empty() && invalid == 0 && !answers.is_empty()
    }
}
