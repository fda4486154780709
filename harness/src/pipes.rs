use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::connection::Received;
use crate::lines::{Line, Lines};
use crate::recorder::Recorder;

/// How much is read or written at once.
const CHUNK_BYTES: usize = 64 << 10;

/// Standard output is not read while lines of more than this wait to be received.
const WAITING_MAX_BYTES: usize = 1 << 20;

/// While an agent is being ended its output is read whether anyone receives it or not; lines
/// beyond this are only counted in the trace.
const LATE_MAX_BYTES: usize = 2 << 20;

/// What a waiting line costs besides its bytes, so that a flood of empty lines is bounded too.
const WAITING_LINE_BYTES: usize = size_of::<Received>();

const STDERR_TAIL_BYTES: usize = 8 << 10;

/// How long to wait for standard output alone. Each pipe that is waited for costs some tenths of
/// a microsecond, and an agent's answer is a matter of few.
const OUTPUT_ALONE: Duration = Duration::from_millis(1);

/// How many times in a row the other pipes are not looked at because standard output had
/// something.
const OUTPUT_ALONE_MAX: u32 = 16;

/// The three pipes of a child, none of which ever blocks us, and what waits at their ends.
pub(crate) struct Pipes {
    stdin: Option<ChildStdin>,
    /// What the agent has not taken yet, from `queue_start` on.
    queue: Vec<u8>,
    queue_start: usize,
    /// Standard input ends when the queue is empty.
    closing: bool,
    /// What nobody had read of it when it was closed.
    unread_bytes: usize,
    stdout: Option<ChildStdout>,
    lines: Lines,
    waiting: VecDeque<Received>,
    waiting_bytes: usize,
    stderr: Option<ChildStderr>,
    stderr_tail: Vec<u8>,
    chunk: Box<[u8]>,
    output_alone: u32,
    pub(crate) recorder: Recorder,
}

/// What came of reading standard output once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOutput {
    /// So many bytes.
    Bytes(usize),
    /// Nothing is there now.
    Nothing,
    /// It is closed.
    Closed,
}

impl Pipes {
    /// Takes the pipes of `child`, which was started with all three piped.
    pub(crate) fn of(child: &mut Child) -> io::Result<Pipes> {
        let pipes = Pipes {
            stdin: child.stdin.take(),
            queue: Vec::new(),
            queue_start: 0,
            closing: false,
            unread_bytes: 0,
            stdout: child.stdout.take(),
            lines: Lines::new(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            stderr: child.stderr.take(),
            stderr_tail: Vec::new(),
            chunk: vec![0; CHUNK_BYTES].into(),
            output_alone: 0,
            recorder: Recorder::start(),
        };
        // Only our ends: the child's are other descriptions and block as it expects.
        let ours = [
            pipes.stdin.as_ref().map(AsFd::as_fd),
            pipes.stdout.as_ref().map(AsFd::as_fd),
            pipes.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in ours.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(pipes)
    }

    /// Writes what the pipe takes now and queues the rest.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        if self.stdin.is_none() || self.closing {
            self.recorder.unsent(bytes);
            return;
        }
        if self.queued_bytes() > 0 {
            self.queue.extend_from_slice(bytes);
            self.write_queue();
            return;
        }
        let written = self.write(bytes);
        self.recorder.sent(&bytes[..written]);
        let rest = &bytes[written..];
        if self.stdin.is_some() {
            self.queue.extend_from_slice(rest);
        } else if !rest.is_empty() {
            self.recorder.unsent(rest);
        }
    }

    /// Ends standard input when the queue has been written.
    pub(crate) fn close_stdin(&mut self) {
        self.closing = true;
        if self.queued_bytes() == 0 {
            self.drop_stdin();
        }
    }

