//! The file of a trace: a header line, then one JSON object a line.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use crate::connection::Ended;
use crate::trace::{Entry, LeftOut, LineEnd, LineEntry, Side, Trace};

const FORMAT: u64 = 1;
const KIND: &str = "acp-check trace";

/// Why a file could not be read as a trace. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file could not be read.
    #[error("line {line}: cannot read: {source}")]
    Read {
        /// The line that was being read.
        line: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The first line is not the header of a trace.
    #[error(
        "line 1: not a trace; its first line must be {{\"format\":1,\"kind\":\"acp-check trace\"}}"
    )]
    NotATrace,
    /// The trace was written by a version with another format.
    #[error("line 1: trace format {found}, and only format 1 is known; use a newer acp-check")]
    Format {
        /// The format that the header names.
        found: u64,
    },
    /// A line is not an entry of a trace.
    #[error("line {line}: {problem}")]
    Entry {
        /// The line in the file.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    format: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_zero")]
    left_out_lines: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    left_out_bytes: u64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record<'a> {
    at_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Side>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    line: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    base64: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "is_false")]
    unterminated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_from: Option<u64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    unsent: u64,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    ended: Option<Cow<'a, str>>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Trace {
    /// Writes the trace as lines of JSON.
    ///
    /// The header is `{"format":1,"kind":"acp-check trace"}`, with `left_out_lines` and
    /// `left_out_bytes` where the trace was too full. A line of the conversation is
    /// `{"at_us":12,"from":"client","line":"..."}`; in place of `line` stands `base64` where the
    /// bytes are not UTF-8. `"unterminated":true` says that no newline followed,
    /// `"cut_from":N` that it was N bytes long and only the first are given, `"unsent":N` that
    /// the agent did not take the last N bytes. The end is `{"at_us":99,"ended":"exit 1"}`:
    /// `exit CODE`, `signal NUMBER`, `output closed`, `stopped by TERM` or `stopped by KILL`.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let header = Header {
            format: FORMAT,
            kind: KIND.into(),
            left_out_lines: self.left_out.lines,
            left_out_bytes: self.left_out.bytes,
        };
        serde_json::to_writer(&mut to, &header)?;
        to.write_all(b"\n")?;
        for entry in &self.entries {
            serde_json::to_writer(&mut to, &Record::of(entry))?;
            to.write_all(b"\n")?;
        }
        to.flush()
    }

    /// Reads what [`Trace::write`] wrote. Blank lines are passed over.
    pub fn read(mut from: impl BufRead) -> Result<Trace, TraceError> {
        let mut buffer = Vec::new();
        let mut line = 0;
        let mut trace: Option<Trace> = None;
        loop {
            buffer.clear();
            line += 1;
            let read = from.read_until(b'\n', &mut buffer);
            if read.map_err(|source| TraceError::Read { line, source })? == 0 {
                return trace.ok_or(TraceError::NotATrace);
            }
            match &mut trace {
                None => {
                    trace = Some(Trace { left_out: left_out(&buffer)?, ..Trace::default() });
                }
                Some(_) if buffer.trim_ascii().is_empty() => {}
                Some(trace) => {
                    let entry = serde_json::from_slice::<Record>(&buffer)
                        .map_err(|error| json_problem(&error))
                        .and_then(Record::entry);
                    trace
                        .entries
                        .push(entry.map_err(|problem| TraceError::Entry { line, problem })?);
                }
            }
        }
    }
}

fn left_out(header: &[u8]) -> Result<LeftOut, TraceError> {
    let header: Header = serde_json::from_slice(header).map_err(|_| TraceError::NotATrace)?;
    if header.kind != KIND {
        return Err(TraceError::NotATrace);
    }
    if header.format != FORMAT {
        return Err(TraceError::Format { found: header.format });
    }
    Ok(LeftOut { lines: header.left_out_lines, bytes: header.left_out_bytes })
}

/// The error without its "at line 1 column 7": the line is ours to count.
fn json_problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((problem, _)) => format!("{problem} (column {})", error.column()),
        None => text,
    }
}

impl<'a> Record<'a> {
    fn of(entry: &'a Entry) -> Record<'a> {
        match entry {
            Entry::Line(line) => {
                let text = std::str::from_utf8(&line.bytes).ok();
                Record {
                    at_us: line.at_us,
                    from: Some(line.from),
                    line: text.map(Cow::from),
                    base64: text.is_none().then(|| BASE64.encode(&line.bytes).into()),
                    unterminated: line.end == LineEnd::None,
                    cut_from: line.cut_from,
                    unsent: line.unsent,
                    ended: None,
                }
            }
            Entry::Ended { at_us, ended } => {
                Record { at_us: *at_us, ended: Some(name_of(*ended)), ..Record::default() }
            }
        }
    }

    fn entry(self) -> Result<Entry, String> {
        let bytes = match (self.line, self.base64, self.ended) {
            (Some(text), None, None) => text.into_owned().into_bytes(),
            (None, Some(text), None) => BASE64
                .decode(text.as_bytes())
                .map_err(|error| format!("`base64` cannot be decoded: {error}"))?,
            (None, None, Some(name)) => {
                let ended = ended_of(&name).ok_or_else(|| {
                    format!(
                        "`ended` is \"{name}\"; known are \"exit CODE\", \"signal NUMBER\", \
                         \"output closed\", \"stopped by TERM\", \"stopped by KILL\""
                    )
                })?;
                return Ok(Entry::Ended { at_us: self.at_us, ended });
            }
            _ => return Err("exactly one of `line`, `base64` and `ended` is needed".into()),
        };
        Ok(Entry::Line(LineEntry {
            at_us: self.at_us,
            from: self.from.ok_or("`from` is missing: \"client\" or \"agent\"")?,
            bytes,
            end: if self.unterminated { LineEnd::None } else { LineEnd::Newline },
            cut_from: self.cut_from,
            unsent: self.unsent,
        }))
    }
}

fn name_of(ended: Ended) -> Cow<'static, str> {
    match ended {
        Ended::Exit(code) => format!("exit {code}").into(),
        Ended::Signal(number) => format!("signal {number}").into(),
        Ended::OutputClosed => "output closed".into(),
        Ended::Stopped { forced: false } => "stopped by TERM".into(),
        Ended::Stopped { forced: true } => "stopped by KILL".into(),
    }
}

fn ended_of(name: &str) -> Option<Ended> {
    match name {
        "output closed" => Some(Ended::OutputClosed),
        "stopped by TERM" => Some(Ended::Stopped { forced: false }),
        "stopped by KILL" => Some(Ended::Stopped { forced: true }),
        _ => match name.split_once(' ')? {
            ("exit", code) => code.parse().ok().map(Ended::Exit),
            ("signal", number) => number.parse().ok().map(Ended::Signal),
            _ => None,
        },
    }
}
