//! A line as a message.

use super::envelope::Collector;
use super::scan::parse_with;
use super::{Envelope, Json, Kind, NotJson, Text};

/// A line that is JSON, by what JSON-RPC can make of it.
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// An object: a request, notification or response, or an invalid one of these.
    Object(Envelope<'a>, Json<'a>),
    /// An array: a batch (BAT-01 and following).
    Array(Json<'a>),
    /// Anything else, which is no message at all (RPC-08).
    Scalar(Json<'a>),
}

impl<'a> Message<'a> {
    /// The whole value.
    pub fn json(&self) -> Json<'a> {
        match *self {
            Message::Object(_, json) | Message::Array(json) | Message::Scalar(json) => json,
        }
    }
}

/// Parses a line and reads its envelope in one scan.
///
/// # Errors
///
/// As [`parse`](super::parse).
///
/// ```
/// use acp_model::wire::{Message, read_message};
///
/// assert!(matches!(read_message(br#"{"id":1}"#), Ok(Message::Object(..))));
/// assert!(matches!(read_message(b"[]"), Ok(Message::Array(_))));
/// assert!(matches!(read_message(b"42"), Ok(Message::Scalar(_))));
/// ```
pub fn read_message(line: &[u8]) -> Result<Message<'_>, NotJson> {
    let mut collector = Collector::default();
    let json = parse_with(line, |name, value| {
        collector.add(Text::quoted(name), Json::new(value));
    })?;
    Ok(match json.kind() {
        Kind::Object => Message::Object(collector.finish(json), json),
        Kind::Array => Message::Array(json),
        _ => Message::Scalar(json),
    })
}
