/// A line longer than this is not kept whole, unless [`Lines::with_limit`] says otherwise.
pub const MAX_LINE_BYTES: usize = 8 << 20;

/// How many bytes of a line that is too long are kept.
pub const OVERLONG_HEAD_BYTES: usize = 64 << 10;

/// One line that [`Lines`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line without its newline.
    Whole(Vec<u8>),
    /// The first bytes of a line that passed the limit. It is yielded as soon as that is known,
    /// and nothing else of this line follows.
    Overlong(Vec<u8>),
    /// The last bytes before the end of the stream, with no newline after them.
    Unterminated(Vec<u8>),
}

/// Splits a stream of bytes into lines, in bounded memory: at most the limit and what was pushed
/// since the last [`Lines::next_line`].
///
/// Where the stream was cut into pieces makes no difference to the lines.
///
/// ```
/// use acp_harness::{Line, Lines};
///
/// let mut lines = Lines::new();
/// lines.push(b"one\ntw");
/// assert_eq!(lines.next_line(), Some(Line::Whole(b"one".to_vec())));
/// assert_eq!(lines.next_line(), None);
/// lines.push(b"o");
/// assert_eq!(lines.end(), Some(Line::Unterminated(b"two".to_vec())));
/// ```
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    /// Bytes not yet yielded, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// There is no newline before this place.
    searched: usize,
    /// Within a line that was too long, until its newline.
    skipping: bool,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::new()
    }
}

impl Lines {
    /// Lines of at most [`MAX_LINE_BYTES`].
    pub fn new() -> Lines {
        Lines::with_limit(MAX_LINE_BYTES)
    }

    /// Lines of at most `limit` bytes, their newline not counted.
    pub fn with_limit(limit: usize) -> Lines {
        Lines { limit, buffer: Vec::new(), start: 0, searched: 0, skipping: false }
    }

    /// The longest line that is yielded whole, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Adds the next bytes of the stream.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.skipping {
            let Some(newline) = memchr::memchr(b'\n', bytes) else { return };
            self.skipping = false;
            bytes = &bytes[newline + 1..];
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next line, if one is there.
    pub fn next_line(&mut self) -> Option<Line> {
        let newline = memchr::memchr(b'\n', &self.buffer[self.searched..]);
        let end = newline.map_or(self.buffer.len(), |at| self.searched + at);
        self.searched = end;
        let line = &self.buffer[self.start..end];
        let line = if line.len() > self.limit {
            self.skipping = newline.is_none();
            Line::Overlong(line[..OVERLONG_HEAD_BYTES.min(self.limit)].to_vec())
        } else if newline.is_some() {
            Line::Whole(line.to_vec())
        } else {
            return None;
        };
        self.start = (end + 1).min(self.buffer.len());
        self.searched = self.start;
        if self.start == self.buffer.len() {
            self.clear();
        }
        Some(line)
    }

    /// What remains at the end of the stream, after [`Lines::next_line`] returned `None`. Nothing
    /// is left then.
    pub fn end(&mut self) -> Option<Line> {
        self.skipping = false;
        let rest = self.buffer[self.start..].to_vec();
        self.clear();
        (!rest.is_empty()).then_some(Line::Unterminated(rest))
    }

    fn clear(&mut self) {
        self.buffer.clear();
        // What one long line needed is not held on to.
        self.buffer.shrink_to(1 << 20);
        self.start = 0;
        self.searched = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(limit: usize, pieces: &[&[u8]]) -> Vec<Line> {
        let mut lines = Lines::with_limit(limit);
        let mut found = Vec::new();
        for piece in pieces {
            lines.push(piece);
            found.extend(std::iter::from_fn(|| lines.next_line()));
        }
        found.extend(lines.end());
        found
    }

    fn whole(bytes: &[u8]) -> Line {
        Line::Whole(bytes.to_vec())
    }

    const STREAMS: &[&[u8]] = &[
        b"",
        b"\n",
        b"\n\n\n",
        b"one\ntwo\n",
        b"one\r\ntwo",
        b"\xff\xfe\n\0\n\xe2\x80\xa8\n",
        b"12345678\n123456789\n1234567890abcdef\n\nlast",
        b"1234567890abcdef",
        b"12345678",
        b"123456789\n\n",
    ];

    #[test]
    fn lines_are_what_stands_between_newlines() {
        assert_eq!(
            split(99, &[b"one\r\n\n\xff\ntwo"]),
            [whole(b"one\r"), whole(b""), whole(b"\xff"), Line::Unterminated(b"two".to_vec()),]
        );
    }

    #[test]
    fn a_line_over_the_limit_is_one_head_and_the_next_is_whole() {
        assert_eq!(
            split(8, &[b"12345678\n123456789abc\nnext\n"]),
            [whole(b"12345678"), Line::Overlong(b"12345678".to_vec()), whole(b"next"),]
        );
    }

    #[test]
    fn a_line_over_the_limit_is_told_before_it_ends() {
        let mut lines = Lines::with_limit(4);
        lines.push(b"12345");
        assert_eq!(lines.next_line(), Some(Line::Overlong(b"1234".to_vec())));
        lines.push(b"6789");
        assert_eq!(lines.next_line(), None);
        lines.push(b"\nab\n");
        assert_eq!(lines.next_line(), Some(whole(b"ab")));
    }

    #[test]
    fn cuts_make_no_difference() {
        for stream in STREAMS {
            let expected = split(8, &[stream]);
            for first in 0..=stream.len() {
                for second in first..=stream.len() {
                    let pieces = [&stream[..first], &stream[first..second], &stream[second..]];
                    assert_eq!(split(8, &pieces), expected, "{stream:?} {first} {second}");
                }
            }
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            assert_eq!(split(8, &bytes), expected, "{stream:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_not_held() {
        let mut lines = Lines::with_limit(1 << 20);
        for _ in 0..1000 {
            lines.push(&[b'a'; 64 << 10]);
            lines.next_line();
            assert!(lines.buffer.capacity() <= 4 << 20);
        }
    }
}
