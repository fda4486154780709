use std::time::{Duration, Instant};

use crate::trace::Trace;

/// An implementation that can be started: a command, or an agent in this process.
pub trait Implementation: Sync {
    /// Starts it and hands back the open connection. Returns at once: an agent that
    /// takes long to start is seen as one that is quiet.
    fn start(&self) -> Result<Box<dyn Connection>, StartError>;

    /// What a person would type or call it by.
    fn name(&self) -> String;
}

/// One connection to an implementation: bytes go in, lines come out, all is recorded.
///
/// Dropping a connection ends the agent and its whole process tree.
pub trait Connection {
    /// Queues `bytes` exactly as they are (the caller adds the newline) and writes as
    /// much as the agent takes now. The rest goes out during [`Connection::receive`].
    /// Never blocks. Bytes for an agent that no longer reads are recorded as unsent.
    fn send(&mut self, bytes: &[u8]);

    /// Waits for the next thing the agent does, until `deadline` at the latest.
    fn receive(&mut self, deadline: Instant) -> Received;

    /// Ends the agent's input once everything queued has been written.
    fn close_input(&mut self);

    /// Ends the agent in stages: closes its input and waits, then asks it to end
    /// (TERM), then forces it (KILL). Leaves nothing running. What it still printed is
    /// returned by later calls of [`Connection::receive`].
    fn finish(&mut self, patience: Duration) -> Ended;

    /// Everything that went over the wire so far.
    fn trace(&self) -> &Trace;

    /// The last bytes the agent wrote to its standard error (at most 8 KiB), lossily decoded.
    fn stderr_tail(&self) -> String;

    /// Bytes queued by [`Connection::send`] that the agent has not taken yet.
    fn unsent_bytes(&self) -> usize;

    /// Bytes that were written, but that nobody had read when the agent's input was closed. 0
    /// where that cannot be told.
    fn unread_bytes(&self) -> usize {
        0
    }

    /// Whether the agent exited, but something that it had started held its output open still.
    fn left_output_open(&self) -> bool {
        false
    }
}

/// What came of waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// One line without its newline.
    Line(Vec<u8>),
    /// The last bytes before the end of output: a line without its newline.
    Unterminated(Vec<u8>),
    /// A line longer than the limit. Holds its first bytes; the rest is skipped.
    Overlong(Vec<u8>),
    /// Nothing until the deadline (an agent in this process is known to be idle at once).
    Quiet,
    /// The agent ended, and all it printed has been received. Returned again on every later call.
    Ended(Ended),
}

/// How an agent's output came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The process exited with this code.
    Exit(i32),
    /// A signal that we did not send ended the process.
    Signal(i32),
    /// Standard output is closed, but the process lives.
    OutputClosed,
    /// We ended it: it was still running when asked to end (TERM), or forced (KILL).
    Stopped {
        /// Whether it took KILL.
        forced: bool,
    },
}

/// Why an implementation could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command does not exist or may not be run.
    #[error("cannot start `{command}`: {source}")]
    Spawn {
        /// The command as given.
        command: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The temporary home could not be made.
    #[error("cannot make a temporary directory for the agent: {0}")]
    Home(std::io::Error),
}
