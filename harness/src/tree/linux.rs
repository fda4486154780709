//! Finds the processes of a tree in `/proc`.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::MARK_VARIABLE;

/// A process. The id may be used again later, with another start time.
#[derive(Clone, Copy)]
pub(super) struct Member {
    id: Pid,
    start_ticks: u64,
}

/// What `/proc/<id>/stat` says.
struct Stat {
    zombie: bool,
    parent: i32,
    group: i32,
    start_ticks: u64,
    /// None for a thread of the kernel and for a process that is just ending.
    memory_bytes: u64,
    environment_start: u64,
    environment_end: u64,
}

/// How long to go on looking for processes that do not die, or that fork as fast as they are killed.
pub(super) const KILLING_MAX: Duration = Duration::from_secs(1);

/// How long to wait for a process that is replacing its program. It takes microseconds, unless
/// the machine is busy.
const EXEC_MAX: Duration = Duration::from_millis(100);

/// Whether the system says how long an environment is. Some that only look like Linux do not.
static LENGTH_IS_TOLD: LazyLock<bool> = LazyLock::new(|| {
    stat(rustix::process::getpid()).is_some_and(|stat| stat.environment_start > 0)
});

/// The processes of the tree that live, but for the leader.
pub(super) fn members(leader: Pid, mark: &str) -> Vec<Member> {
    let leader_id = leader.as_raw_nonzero().get();
    let oldest = stat(leader).map_or(0, |stat| stat.start_ticks);
    let mut others = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(id) = id.and_then(Pid::from_raw) else { continue };
        match stat(id) {
            // What is older than the leader cannot come from it.
            Some(stat) if id != leader && !stat.zombie && stat.start_ticks >= oldest => {
                others.push((id, stat));
            }
            _ => {}
        }
    }
    let mut found: Vec<Member> = Vec::new();
    let mut parents = vec![leader_id];
    others.retain(|(id, stat)| {
        let belongs = stat.group == leader_id || is_marked(*id, mark);
        if belongs {
            parents.push(id.as_raw_nonzero().get());
            found.push(Member { id: *id, start_ticks: stat.start_ticks });
        }
        !belongs
    });
    while let Some(parent) = parents.pop() {
        others.retain(|(id, stat)| {
            let belongs = stat.parent == parent;
            if belongs {
                parents.push(id.as_raw_nonzero().get());
                found.push(Member { id: *id, start_ticks: stat.start_ticks });
            }
            !belongs
        });
    }
    found
}

impl Member {
    pub(super) fn lives(&self) -> bool {
        stat(self.id).is_some_and(|stat| !stat.zombie && stat.start_ticks == self.start_ticks)
    }

    /// Kills it, unless its id is by now another's.
    pub(super) fn kill_and_wait(&self, until: Instant) {
        // What the descriptor names stays the same process from here on.
        let handle = pidfd_open(self.id, PidfdFlags::empty());
        if !self.lives() {
            return;
        }
        let Ok(handle) = handle else {
            let _ = kill_process(self.id, Signal::KILL);
            return;
        };
        let _ = pidfd_send_signal(&handle, Signal::KILL);
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        let _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], left.as_ref());
    }
}

/// Whether the environment of a process has the mark. While a process replaces its program
/// (execve) the kernel shows an environment that is empty, or the first part of the old one:
/// what is read counts if it is as long as the process says, or it is read again.
fn is_marked(id: Pid, mark: &str) -> bool {
    let until = Instant::now() + EXEC_MAX;
    loop {
        // Kernel threads and other users' processes end here.
        let Ok(environment) = fs::read(format!("/proc/{}/environ", id.as_raw_nonzero())) else {
            return false;
        };
        if has_mark(&environment, mark) {
            return true;
        }
        let Some(now) = stat(id).filter(|now| !now.zombie && now.memory_bytes > 0) else {
            return false;
        };
        let length = now.environment_end.saturating_sub(now.environment_start);
        let is_whole = now.environment_start > 0 && length == environment.len() as u64;
        if is_whole || !*LENGTH_IS_TOLD || Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn has_mark(environment: &[u8], mark: &str) -> bool {
    environment.split(|byte| *byte == 0).any(|variable| {
        let value = variable.strip_prefix(MARK_VARIABLE.as_bytes());
        value.is_some_and(|value| value.windows(mark.len()).any(|part| part == mark.as_bytes()))
    })
}

fn stat(id: Pid) -> Option<Stat> {
    let line = fs::read(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    // The name in parentheses may hold anything, parentheses and spaces too.
    let after_name = line.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(&line[after_name..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    // Fields 22, 23, 50 and 51 of the line (proc_pid_stat(5)); the group was the fifth.
    let start_ticks = fields.nth(22 - 6)?.parse().ok()?;
    let memory_bytes = fields.next()?.parse().ok()?;
    let environment_start = fields.nth(50 - 24)?.parse().ok()?;
    let environment_end = fields.next()?.parse().ok()?;
    Some(Stat {
        zombie: matches!(state, "Z" | "X"),
        parent,
        group,
        start_ticks,
        memory_bytes,
        environment_start,
        environment_end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_stat_names_our_parent() {
        let ours = stat(rustix::process::getpid()).unwrap();
        assert!(!ours.zombie);
        assert_eq!(ours.parent, std::os::unix::process::parent_id() as i32);
        assert_eq!(ours.group, rustix::process::getpgrp().as_raw_nonzero().get());
        assert!(ours.start_ticks > 0);
        let environment = fs::read("/proc/self/environ").unwrap();
        let length = ours.environment_end - ours.environment_start;
        assert_eq!(length, environment.len() as u64);
        assert!(ours.memory_bytes > 0);
    }
}
