//! An agent that keeps every rule of the model, with switches to break one at a time.
//!
//! It answers lines with bytes and does nothing else: no clock, no files, no network.

mod fault;
mod negotiate;
mod output;
mod reading;
mod serve;

pub use fault::{FAULTS, Fault, FaultInfo, Faults};

use std::collections::BTreeMap;

use crate::spec::Version;
use output::Output;

/// Which versions the agent negotiates and what it gets wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The versions, lowest first.
    pub speaks: Vec<Version>,
    /// The faults that are switched on.
    pub faults: Faults,
}

/// Whether the agent goes on after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It reads the next line.
    Continue,
    /// It ends with this exit code.
    Exit(i32),
}

/// The reference agent. One value is one connection.
///
/// ```
/// use acp_model::reference::{Agent, Faults, Flow, Setup};
/// use acp_model::spec::Version;
///
/// let mut agent = Agent::new(Setup { speaks: vec![Version::V2], faults: Faults::default() });
/// let mut out = Vec::new();
/// assert_eq!(agent.line(b"{not json", &mut out), Flow::Continue);
/// assert!(out.starts_with(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700"#));
/// ```
#[derive(Debug, Clone)]
pub struct Agent {
    setup: Setup,
    negotiated: Option<Version>,
    /// Requests other than initialize were seen since the last initialize.
    ready: bool,
    /// An initialize failed before.
    failed: bool,
    sessions: BTreeMap<String, Session>,
    sessions_made: u64,
    out: Output,
    /// Lines held back by a fault that assembles messages.
    held: Vec<u8>,
    /// Ids answered before, for a fault that remembers them.
    answered: Vec<String>,
    greeted: bool,
    deaf: bool,
}

#[derive(Debug, Clone)]
struct Session {
    cwd: String,
    active: bool,
    messages: u64,
}

impl Agent {
    /// A new connection.
    pub fn new(setup: Setup) -> Agent {
        Agent {
            out: Output::new(setup.faults),
            setup,
            negotiated: None,
            ready: false,
            failed: false,
            sessions: BTreeMap::new(),
            sessions_made: 0,
            held: Vec::new(),
            answered: Vec::new(),
            greeted: false,
            deaf: false,
        }
    }

    /// Takes one line without its newline, and appends what it prints to `out`.
    pub fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> Flow {
        if self.has(Fault::LogLineOnStdout) && !self.greeted {
            out.extend_from_slice(b"[info] reference agent is ready\n");
        }
        self.greeted = true;
        let flow = self.take(line);
        self.out.drain_into(out);
        flow
    }

    fn has(&self, fault: Fault) -> bool {
        self.setup.faults.has(fault)
    }

    fn speaks(&self, version: Version) -> bool {
        self.setup.speaks.contains(&version)
    }
}
