//! Bytes to message: strict RFC 8259 on UTF-8, judged and then looked at in place.
//!
//! A line is validated once, by [`parse`] or [`read_message`]. What they hand back
//! borrows the line: [`Json`] is one value, [`Text`] a string still escaped,
//! [`Number`] a number still as written, [`Envelope`] the members that JSON-RPC 2.0
//! gives a meaning, [`Id`] what two messages must share to belong together. Nothing
//! is allocated for what is only looked at (nesting deeper than 64 costs one bit a
//! level), and nesting of any depth is walked without recursion.
//!
//! ```
//! use acp_model::wire::{Message, NotJson, read_message};
//!
//! let line = br#"{"jsonrpc":"2.0","id":1.0,"method":"session\/list"}"#;
//! let Ok(Message::Object(envelope, _)) = read_message(line) else { panic!() };
//! assert!(envelope.is_jsonrpc_2());
//! assert!(envelope.method.unwrap().as_string().unwrap().is("session/list"));
//! assert_eq!(envelope.id.unwrap().as_number().unwrap().as_i64(), Some(1));
//!
//! assert_eq!(read_message(b"{} {}").unwrap_err(), NotJson::Trailing { at: 3 });
//! ```
//!
//! `serde_json` is no authority here: it refuses nesting of 128, lone surrogates and
//! numbers beyond a double, all of which RFC 8259 allows. [`Json::depth`],
//! [`Json::has_lone_surrogate`] and [`Json::has_number_beyond_double`] name these
//! differences.

mod decimal;
mod envelope;
mod id;
mod json;
mod members;
mod message;
mod nesting;
mod not_json;
mod number;
mod scan;
mod text;
mod walk;

#[cfg(test)]
mod differential;

pub use envelope::Envelope;
pub use id::Id;
pub use json::{Json, Kind};
pub use members::{Elements, Members};
pub use message::{Message, read_message};
pub use not_json::NotJson;
pub use number::Number;
pub use scan::{opens_array, parse};
pub use text::Text;
