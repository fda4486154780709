use std::{
    collections::VecDeque,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use acp_harness::{
    Connection, Ended, Implementation, Line, LineEnd, Lines, Received, Side, StartError, Trace,
};
use agent_client_protocol::{ByteStreams, Result};

use crate::pipe::{AgentInput, AgentOutput};

/// How often an agent may wake itself without printing a line before it is taken for idle.
const POLLS_WITHOUT_OUTPUT: usize = 100_000;

/// The exit code of a Rust program whose `main` returns an error.
const ERROR_EXIT_CODE: i32 = 1;

/// The exit code of a Rust program that panicked.
const PANIC_EXIT_CODE: i32 = 101;

/// The agents of this crate, each connection in this process.
///
/// The SDK needs no runtime, so there is none: no thread, no clock. The agent runs while
/// the client receives, one poll of its whole connection at a time and only until it has
/// printed something. Several lines sent in a row are on their way together, and what the
/// client sends on seeing a line can still meet the work that printed it. All of this
/// depends on the order of the calls alone. Nothing printed and nobody woken is
/// [`Received::Quiet`], at once.
///
/// Bytes go through the SDK's own reader of lines, so a line that is not UTF-8 ends the
/// agent as it ends the program: with exit code 1.
///
/// ```
/// use std::time::Instant;
/// use acp_harness::{Implementation, Received};
/// use acp_interop_rust_sdk::RustSdk;
///
/// let mut connection = RustSdk::V2.start().unwrap();
/// connection.send(b"{\n");
/// let Received::Line(answer) = connection.receive(Instant::now()) else { panic!() };
/// assert!(String::from_utf8(answer).unwrap().contains("-32700"));
/// assert_eq!(connection.receive(Instant::now()), Received::Quiet);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RustSdk {
    /// [`crate::agent_v1`].
    V1,
    /// [`crate::agent_v2`].
    V2,
}

impl Implementation for RustSdk {
    fn start(&self) -> Result<Box<dyn Connection>, StartError> {
        let input = AgentInput::default();
        let output = AgentOutput::default();
        let transport = ByteStreams::new(output.clone(), input.clone());
        let agent: Agent = match self {
            RustSdk::V1 => Box::pin(crate::agent_v1().connect_to(transport)),
            RustSdk::V2 => Box::pin(crate::agent_v2().connect_to(transport)),
        };
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        Ok(Box::new(InProcessConnection {
            agent: Some(agent),
            waker: woken.clone().into(),
            woken,
            input,
            output,
            started: Instant::now(),
            sent: Lines::with_limit(usize::MAX),
            input_closed: false,
            printed: Lines::new(),
            ready: VecDeque::new(),
            ended: None,
            last_words: String::new(),
            unsent_bytes: 0,
            trace: Trace::new(),
        }))
    }

    fn name(&self) -> String {
        match self {
            RustSdk::V1 => "Rust SDK, v1, in process".to_owned(),
            RustSdk::V2 => "Rust SDK, v2, in process".to_owned(),
        }
    }
}

