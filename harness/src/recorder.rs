use std::time::Instant;

use crate::connection::{Ended, Received};
use crate::lines::Line;
use crate::trace::{LineEnd, Side, Trace};

/// Keeps the trace of one connection, and the times since its start.
pub(crate) struct Recorder {
    started: Instant,
    trace: Trace,
    /// The beginning of a client's line whose newline was not sent yet.
    unfinished: Vec<u8>,
    unsent_bytes: usize,
}

impl Recorder {
    pub(crate) fn start() -> Recorder {
        Recorder {
            started: Instant::now(),
            trace: Trace::new(),
            unfinished: Vec::new(),
            unsent_bytes: 0,
        }
    }

    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }

    /// How many bytes were recorded with [`Recorder::unsent`].
    pub(crate) fn unsent_bytes(&self) -> usize {
        self.unsent_bytes
    }

    /// The agent's input took these bytes.
    pub(crate) fn sent(&mut self, bytes: &[u8]) {
        let at_us = self.now_us();
        let mut rest = bytes;
        while let Some(newline) = memchr::memchr(b'\n', rest) {
            let mut line = &rest[..newline];
            if !self.unfinished.is_empty() {
                self.unfinished.extend_from_slice(line);
                line = &self.unfinished;
            }
            self.trace.record_line(at_us, Side::Client, line, LineEnd::Newline);
            self.unfinished.clear();
            rest = &rest[newline + 1..];
        }
        self.unfinished.extend_from_slice(rest);
    }

    /// The agent will never take these bytes. They follow on those already sent.
    pub(crate) fn unsent(&mut self, bytes: &[u8]) {
        let at_us = self.now_us();
        self.unsent_bytes += bytes.len();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (content, end) = match line.strip_suffix(b"\n") {
                Some(content) => (content, LineEnd::Newline),
                None => (line, LineEnd::None),
            };
            self.unfinished.extend_from_slice(content);
            self.trace.record_unsent(at_us, &self.unfinished, end, line.len() as u64);
            self.unfinished.clear();
        }
    }

    /// The client will not finish the line that it began, if it did.
    pub(crate) fn unterminated_input(&mut self) {
        if !self.unfinished.is_empty() {
            let at_us = self.now_us();
            self.trace.record_line(at_us, Side::Client, &self.unfinished, LineEnd::None);
            self.unfinished.clear();
        }
    }

    /// The agent printed this line; lines longer than `limit` are given up.
    pub(crate) fn received(&mut self, line: &Line, limit: usize) {
        let at_us = self.now_us();
        let trace = &mut self.trace;
        match line {
            Line::Whole(bytes) => trace.record_line(at_us, Side::Agent, bytes, LineEnd::Newline),
            Line::Unterminated(bytes) => {
                trace.record_line(at_us, Side::Agent, bytes, LineEnd::None);
            }
            Line::Overlong(head) => trace.record_overlong(at_us, head, limit as u64 + 1),
        }
    }

    /// The agent printed a line that is only counted.
    pub(crate) fn left_out(&mut self, line: &Line) {
        let (Line::Whole(bytes) | Line::Unterminated(bytes) | Line::Overlong(bytes)) = line;
        self.trace.left_out.lines += 1;
        self.trace.left_out.bytes += bytes.len() as u64;
    }

    pub(crate) fn ended(&mut self, ended: Ended) {
        let at_us = self.now_us();
        self.trace.record_ended(at_us, ended);
    }

    fn now_us(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }
}

impl From<Line> for Received {
    fn from(line: Line) -> Received {
        match line {
            Line::Whole(bytes) => Received::Line(bytes),
            Line::Overlong(head) => Received::Overlong(head),
            Line::Unterminated(bytes) => Received::Unterminated(bytes),
        }
    }
}
