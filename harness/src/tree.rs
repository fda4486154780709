//! The process tree of an agent: everything it started, however far it went away.
//!
//! The process group catches what stayed in it. What left it (`setsid`, a daemon's double fork)
//! is found on Linux in three ways: by a variable in its environment that only this agent's
//! processes have, by its group, and by its parents. A process that left the group, lost its
//! parent and had cleared its environment, all before the agent ended, is not found; neither is
//! one that left the group on another system.

#[cfg(target_os = "linux")]
mod linux;

use std::ffi::{OsStr, OsString};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process_group};

/// The variable that marks the environment of an agent's processes.
pub(crate) const MARK_VARIABLE: &str = "ACP_CHECK_RUN";

/// A word that no other agent's environment has.
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Mark {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Bars at both ends: no mark is the beginning of another.
        Mark(format!("|{}-{counter}-{}|", std::process::id(), time.as_nanos()))
    }

    /// The value of [`MARK_VARIABLE`]: where we are marked ourselves, the agent has both marks.
    pub(crate) fn value(&self, ours: Option<&OsStr>) -> OsString {
        let mut value = ours.unwrap_or_default().to_owned();
        value.push(&self.0);
        value
    }
}

/// The processes of one agent, whose own process is the leader of their group.
pub(crate) struct Tree {
    leader: Pid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    mark: Mark,
    #[cfg(target_os = "linux")]
    known: Vec<linux::Member>,
}

impl Tree {
    pub(crate) fn new(leader: Pid, mark: Mark) -> Tree {
        Tree {
            leader,
            mark,
            #[cfg(target_os = "linux")]
            known: Vec::new(),
        }
    }

    /// Remembers who is in the tree now. To be called while the leader lives: its end cuts the
    /// chains of parents.
    pub(crate) fn remember(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.known = linux::members(self.leader, &self.mark.0);
        }
    }

    /// Asks the group to end. The leader must not be reaped yet.
    pub(crate) fn terminate_group(&self) {
        let _ = kill_process_group(self.leader, Signal::TERM);
    }

    /// Kills the group. The leader must not be reaped yet.
    pub(crate) fn kill_group(&self) {
        let _ = kill_process_group(self.leader, Signal::KILL);
    }

    /// Kills the group and everything else in the tree but the leader, and waits until it is
    /// gone. The leader must not be reaped yet.
    pub(crate) fn kill_all(&mut self) {
        self.kill_group();
        #[cfg(target_os = "linux")]
        {
            let until = std::time::Instant::now() + linux::KILLING_MAX;
            loop {
                let mut alive = linux::members(self.leader, &self.mark.0);
                alive.extend(self.known.drain(..).filter(linux::Member::lives));
                if alive.is_empty() || std::time::Instant::now() >= until {
                    return;
                }
                for member in &alive {
                    member.kill_and_wait(until);
                }
            }
        }
    }
}