type Agent = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Woken>) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wake_by_ref(self: &Arc<Woken>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct InProcessConnection {
    /// None once it has ended.
    agent: Option<Agent>,
    woken: Arc<Woken>,
    waker: Waker,
    input: AgentInput,
    output: AgentOutput,
    started: Instant,
    /// What the client sent, for the trace.
    sent: Lines,
    input_closed: bool,
    /// What the agent printed.
    printed: Lines,
    ready: VecDeque<Received>,
    ended: Option<Ended>,
    /// What the program would have written to its standard error.
    last_words: String,
    unsent_bytes: usize,
    trace: Trace,
}

impl InProcessConnection {
    /// Lets the agent run until it prints a line, ends, or waits for input.
    fn run(&mut self) {
        for _ in 0..POLLS_WITHOUT_OUTPUT {
            if !self.ready.is_empty() || !self.woken.0.swap(false, Ordering::Relaxed) {
                return;
            }
            let Some(agent) = &mut self.agent else { return };
            let mut context = Context::from_waker(&self.waker);
            let poll = catch_unwind(AssertUnwindSafe(|| agent.as_mut().poll(&mut context)));
            self.take_output();
            match poll {
                Ok(Poll::Pending) => {}
                Ok(Poll::Ready(Ok(()))) => self.end(Ended::Exit(0)),
                Ok(Poll::Ready(Err(error))) => {
                    self.last_words = format!("Error: {error:?}");
                    self.end(Ended::Exit(ERROR_EXIT_CODE));
                }
                Err(payload) => {
                    self.last_words = panic_message(&*payload);
                    self.end(Ended::Exit(PANIC_EXIT_CODE));
                }
            }
        }
    }

    fn take_output(&mut self) {
        let printed = &mut self.printed;
        self.output.take(|bytes| printed.push(bytes));
        while let Some(line) = self.printed.next_line() {
            self.take_line(line);
        }
    }

    fn take_line(&mut self, line: Line) {
        let at_us = self.now_us();
        let limit = self.printed.limit() as u64;
        let (side, trace) = (Side::Agent, &mut self.trace);
        self.ready.push_back(match line {
            Line::Whole(bytes) => {
                trace.record_line(at_us, side, &bytes, LineEnd::Newline);
                Received::Line(bytes)
            }
            Line::Unterminated(bytes) => {
                trace.record_line(at_us, side, &bytes, LineEnd::None);
                Received::Unterminated(bytes)
            }
            Line::Overlong(head) => {
                trace.record_overlong(at_us, &head, limit + 1);
                Received::Overlong(head)
            }
        });
    }

    fn end(&mut self, ended: Ended) {
        // The agent's own drop may panic too.
        let agent = self.agent.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(agent)));
        self.take_output();
        if let Some(rest) = self.printed.end() {
            self.take_line(rest);
        }
        self.record_unfinished();
        self.ended = Some(ended);
        self.trace.record_ended(self.now_us(), ended);
    }

    /// The client will not finish the line that it began, if it did.
    fn record_unfinished(&mut self) {
        if let Some(Line::Unterminated(bytes)) = self.sent.end() {
            let at_us = self.now_us();
            self.trace.record_line(at_us, Side::Client, &bytes, LineEnd::None);
        }
    }

    fn record_unsent(&mut self, bytes: &[u8]) {
        let at_us = self.now_us();
        self.unsent_bytes += bytes.len();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (content, end) = match line.strip_suffix(b"\n") {
                Some(content) => (content, LineEnd::Newline),
                None => (line, LineEnd::None),
            };
            self.trace.record_unsent(at_us, content, end, line.len() as u64);
        }
    }

    fn now_us(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }
}

impl Connection for InProcessConnection {
    fn send(&mut self, bytes: &[u8]) {
        if self.ended.is_some() || self.input_closed {
            self.record_unsent(bytes);
            return;
        }
        self.input.push(bytes);
        let at_us = self.now_us();
        self.sent.push(bytes);
        while let Some(Line::Whole(line)) = self.sent.next_line() {
            self.trace.record_line(at_us, Side::Client, &line, LineEnd::Newline);
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
            self.record_unfinished();
            self.input.close();
        }
    }

    fn finish(&mut self, _patience: Duration) -> Ended {
        self.close_input();
        let mut received = VecDeque::new();
        loop {
            self.run();
            if self.ready.is_empty() && self.ended.is_none() {
                self.end(Ended::Stopped { forced: true });
            }
            received.append(&mut self.ready);
            if let Some(ended) = self.ended {
                self.ready = received;
                return ended;
            }
        }
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn stderr_tail(&self) -> String {
        self.last_words.clone()
    }

    fn unsent_bytes(&self) -> usize {
        self.unsent_bytes
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("(no message)"))
}
