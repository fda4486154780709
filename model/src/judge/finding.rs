use std::fmt;

use super::event::End;
use crate::border::{Garbage, Kind};
use crate::lifecycle::{IdEcho, Stage};
use crate::spec::{Answer, Level, RuleId};

/// One rule broken in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The most specific rule that is broken.
    pub rule: RuleId,
    /// The more general rules that this breaks too.
    pub also: Vec<RuleId>,
    /// How binding the rule is here.
    pub level: Level,
    /// What the agent did.
    pub seen: Seen,
    /// The step whose line it did that about, from 0; `None` where it is about none.
    pub step: Option<usize>,
    /// The state of the connection when that line was sent.
    pub stage: Stage,
    /// What the protocol allows there.
    pub allowed: Vec<Answer>,
}

/// What an agent did that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// A response of this kind, with an id that relates so to the request's.
    Response(Kind, IdEcho),
    /// A response with another id than the request's.
    OtherId,
    /// A response whose id is missing, or neither string, number nor null.
    NoId,
    /// A response with id null where the request's id is readable.
    NullId,
    /// A response that breaks the rule by its own shape.
    Misshapen,
    /// One array of responses.
    Array,
    /// An array of responses that is not what the batch asked for.
    WrongArray,
    /// No response.
    Nothing,
    /// No response, and none to the next request either, though the agent lives.
    Hang,
    /// One more response.
    OneMore,
    /// A line that is no message.
    Garbage(Garbage),
    /// The end of the agent.
    Ended(End),
}

impl Seen {
    /// Whether only waiting long enough can prove it.
    pub fn is_silence(&self) -> bool {
        matches!(self, Seen::Nothing | Seen::Hang)
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Response(kind, id) => {
                match kind {
                    Kind::Result => f.write_str("a result")?,
                    Kind::Error(code) => write!(f, "error {code}")?,
                }
                f.write_str(match id {
                    IdEcho::Echoed | IdEcho::EchoedNull => ", same id",
                    IdEcho::Null => ", id null",
                    IdEcho::Other => ", another id",
                })
            }
            Seen::OtherId => f.write_str("a response with another id"),
            Seen::NoId => f.write_str("a response without a legal id"),
            Seen::NullId => f.write_str("a response with id null"),
            Seen::Misshapen => f.write_str("a response of the wrong shape"),
            Seen::Array => f.write_str("an array of responses"),
            Seen::WrongArray => f.write_str("an array that does not fit the batch"),
            Seen::Nothing => f.write_str("no response"),
            Seen::Hang => f.write_str("no response, and the next request gets none either"),
            Seen::OneMore => f.write_str("one response too many"),
            Seen::Garbage(garbage) => f.write_str(match garbage {
                Garbage::Blank => "an empty line on stdout",
                Garbage::NotUtf8 => "a line on stdout that is not UTF-8",
                Garbage::NotJson => "a line on stdout that is not JSON",
                Garbage::CutInString => "a raw newline inside a string",
                Garbage::Overlong => "a line on stdout without end",
                Garbage::NotMessage => "JSON on stdout that is no JSON-RPC message",
            }),
            Seen::Ended(end) => end.fmt(f),
        }
    }
}
