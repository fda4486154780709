use crate::connection::Ended;

/// How many bytes of lines a trace keeps whole. What comes later is shortened.
pub const TRACE_KEPT_BYTES: usize = 16 << 20;

/// A single line longer than this is shortened in the trace, whatever is left of the budget.
pub const TRACE_LONG_LINE_BYTES: usize = 1 << 20;

/// How many bytes of a shortened line are kept.
pub const TRACE_HEAD_BYTES: usize = 256;

/// How many bytes the shortened lines after the budget may take before lines are only counted.
const HEADS_KEPT_BYTES: usize = 4 << 20;

/// What an entry takes besides its bytes, so that a flood of empty lines is bounded too.
const ENTRY_BYTES: usize = size_of::<Entry>();

/// The record of one connection: every line both ways, byte for byte, and how it ended.
///
/// A client's line is recorded when its last byte was written, an agent's line when it was
/// read, so the order is that of the wire. Memory is bounded: after [`TRACE_KEPT_BYTES`] lines
/// keep their first [`TRACE_HEAD_BYTES`] and their length, and after some more they are only
/// counted in [`Trace::left_out`].
///
/// [`Trace::write`] and [`Trace::read`] keep it in a file: one JSON object a line, the first
/// of which names the format.
///
/// ```
/// use acp_harness::{Ended, LineEnd, Side, Trace};
///
/// let mut trace = Trace::new();
/// trace.record_line(0, Side::Client, b"{}", LineEnd::Newline);
/// trace.record_line(90, Side::Agent, b"not \xff UTF-8", LineEnd::None);
/// trace.record_ended(120, Ended::Exit(1));
///
/// let mut file = Vec::new();
/// trace.write(&mut file).unwrap();
/// assert_eq!(Trace::read(file.as_slice()).unwrap(), trace);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    pub(crate) entries: Vec<Entry>,
    pub(crate) left_out: LeftOut,
    pub(crate) kept: Kept,
}

/// One thing in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A line from the client or from the agent.
    Line(LineEntry),
    /// The agent ended. An agent that closed its output and lived on ends once more when it exits.
    Ended {
        /// Microseconds since the connection's start.
        at_us: u64,
        /// How it ended.
        ended: Ended,
    },
}

/// A line in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEntry {
    /// Microseconds since the connection's start.
    pub at_us: u64,
    /// Who wrote it.
    pub from: Side,
    /// The bytes without the newline; only the first ones where `cut_from` is given.
    pub bytes: Vec<u8>,
    /// How the line ended.
    pub end: LineEnd,
    /// The length of the line in bytes, where only the first ones are kept. For a line longer
    /// than a connection reads, the length at which it was given up.
    pub cut_from: Option<u64>,
    /// How many bytes at the end of the line, its newline included, the agent never took: it had
    /// closed its input or was gone.
    pub unsent: u64,
}

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// We did.
    Client,
    /// The implementation under test did.
    Agent,
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// With a newline (a carriage return before it belongs to the line's bytes).
    Newline,
    /// With the end of the stream.
    None,
}

/// What a trace was too full to keep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Lines of which nothing was kept.
    pub lines: u64,
    /// Bytes that were not kept, of these lines and of the shortened ones.
    pub bytes: u64,
}

/// How much of the budget is used. It says nothing about the content, so it is always equal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kept {
    whole_bytes: usize,
    head_bytes: usize,
}

impl PartialEq for Kept {
    fn eq(&self, _: &Kept) -> bool {
        true
    }
}

impl Eq for Kept {}

impl Trace {
    /// An empty trace.
    pub fn new() -> Trace {
        Trace::default()
    }

