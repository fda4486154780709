//! The state of a connection, and what an agent may answer in it.
//!
//! [`expect`] is a pure function from ([`Situation`], [`Sent`]) to an [`Expectation`]; the sets
//! come from the rule table, the order of rules from `spec/revisions.md`.

mod batch;
mod expectation;
mod initialize;
mod precedence;
mod request;

pub use expectation::{Expectation, IdEcho, Outcome};
pub use precedence::expect;

use crate::profile::Profile;
use crate::spec::{Revision, Version};

/// How far a connection is initialized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// No successful `initialize` yet.
    Uninitialized,
    /// Initialized, and no other request seen since: v2 may initialize again.
    Fresh,
    /// Initialized, and other requests were seen.
    Ready,
}

impl Stage {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Uninitialized => "uninitialized",
            Stage::Fresh => "just initialized",
            Stage::Ready => "initialized",
        }
    }
}

/// Everything that decides what a message owes.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// What was learned about the agent.
    pub profile: &'a Profile,
    /// The rule set.
    pub revision: Revision,
    /// How far the connection is.
    pub stage: Stage,
    /// The negotiated version, or the one that the run will ask for.
    pub version: Version,
    /// An `initialize` is unanswered.
    pub initializing: bool,
    /// A request came before any `initialize`: a router of both versions may have taken the
    /// connection for v1 (INIT-27).
    pub locked: bool,
}
