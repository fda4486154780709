use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::connection::{Connection, Ended, Received};
use crate::home::TempHome;
use crate::pipes::{Pipes, ReadOutput};
use crate::process::Process;
use crate::trace::Trace;
use crate::tree::Tree;

/// How long a process that has closed its output may take to exit before that is called
/// [`Ended::OutputClosed`].
const EXIT_GRACE: Duration = Duration::from_millis(250);

/// How long what an agent started may hold its output open after the agent has exited, before
/// that is told. Children that end because it did take a moment.
const CHILDREN_GRACE: Duration = Duration::from_millis(50);

/// How often to ask for the exit of a process where it cannot be polled for.
const LOOK_SLICE: Duration = Duration::from_millis(20);
const LOOK_SLICE_AT_THE_END: Duration = Duration::from_millis(1);

/// How often to look whether the user wants to stop.
const STOP_SLICE: Duration = Duration::from_millis(50);

/// How much is read after the exit. A pipe holds less; more comes from a process that the agent
/// left behind.
const AFTER_EXIT_MAX_BYTES: usize = 1 << 20;

/// The longest time an agent gets between TERM and KILL.
const TERM_PATIENCE_MAX: Duration = Duration::from_secs(1);

/// How long a killed process may take to be gone; only one stuck in the kernel takes long.
const KILL_PATIENCE: Duration = Duration::from_secs(2);

/// A connection to a child process. There are no threads: pipes are read and written while the
/// caller waits in [`Connection::receive`] or [`Connection::finish`].
pub(crate) struct ChildConnection {
    process: Process,
    tree: Tree,
    pipes: Pipes,
    stdout_closed_at: Option<Instant>,
    after_exit_bytes: usize,
    ended: Option<Ended>,
    finished: bool,
    left_output_open: bool,
    stop: Arc<AtomicBool>,
    /// Removed when the last connection and command that use it are gone.
    _home: Option<Arc<TempHome>>,
}

impl ChildConnection {
    pub(crate) fn new(
        process: Process,
        tree: Tree,
        pipes: Pipes,
        home: Option<Arc<TempHome>>,
        stop: Arc<AtomicBool>,
    ) -> ChildConnection {
        ChildConnection {
            process,
            tree,
            pipes,
            stdout_closed_at: None,
            after_exit_bytes: 0,
            ended: None,
            finished: false,
            left_output_open: false,
            stop,
            _home: home,
        }
    }

    /// Waits for the pipes or the exit, until `deadline` at the latest, and sees what changed.
    fn pump(&mut self, now: Instant, deadline: Instant, late: bool) {
        let mut timeout = deadline.saturating_duration_since(now);
        if self.process.exit_fd().is_none() {
            let at_the_end = self.stdout_closed_at.is_some();
            timeout = timeout.min(if at_the_end { LOOK_SLICE_AT_THE_END } else { LOOK_SLICE });
        }
        let exited = self.pipes.pump(timeout, self.process.exit_fd(), late);
        if exited || self.process.exit_fd().is_none() {
            self.process.look();
        }
        if self.stdout_closed_at.is_none() && !self.pipes.stdout_is_open() {
            self.stdout_closed_at = Some(Instant::now());
        }
    }

    /// Waits for the exit, reading whatever comes.
    fn wait_for_exit(&mut self, deadline: Instant) -> Option<Ended> {
        loop {
            let now = Instant::now();
            if self.process.look().is_some() || now >= deadline {
                return self.process.exit();
            }
            self.pump(now, deadline, true);
        }
    }

    /// Reads what the process left in its pipe. Says whether that was all.
    fn read_leftovers(&mut self, late: bool) -> bool {
        while late || self.pipes.has_room() {
            match self.pipes.read_stdout(late) {
                ReadOutput::Bytes(count) => self.after_exit_bytes += count,
                ReadOutput::Nothing | ReadOutput::Closed => return true,
            }
            if self.after_exit_bytes >= AFTER_EXIT_MAX_BYTES {
                return true;
            }
        }
        false
    }

