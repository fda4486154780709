use crate::spec::{RuleId, rules};

/// How often each rule was put to the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits(Vec<u64>);

impl Hits {
    /// No rule tested yet.
    pub fn new() -> Hits {
        Hits(vec![0; rules().len()])
    }

    /// Counts one test of `rule`.
    pub fn count(&mut self, rule: RuleId) {
        self.0[rule.index()] += 1;
    }

    /// How often `rule` was tested.
    pub fn of(&self, rule: RuleId) -> u64 {
        self.0[rule.index()]
    }

    /// Adds the counts of another conversation.
    pub fn add(&mut self, other: &Hits) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += theirs;
        }
    }
}

impl Default for Hits {
    fn default() -> Self {
        Hits::new()
    }
}