    /// Everything recorded, in the order of the wire.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The lines among the entries, from both sides.
    pub fn lines(&self) -> impl Iterator<Item = &LineEntry> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Line(line) => Some(line),
            Entry::Ended { .. } => None,
        })
    }

    /// What was too much to keep.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// Records one line (`bytes` without its newline), `at_us` microseconds after the start.
    pub fn record_line(&mut self, at_us: u64, from: Side, bytes: &[u8], end: LineEnd) {
        self.record(at_us, from, bytes, end, bytes.len() as u64, 0);
    }

    /// Records a line of the client of which the agent did not take the last `unsent` bytes,
    /// counting the newline.
    pub fn record_unsent(&mut self, at_us: u64, bytes: &[u8], end: LineEnd, unsent: u64) {
        self.record(at_us, Side::Client, bytes, end, bytes.len() as u64, unsent);
    }

    /// Records a line of the agent that was given up after `length` bytes and begins with `head`.
    pub fn record_overlong(&mut self, at_us: u64, head: &[u8], length: u64) {
        self.record(at_us, Side::Agent, head, LineEnd::Newline, length, 0);
    }

    /// Records how the agent ended.
    pub fn record_ended(&mut self, at_us: u64, ended: Ended) {
        self.entries.push(Entry::Ended { at_us, ended });
    }

    fn record(
        &mut self,
        at_us: u64,
        from: Side,
        bytes: &[u8],
        end: LineEnd,
        length: u64,
        unsent: u64,
    ) {
        let whole_cost = bytes.len() + ENTRY_BYTES;
        let fits = self.kept.whole_bytes + whole_cost <= TRACE_KEPT_BYTES;
        let kept = if fits && length <= TRACE_LONG_LINE_BYTES as u64 {
            self.kept.whole_bytes += whole_cost;
            bytes
        } else {
            let head = head_of(bytes);
            let head_cost = head.len() + ENTRY_BYTES;
            if self.kept.head_bytes + head_cost > HEADS_KEPT_BYTES {
                self.left_out.lines += 1;
                self.left_out.bytes += length;
                return;
            }
            self.kept.head_bytes += head_cost;
            head
        };
        let missing = length - kept.len() as u64;
        self.left_out.bytes += missing;
        self.entries.push(Entry::Line(LineEntry {
            at_us,
            from,
            bytes: kept.to_vec(),
            end,
            cut_from: (missing > 0).then_some(length),
            unsent,
        }));
    }
}

impl Entry {
    /// Microseconds since the connection's start.
    pub fn at_us(&self) -> u64 {
        match self {
            Entry::Line(line) => line.at_us,
            Entry::Ended { at_us, .. } => *at_us,
        }
    }
}

/// The first bytes of a line, without half a character at their end.
fn head_of(bytes: &[u8]) -> &[u8] {
    let head = &bytes[..bytes.len().min(TRACE_HEAD_BYTES)];
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() && head.len() < bytes.len() => {
            &head[..error.valid_up_to()]
        }
        _ => head,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_line(trace: &Trace) -> &LineEntry {
        trace.lines().last().expect("a line was recorded")
    }

    #[test]
    fn a_long_line_keeps_its_head_and_its_length() {
        let mut trace = Trace::new();
        let line = vec![b'a'; TRACE_LONG_LINE_BYTES + 1];
        trace.record_line(1, Side::Agent, &line, LineEnd::Newline);
        assert_eq!(last_line(&trace).bytes.len(), TRACE_HEAD_BYTES);
        assert_eq!(last_line(&trace).cut_from, Some(line.len() as u64));
        assert_eq!(trace.left_out().lines, 0);
        assert_eq!(trace.left_out().bytes, (line.len() - TRACE_HEAD_BYTES) as u64);
    }

    #[test]
    fn a_head_does_not_end_in_half_a_character() {
        let mut trace = Trace::new();
        let line = format!("{}é{}", "a".repeat(TRACE_HEAD_BYTES - 1), "b".repeat(1 << 20));
        trace.record_line(1, Side::Agent, line.as_bytes(), LineEnd::Newline);
        assert_eq!(last_line(&trace).bytes.len(), TRACE_HEAD_BYTES - 1);
    }

    #[test]
    fn a_flood_is_bounded_and_counted() {
        for line in [&[b'a'; 1000][..], &[b'a'; 100], b""] {
            let mut trace = Trace::new();
            let lines = 400_000;
            for at_us in 0..lines {
                trace.record_line(at_us, Side::Agent, line, LineEnd::Newline);
            }
            trace.record_ended(lines, Ended::Exit(0));
            let held: usize = trace.lines().map(|line| line.bytes.len() + ENTRY_BYTES).sum();
            assert!(held <= TRACE_KEPT_BYTES + HEADS_KEPT_BYTES, "{held}");
            assert_eq!(trace.lines().count() as u64 + trace.left_out().lines, lines);
            let kept: usize = trace.lines().map(|line| line.bytes.len()).sum();
            assert_eq!(kept as u64 + trace.left_out().bytes, lines * line.len() as u64);
            assert!(matches!(trace.entries().last(), Some(Entry::Ended { .. })));
        }
    }
}
