//! Reaches an implementation of the Agent Client Protocol and records every byte.
//!
//! An [`Implementation`] is something that can be started, a [`Connection`] is it running: bytes
//! go in, lines come out. [`ChildCommand`] is a command whose process tree is gone afterwards;
//! [`InProcess`] is an agent in this process. All that goes over the wire is kept in a [`Trace`].

#[cfg(not(unix))]
compile_error!("acp-harness needs process groups and poll(2), so it is for Unix only");

mod case;
mod child;
mod command;
mod connection;
mod conversation;
mod home;
mod inprocess;
mod lines;
mod pipes;
mod process;
mod recorder;
mod reference;
mod step;
mod trace;
mod trace_file;
mod tree;

pub use case::{Case, CaseError};
pub use command::ChildCommand;
pub use connection::{Connection, Ended, Implementation, Received, StartError};
pub use conversation::{Conversation, Patience, Progress, Record};
pub use home::{Home, TempHome};
pub use inprocess::{AgentFlow, InProcess, LineAgent};
pub use lines::{Line, Lines, MAX_LINE_BYTES, OVERLONG_HEAD_BYTES};
pub use reference::reference_agent;
pub use step::Step;
pub use trace::{
    Entry, LeftOut, LineEnd, LineEntry, Side, TRACE_HEAD_BYTES, TRACE_KEPT_BYTES,
    TRACE_LONG_LINE_BYTES, Trace,
};
pub use trace_file::TraceError;
