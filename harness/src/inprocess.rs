use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::connection::{Connection, Ended, Implementation, Received, StartError};
use crate::lines::{Line, Lines};
use crate::recorder::Recorder;
use crate::trace::Trace;

/// The exit code of an agent that panicked, as that of a Rust program.
const PANIC_EXIT_CODE: i32 = 101;

/// An agent in this process that takes one line at a time.
pub trait LineAgent {
    /// Takes one line (without its newline) and appends whatever it prints to `out`, newlines
    /// included: nothing, a line, several, or bytes that are none.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> AgentFlow;

    /// The input has ended. Appends what is still printed and returns the exit code.
    fn end_of_input(&mut self, out: &mut Vec<u8>) -> i32 {
        let _ = out;
        0
    }
}

/// What an agent does after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentFlow {
    /// It reads the next line.
    Continue,
    /// It exits with this code.
    Exit(i32),
}

/// An agent in this process as an [`Implementation`]: no child process, no waiting.
///
/// The agent runs when the client receives, not when it sends. Several lines sent in a row are
/// therefore all on their way before the first is answered, as with a process. A panic of the
/// agent ends it with exit code 101; its message is the agent's standard error.
///
/// ```
/// use std::time::Instant;
/// use acp_harness::{AgentFlow, Implementation, InProcess, LineAgent, Received};
///
/// struct Echo;
/// impl LineAgent for Echo {
///     fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> AgentFlow {
///         out.extend_from_slice(line);
///         out.push(b'\n');
///         AgentFlow::Continue
///     }
/// }
///
/// let echo = InProcess::new("echo", || Box::new(Echo));
/// let mut connection = echo.start().unwrap();
/// connection.send(b"hello\n");
/// assert_eq!(connection.receive(Instant::now()), Received::Line(b"hello".to_vec()));
/// assert_eq!(connection.receive(Instant::now()), Received::Quiet);
/// ```
pub struct InProcess<F> {
    name: String,
    factory: F,
}

impl<F: Fn() -> Box<dyn LineAgent> + Sync> InProcess<F> {
    /// `factory` makes a new agent for each connection.
    pub fn new(name: impl Into<String>, factory: F) -> InProcess<F> {
        InProcess { name: name.into(), factory }
    }
}

impl<F: Fn() -> Box<dyn LineAgent> + Sync> Implementation for InProcess<F> {
    fn start(&self) -> Result<Box<dyn Connection>, StartError> {
        Ok(Box::new(InProcessConnection {
            agent: Some((self.factory)()),
            input: Lines::with_limit(usize::MAX),
            input_closed: false,
            waiting: VecDeque::new(),
            printed: Vec::new(),
            output: Lines::new(),
            ready: VecDeque::new(),
            ended: None,
            recorder: Recorder::start(),
            panic_message: String::new(),
        }))
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

struct InProcessConnection {
    /// None once it has ended.
    agent: Option<Box<dyn LineAgent>>,
    input: Lines,
    input_closed: bool,
    /// Lines that the agent has not read yet.
    waiting: VecDeque<Vec<u8>>,
    /// What the agent prints, reused from line to line.
    printed: Vec<u8>,
    output: Lines,
    ready: VecDeque<Received>,
    ended: Option<Ended>,
    recorder: Recorder,
    panic_message: String,
}

impl InProcessConnection {
    /// Lets the agent read until it prints a line, ends, or has nothing more to read.
    fn run(&mut self) {
        while self.ready.is_empty() {
            let Some(agent) = &mut self.agent else { return };
            let printed = &mut self.printed;
            let step = if let Some(line) = self.waiting.pop_front() {
                catch_unwind(AssertUnwindSafe(|| agent.line(&line, printed)))
            } else if self.input_closed {
                catch_unwind(AssertUnwindSafe(|| AgentFlow::Exit(agent.end_of_input(printed))))
            } else {
                return;
            };
            let flow = step.unwrap_or_else(|payload| {
                self.panic_message = panic_message(&*payload);
                AgentFlow::Exit(PANIC_EXIT_CODE)
            });
            self.output.push(&self.printed);
            self.printed.clear();
            while let Some(line) = self.output.next_line() {
                self.take(line);
            }
            if let AgentFlow::Exit(code) = flow {
                if let Some(rest) = self.output.end() {
                    self.take(rest);
                }
                self.end(Ended::Exit(code));
            }
        }
    }

    fn take(&mut self, line: Line) {
        self.recorder.received(&line, self.output.limit());
        self.ready.push_back(line.into());
    }

    fn end(&mut self, ended: Ended) {
        // The agent's own drop may panic too.
        let agent = self.agent.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(agent)));
        self.waiting.clear();
        self.recorder.unterminated_input();
        self.ended = Some(ended);
        self.recorder.ended(ended);
    }
}

impl Connection for InProcessConnection {
    fn send(&mut self, bytes: &[u8]) {
        if self.ended.is_some() || self.input_closed {
            self.recorder.unsent(bytes);
            return;
        }
        self.recorder.sent(bytes);
        self.input.push(bytes);
        while let Some(line) = self.input.next_line() {
            self.waiting.extend(content(line));
        }
    }

    fn receive(&mut self, _deadline: Instant) -> Received {
        self.run();
        match (self.ready.pop_front(), self.ended) {
            (Some(received), _) => received,
            (None, Some(ended)) => Received::Ended(ended),
            (None, None) => Received::Quiet,
        }
    }

    fn close_input(&mut self) {
        if !self.input_closed {
            self.input_closed = true;
            self.recorder.unterminated_input();
            self.waiting.extend(self.input.end().and_then(content));
        }
    }

    fn finish(&mut self, _patience: Duration) -> Ended {
        self.close_input();
        let mut received = VecDeque::new();
        loop {
            self.run();
            received.append(&mut self.ready);
            if let Some(ended) = self.ended {
                self.ready = received;
                return ended;
            }
        }
    }

    fn trace(&self) -> &Trace {
        self.recorder.trace()
    }

    fn stderr_tail(&self) -> String {
        self.panic_message.clone()
    }

    fn unsent_bytes(&self) -> usize {
        self.recorder.unsent_bytes()
    }
}

/// What an agent reads of a line.
fn content(line: Line) -> Option<Vec<u8>> {
    match line {
        Line::Whole(bytes) | Line::Unterminated(bytes) => Some(bytes),
        Line::Overlong(_) => None,
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("(no message)"))
}