    /// Reads what comes after the exit. Whether the output is closed before `deadline`.
    fn output_ends(&mut self, deadline: Instant) -> bool {
        while self.pipes.stdout_is_open() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.after_exit_bytes >= AFTER_EXIT_MAX_BYTES {
                return false;
            }
            self.after_exit_bytes += self.pipes.wait_for_output(left);
        }
        true
    }

    fn end(&mut self, ended: Ended, late: bool) {
        self.pipes.end_stdout(late);
        for _ in 0..AFTER_EXIT_MAX_BYTES >> 16 {
            if !self.pipes.read_stderr() {
                break;
            }
        }
        if self.ended != Some(ended) {
            self.ended = Some(ended);
            self.pipes.recorder.ended(ended);
        }
    }
}

impl Connection for ChildConnection {
    fn send(&mut self, bytes: &[u8]) {
        self.pipes.send(bytes);
    }

    fn receive(&mut self, deadline: Instant) -> Received {
        loop {
            if self.ended.is_none() && self.stop.load(Ordering::Relaxed) {
                return Received::Ended(Ended::Stopped { forced: false });
            }
            if let Some(received) = self.pipes.next_waiting() {
                return received;
            }
            if let Some(ended) = self.ended {
                return Received::Ended(ended);
            }
            if let Some(exit) = self.process.exit() {
                if self.read_leftovers(false) {
                    self.pipes.drop_stdin();
                    self.end(exit, false);
                }
                continue;
            }
            let now = Instant::now();
            let slice = deadline.min(now + STOP_SLICE);
            match self.stdout_closed_at {
                None => self.pump(now, slice, false),
                Some(at) if now >= at + EXIT_GRACE => {
                    self.end(Ended::OutputClosed, false);
                    continue;
                }
                Some(at) => self.pump(now, slice.min(at + EXIT_GRACE), false),
            }
            let idle = !self.pipes.any_waiting() && self.process.exit().is_none();
            if idle && now >= deadline {
                return Received::Quiet;
            }
        }
    }

    fn close_input(&mut self) {
        self.pipes.close_stdin();
    }

    fn finish(&mut self, patience: Duration) -> Ended {
        if let (true, Some(ended)) = (self.finished, self.ended) {
            return ended;
        }
        self.pipes.close_stdin();
        let mut stopped = None;
        if self.wait_for_exit(Instant::now() + patience).is_none() {
            self.tree.remember();
            self.tree.terminate_group();
            stopped = Some(Ended::Stopped { forced: false });
            let term_patience = patience.min(TERM_PATIENCE_MAX);
            if self.wait_for_exit(Instant::now() + term_patience).is_none() {
                self.process.kill();
                self.tree.kill_group();
                stopped = Some(Ended::Stopped { forced: true });
                self.wait_for_exit(Instant::now() + KILL_PATIENCE);
            }
        }
        if stopped.is_none() {
            self.left_output_open = !self.output_ends(Instant::now() + CHILDREN_GRACE);
        }
        self.tree.kill_all();
        self.pipes.drop_stdin();
        self.read_leftovers(true);
        let ended = stopped.or(self.process.exit()).unwrap_or(Ended::Stopped { forced: true });
        self.end(ended, true);
        self.process.reap();
        self.finished = true;
        ended
    }

    fn trace(&self) -> &Trace {
        self.pipes.recorder.trace()
    }

    fn stderr_tail(&self) -> String {
        self.pipes.stderr_tail()
    }

    fn unsent_bytes(&self) -> usize {
        self.pipes.unsent_bytes()
    }

    fn unread_bytes(&self) -> usize {
        self.pipes.unread_bytes()
    }

    fn left_output_open(&self) -> bool {
        self.left_output_open
    }
}

impl Drop for ChildConnection {
    fn drop(&mut self) {
        if !self.finished {
            self.tree.remember();
            self.process.kill();
            self.tree.kill_all();
            self.wait_for_exit(Instant::now() + KILL_PATIENCE);
            self.process.reap();
        }
    }
}