    /// Ends standard input now. What is still queued will never be sent.
    pub(crate) fn drop_stdin(&mut self) {
        if let Some(pipe) = self.stdin.take() {
            // Linux tells it at both ends of a pipe; elsewhere it is 0 or an error.
            let unread = rustix::io::ioctl_fionread(&pipe).unwrap_or(0);
            self.unread_bytes = usize::try_from(unread).unwrap_or(usize::MAX);
        }
        if self.queued_bytes() > 0 {
            self.recorder.unsent(&self.queue[self.queue_start..]);
        }
        self.recorder.unterminated_input();
        self.queue = Vec::new();
        self.queue_start = 0;
    }

    fn queued_bytes(&self) -> usize {
        self.queue.len() - self.queue_start
    }

    /// Bytes that the agent did not take, yet or ever.
    pub(crate) fn unsent_bytes(&self) -> usize {
        self.queued_bytes() + self.recorder.unsent_bytes()
    }

    /// Bytes that nobody had read when standard input was closed.
    pub(crate) fn unread_bytes(&self) -> usize {
        self.unread_bytes
    }

    /// The next line that was read.
    pub(crate) fn next_waiting(&mut self) -> Option<Received> {
        let received = self.waiting.pop_front()?;
        self.waiting_bytes -= cost(&received);
        Some(received)
    }

    pub(crate) fn any_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn stdout_is_open(&self) -> bool {
        self.stdout.is_some()
    }

    pub(crate) fn stderr_tail(&self) -> String {
        let start = self.stderr_tail.len().saturating_sub(STDERR_TAIL_BYTES);
        String::from_utf8_lossy(&self.stderr_tail[start..]).into_owned()
    }

    /// Waits until some pipe can be read or written, or `exit` can be read, but not longer than
    /// `timeout`, and reads and writes each of them once. Standard output is left alone while
    /// too many lines wait, unless `late`. Says whether `exit` can be read.
    pub(crate) fn pump(
        &mut self,
        timeout: Duration,
        exit: Option<BorrowedFd<'_>>,
        late: bool,
    ) -> bool {
        let mut timeout = timeout;
        let reads_stdout = self.stdout.is_some() && (late || self.has_room());
        let worth_it = reads_stdout && self.queued_bytes() == 0 && timeout > OUTPUT_ALONE;
        if worth_it && self.output_alone < OUTPUT_ALONE_MAX {
            if self.stdout_is_readable(OUTPUT_ALONE) {
                self.output_alone += 1;
                self.read_stdout(late);
                return false;
            }
            timeout -= OUTPUT_ALONE;
        }
        self.output_alone = 0;
        let stdin = self.stdin.as_ref().filter(|_| self.queued_bytes() > 0);
        let stdout = self.stdout.as_ref().filter(|_| reads_stdout);
        let stderr = self.stderr.as_ref();
        let watched = [
            stdin.map(|pipe| PollFd::new(pipe, PollFlags::OUT)),
            stdout.map(|pipe| PollFd::new(pipe, PollFlags::IN)),
            stderr.map(|pipe| PollFd::new(pipe, PollFlags::IN)),
            exit.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        ];
        let places = watched.each_ref().map(Option::is_some);
        let mut polled: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        let timeout = Timespec::try_from(timeout).ok();
        // An interruption (EINTR) is as good as a timeout: the caller looks at the time.
        if !matches!(poll(&mut polled, timeout.as_ref()), Ok(1..)) {
            return false;
        }
        let mut events = polled.iter().map(|fd| !fd.revents().is_empty());
        let [stdin, stdout, stderr, exit] = places.map(|is| is && events.next() == Some(true));
        drop(events);
        if stdin {
            self.write_queue();
        }
        if stdout {
            self.read_stdout(late);
        }
        if stderr {
            self.read_stderr();
        }
        exit
    }

    /// Waits for standard output alone and reads it, whoever receives it. How much came.
    pub(crate) fn wait_for_output(&mut self, timeout: Duration) -> usize {
        match self.stdout_is_readable(timeout).then(|| self.read_stdout(true)) {
            Some(ReadOutput::Bytes(count)) => count,
            _ => 0,
        }
    }

