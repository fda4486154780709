use crate::border::{Said, Sent};

/// One thing seen in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The client sent a line.
    Sent {
        /// The place of the line's step in the conversation, from 0.
        step: usize,
        /// What the line is.
        sent: Sent,
        /// It only asks whether the agent still serves: what goes wrong with it is laid to
        /// the line before.
        probe: bool,
    },
    /// The agent printed a line.
    Said(Said),
    /// All that was sent has had its time: what is unanswered now is never answered.
    Quiet,
    /// The agent's output ended although its input was open.
    Ended(End),
}

/// How an agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// It exited with this code.
    Exit(i32),
    /// This signal ended it.
    Signal(i32),
    /// It closed its output and lives on.
    OutputClosed,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exit(code) => write!(f, "the agent exits with code {code}"),
            End::Signal(signal) => write!(f, "the agent is ended by signal {signal}"),
            End::OutputClosed => f.write_str("the agent closes its output"),
        }
    }
}
