//! What was learned about an agent before judging, then frozen.

use crate::border::Kind;
use crate::spec::{Capabilities, Version};

/// What was learned about an agent in the first phase. Stored in every case, so that replay,
/// shrinking and parallel jobs judge by the same facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The version that the run asks for.
    pub version: Version,
    /// The versions that the agent negotiates, lowest first.
    pub speaks: Vec<Version>,
    /// What it advertises in that version.
    pub capabilities: Capabilities,
    /// How it takes a batch of requests, where that was seen.
    pub batch: Option<BatchKind>,
    /// What it answers to a plain unknown method once initialized, where that was seen.
    pub unknown_method: Option<Kind>,
    /// The request that shows whether it still serves.
    pub probe: Probe,
    /// Whether it answers requests before `initialize` at all. Of one that does not, every line
    /// sent before would look like the one that silenced it.
    pub answers_early: bool,
}

/// A cheap request that the agent is known to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Probe {
    /// A method that no agent has.
    #[default]
    UnknownMethod,
    /// `session/list`, for an agent that does not answer unknown methods.
    List,
    /// `initialize` again, for an agent that answers neither.
    Initialize,
}

impl Probe {
    /// All of them, the preferred one first.
    pub const ALL: [Probe; 3] = [Probe::UnknownMethod, Probe::List, Probe::Initialize];
}

/// How an agent takes a batch of requests; one kind per agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchKind {
    /// One array with the responses.
    Array,
    /// One error -32600 with id null, and nothing is executed.
    Refused,
}

impl Profile {
    /// An agent that speaks only `version`, of which nothing else is known.
    pub fn of(version: Version) -> Profile {
        Profile {
            version,
            speaks: vec![version],
            capabilities: Capabilities::default(),
            batch: None,
            unknown_method: None,
            probe: Probe::default(),
            answers_early: true,
        }
    }

    /// Whether the agent negotiates `version`.
    pub fn speaks(&self, version: Version) -> bool {
        self.speaks.contains(&version)
    }

    /// Whether the agent negotiates both versions.
    pub fn speaks_both(&self) -> bool {
        Version::ALL.into_iter().all(|v| self.speaks(v))
    }
}
