use std::os::fd::BorrowedFd;
#[cfg(target_os = "linux")]
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::connection::Ended;

/// The agent's own process, and whether it has exited.
///
/// It stays a zombie until [`Process::reap`]: as long as it is one, its id names no other process
/// and no other process group, so that a signal to the group reaches nobody else.
pub(crate) struct Process {
    child: Child,
    id: Pid,
    exit: Option<Ended>,
    reaped: bool,
    /// Becomes readable at the exit.
    #[cfg(target_os = "linux")]
    exit_fd: Option<OwnedFd>,
}

impl Process {
    pub(crate) fn new(child: Child) -> Process {
        let id = Pid::from_child(&child);
        Process {
            child,
            id,
            exit: None,
            reaped: false,
            #[cfg(target_os = "linux")]
            exit_fd: rustix::process::pidfd_open(id, rustix::process::PidfdFlags::empty()).ok(),
        }
    }

    pub(crate) fn id(&self) -> Pid {
        self.id
    }

    /// Something to poll for the exit, where the system has it (Linux 5.3). Without it
    /// [`Process::look`] has to be called now and then.
    pub(crate) fn exit_fd(&self) -> Option<BorrowedFd<'_>> {
        #[cfg(target_os = "linux")]
        return self.exit_fd.as_ref().map(AsFd::as_fd);
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// How the process exited, as far as [`Process::look`] knows.
    pub(crate) fn exit(&self) -> Option<Ended> {
        self.exit
    }

    /// Asks the system whether the process has exited. Does not reap it.
    pub(crate) fn look(&mut self) -> Option<Ended> {
        if self.exit.is_none() {
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let status = waitid(WaitId::Pid(self.id), how).ok().flatten()?;
            self.exit = status
                .exit_status()
                .map(Ended::Exit)
                .or_else(|| status.terminating_signal().map(Ended::Signal));
        }
        self.exit
    }

    pub(crate) fn kill(&mut self) {
        // It fails only where the process is gone already.
        let _ = self.child.kill();
    }

    /// Removes the zombie, if the process has exited.
    pub(crate) fn reap(&mut self) {
        if !self.reaped && self.look().is_some() {
            self.reaped = true;
            let _ = self.child.wait();
        }
    }
}