    fn stdout_is_readable(&self, timeout: Duration) -> bool {
        let Some(pipe) = &self.stdout else { return false };
        let timeout = Timespec::try_from(timeout).ok();
        matches!(poll(&mut [PollFd::new(pipe, PollFlags::IN)], timeout.as_ref()), Ok(1..))
    }

    /// Reads what standard output has now, once, and splits it into lines.
    pub(crate) fn read_stdout(&mut self, late: bool) -> ReadOutput {
        let Some(pipe) = &self.stdout else { return ReadOutput::Closed };
        match rustix::io::read(pipe, &mut *self.chunk) {
            Ok(0) => {}
            Ok(count) => {
                self.lines.push(&self.chunk[..count]);
                while let Some(line) = self.lines.next_line() {
                    self.take(line, late);
                }
                return ReadOutput::Bytes(count);
            }
            Err(Errno::AGAIN | Errno::INTR) => return ReadOutput::Nothing,
            Err(_) => {}
        }
        self.end_stdout(late);
        ReadOutput::Closed
    }

    /// Reads standard output no more. What came after the last newline is a line of its own.
    pub(crate) fn end_stdout(&mut self, late: bool) {
        self.stdout = None;
        if let Some(rest) = self.lines.end() {
            self.take(rest, late);
        }
    }

    /// Whether it makes sense to read standard output now.
    pub(crate) fn has_room(&self) -> bool {
        self.waiting_bytes < WAITING_MAX_BYTES
    }

    fn take(&mut self, line: Line, late: bool) {
        if late && self.waiting_bytes >= LATE_MAX_BYTES {
            self.recorder.left_out(&line);
            return;
        }
        self.recorder.received(&line, self.lines.limit());
        let received = Received::from(line);
        self.waiting_bytes += cost(&received);
        self.waiting.push_back(received);
    }

    /// Reads standard error once. Says whether it is worth trying again.
    pub(crate) fn read_stderr(&mut self) -> bool {
        let Some(pipe) = &self.stderr else { return false };
        match rustix::io::read(pipe, &mut *self.chunk) {
            Ok(count @ 1..) => {
                let read = &self.chunk[count.saturating_sub(STDERR_TAIL_BYTES)..count];
                if self.stderr_tail.len() + read.len() > 2 * STDERR_TAIL_BYTES {
                    let extra = self.stderr_tail.len() - STDERR_TAIL_BYTES;
                    self.stderr_tail.drain(..extra);
                }
                self.stderr_tail.extend_from_slice(read);
                true
            }
            Err(Errno::AGAIN | Errno::INTR) => false,
            Ok(_) | Err(_) => {
                self.stderr = None;
                false
            }
        }
    }

    fn write_queue(&mut self) {
        let queue = std::mem::take(&mut self.queue);
        let written = self.write(&queue[self.queue_start..]);
        self.recorder.sent(&queue[self.queue_start..][..written]);
        self.queue = queue;
        self.queue_start += written;
        if self.queued_bytes() == 0 {
            self.queue.clear();
            self.queue_start = 0;
        } else if self.queue_start > self.queue.len() / 2 {
            self.queue.drain(..self.queue_start);
            self.queue_start = 0;
        }
        if self.stdin.is_none() || (self.closing && self.queue.is_empty()) {
            self.drop_stdin();
        }
    }

    /// Writes to standard input once; how much it took. It is dropped if nobody reads it.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(pipe) = &self.stdin else { return 0 };
        match rustix::io::write(pipe, bytes) {
            Ok(count) => count,
            Err(Errno::AGAIN | Errno::INTR) => 0,
            Err(_) => {
                self.stdin = None;
                0
            }
        }
    }
}

fn cost(received: &Received) -> usize {
    let bytes = match received {
        Received::Line(bytes) | Received::Unterminated(bytes) | Received::Overlong(bytes) => bytes,
        Received::Quiet | Received::Ended(_) => return WAITING_LINE_BYTES,
    };
    bytes.len() + WAITING_LINE_BYTES
}
