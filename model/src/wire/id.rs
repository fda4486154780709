//! What a request and its response share.

use std::fmt::{self, Write};

use super::{Json, Kind};

/// The identity of an id: its JSON type and its exact value (RPC-01). `1`, `1.0` and
/// `1e0` are one id, `"1"` is another, and so is every integer that a double would
/// round to the same.
///
/// Shown as JSON would write it, cut after 60 characters.
///
/// ```
/// use acp_model::wire::{Id, parse};
///
/// let id = |text: &'static str| Id::of(parse(text.as_bytes()).unwrap());
/// assert_eq!(id("1.0"), id("1"));
/// assert_ne!(id("1"), id(r#""1""#));
/// assert_ne!(id("9007199254740993"), id("9007199254740992"));
/// assert_eq!(id(r#""\u0061""#).to_string(), r#""a""#);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Id {
    /// `null`.
    Null,
    /// A number, as [`Number::canonical`](super::Number::canonical) writes it.
    Number(Box<str>),
    /// A string, as [`Text::decode`](super::Text::decode) gives it.
    String(Box<[u8]>),
    /// What no id may be (RPC-20): a boolean, array or object, as written.
    Other(Box<str>),
}

impl Id {
    /// The identity of this value.
    pub fn of(json: Json<'_>) -> Id {
        match (json.kind(), json.as_number(), json.as_string()) {
            (Kind::Null, ..) => Id::Null,
            (_, Some(number), _) => Id::Number(number.canonical().into()),
            (_, _, Some(text)) => Id::String(text.decode().into()),
            _ => Id::Other(json.text().into()),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Null => f.write_str("null"),
            Id::Number(text) | Id::Other(text) => write_cut(f, text.chars().map(Shown::Plain)),
            Id::String(bytes) => {
                f.write_char('"')?;
                write_cut(f, characters(bytes))?;
                f.write_char('"')
            }
        }
    }
}

/// One character of an id.
enum Shown {
    Plain(char),
    Quoted(char),
    LoneSurrogate(u16),
}

fn write_cut(f: &mut fmt::Formatter<'_>, mut shown: impl Iterator<Item = Shown>) -> fmt::Result {
    const SHOWN_CHARS: usize = 60;
    for character in shown.by_ref().take(SHOWN_CHARS) {
        match character {
            Shown::Plain(character) => f.write_char(character)?,
            Shown::Quoted(special @ ('"' | '\\')) => write!(f, "\\{special}")?,
            Shown::Quoted('\n') => f.write_str("\\n")?,
            Shown::Quoted('\r') => f.write_str("\\r")?,
            Shown::Quoted('\t') => f.write_str("\\t")?,
            Shown::Quoted(control) if control.is_control() => {
                write!(f, "\\u{:04x}", control as u32)?
            }
            Shown::Quoted(character) => f.write_char(character)?,
            Shown::LoneSurrogate(unit) => write!(f, "\\u{unit:04x}")?,
        }
    }
    if shown.next().is_some() { f.write_char('…') } else { Ok(()) }
}

/// The characters of WTF-8.
fn characters(mut bytes: &[u8]) -> impl Iterator<Item = Shown> {
    std::iter::from_fn(move || {
        let chunk = bytes.utf8_chunks().next()?;
        if let Some(character) = chunk.valid().chars().next() {
            bytes = &bytes[character.len_utf8()..];
            return Some(Shown::Quoted(character));
        }
        let (shown, rest) = match *bytes {
            [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ref rest @ ..] => {
                let unit = 0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f);
                (Shown::LoneSurrogate(unit), rest)
            }
            _ => (Shown::Quoted(char::REPLACEMENT_CHARACTER), &bytes[1..]),
        };
        bytes = rest;
        Some(shown)
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::Id;

    fn id(json: &str) -> Id {
        Id::of(parse(json.as_bytes()).unwrap())
    }

    #[test]
    fn ids_are_the_same_by_type_and_value() {
        let check = |left, right, expected| {
            assert_eq!(id(left) == id(right), expected, "{left} {right}");
        };
        check("1", "1.0", true);
        check("1", "1e0", true);
        check("-0", "0", true);
        check("1e400", "10e399", true);
        check(r#""a\/b""#, r#""a/b""#, true);
        check(r#""\ud800""#, r#""\uD800""#, true);
        check("null", "null", true);
        check("[1]", "[1]", true);
        check("1", r#""1""#, false);
        check("null", r#""null""#, false);
        check("null", "0", false);
        check("true", r#""true""#, false);
        check("9007199254740992", "9007199254740993", false);
        check("9223372036854775808", "9223372036854775807", false);
        check(r#""\ud800""#, r#""\ufffd""#, false);
        check(r#""""#, "null", false);
    }

    #[test]
    fn ids_are_shown_as_json_and_cut() {
        let check = |json: &str, expected: &str| assert_eq!(id(json).to_string(), expected);
        check("null", "null");
        check("100", "100");
        check("1e0", "1");
        check("-1.50", "-1.5");
        check("1e400", "1e400");
        check("[1, 2]", "[1, 2]");
        check("false", "false");
        check(r#""""#, r#""""#);
        check(r#""é\u00e9😀""#, r#""éé😀""#);
        check(r#""\"\\\/\n\r\t\u0000\u001b\u007f""#, r#""\"\\/\n\r\t\u0000\u001b\u007f""#);
        check(r#""a\uD800b\udfff""#, r#""a\ud800b\udfff""#);
        let sixty = "x".repeat(60);
        check(&format!("\"{sixty}\""), &format!("\"{sixty}\""));
        check(&format!("\"{sixty}y\""), &format!("\"{sixty}…\""));
        check(&"7".repeat(61), &format!("{}…", "7".repeat(60)));
    }

    #[test]
    fn bytes_that_are_no_string_are_shown_all_the_same() {
        let shown = Id::String(Box::from(&b"a\xff\xed\xa0b"[..])).to_string();
        assert_eq!(shown, "\"a\u{fffd}\u{fffd}\u{fffd}b\"");
    }
}
