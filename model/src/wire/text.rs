//! Strings, unescaped only where that matters.

use std::borrow::Cow;

use super::walk::plain_end;

/// A JSON string as written, between its quotes and still escaped.
///
/// Two are equal if they are equal after unescaping.
///
/// ```
/// use acp_model::wire::parse;
///
/// let method = parse(br#""session\/list""#).unwrap().as_string().unwrap();
/// assert_eq!(method.raw(), r"session\/list");
/// assert!(method.is("session/list") && method.starts_with("session/"));
/// assert_eq!(method.to_str().unwrap(), "session/list");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a str,
}

impl<'a> Text<'a> {
    /// From valid text with its quotes.
    pub(super) fn quoted(text: &'a str) -> Text<'a> {
        Text { raw: &text[1..text.len() - 1] }
    }

    /// What stands between the quotes, as written.
    pub fn raw(&self) -> &'a str {
        self.raw
    }

    /// Whether this is the empty string.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Whether anything in it is written as an escape.
    pub fn is_escaped(&self) -> bool {
        plain_end(self.raw.as_bytes(), 0) < self.raw.len()
    }

    /// Whether it is `expected` after unescaping.
    pub fn is(&self, expected: &str) -> bool {
        if self.is_escaped() { self.unescaped().eq(expected.bytes()) } else { self.raw == expected }
    }

    /// Whether it starts with `prefix` after unescaping.
    pub fn starts_with(&self, prefix: &str) -> bool {
        let mut bytes = self.unescaped();
        prefix.bytes().all(|expected| bytes.next() == Some(expected))
    }

    /// Whether it holds half of a UTF-16 surrogate pair, which RFC 8259 allows in
    /// escapes and UTF-8 cannot express.
    pub fn has_lone_surrogate(&self) -> bool {
        self.pieces().any(|piece| matches!(piece.escape, Some(0xd800..=0xdfff)))
    }

    /// The string itself in UTF-8, except that a lone surrogate is the three bytes that
    /// WTF-8 gives it. Escaped surrogate pairs are joined.
    pub fn decode(&self) -> Cow<'a, [u8]> {
        if !self.is_escaped() {
            return Cow::Borrowed(self.raw.as_bytes());
        }
        let mut decoded = Vec::with_capacity(self.raw.len());
        for piece in self.pieces() {
            decoded.extend_from_slice(piece.plain);
            decoded.extend(piece.escape.into_iter().flat_map(wtf8));
        }
        Cow::Owned(decoded)
    }

    /// The string itself, or `None` if it holds a lone surrogate.
    pub fn to_str(&self) -> Option<Cow<'a, str>> {
        match self.decode() {
            Cow::Borrowed(_) => Some(Cow::Borrowed(self.raw)),
            Cow::Owned(decoded) => String::from_utf8(decoded).ok().map(Cow::Owned),
        }
    }

    /// What [`decode`](Text::decode) gives, byte by byte.
    fn unescaped(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.pieces().flat_map(|piece| {
            piece.plain.iter().copied().chain(piece.escape.into_iter().flat_map(wtf8))
        })
    }

    fn pieces(&self) -> Pieces<'a> {
        Pieces { rest: self.raw.as_bytes() }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
            || ((self.is_escaped() || other.is_escaped()) && self.unescaped().eq(other.unescaped()))
    }
}

impl Eq for Text<'_> {}

/// Some text without escapes, then at most one escape.
struct Piece<'a> {
    plain: &'a [u8],
    /// A code point; a surrogate if it is a lone one.
    escape: Option<u32>,
}

struct Pieces<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (plain, rest) = self.rest.split_at(plain_end(self.rest, 0));
        let [b'\\', letter, rest @ ..] = rest else {
            self.rest = &[];
            return Some(Piece { plain, escape: None });
        };
        self.rest = rest;
        let escape = match letter {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'u' => self.code_point(),
            &itself => u32::from(itself),
        };
        Some(Piece { plain, escape: Some(escape) })
    }
}

impl Pieces<'_> {
    /// After `\u`: four digits, and those of a second escape if the two are a pair.
    fn code_point(&mut self) -> u32 {
        let first = hex(&self.rest[..4]);
        self.rest = &self.rest[4..];
        if let (0xd800..=0xdbff, [b'\\', b'u', rest @ ..]) = (first, self.rest) {
            let second = hex(&rest[..4]);
            if let 0xdc00..=0xdfff = second {
                self.rest = &rest[4..];
                return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            }
        }
        first
    }
}

fn hex(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value, &digit| {
        value << 4 | char::from(digit).to_digit(16).expect("escapes were validated")
    })
}

/// The bytes of one code point, surrogates included.
fn wtf8(code_point: u32) -> impl Iterator<Item = u8> {
    let mut bytes = [0; 4];
    let length = match char::from_u32(code_point) {
        Some(character) => character.encode_utf8(&mut bytes).len(),
        None => {
            let low_six = |shift: u32| 0x80 | (code_point >> shift & 0x3f) as u8;
            bytes[..3].copy_from_slice(&[0xe0 | (code_point >> 12) as u8, low_six(6), low_six(0)]);
            3
        }
    };
    bytes.into_iter().take(length)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::parse;
    use super::Text;

    fn text(json: &str) -> Text<'_> {
        parse(json.as_bytes()).unwrap().as_string().unwrap()
    }

    #[test]
    fn decodes_every_escape() {
        let check = |json, expected: &str| {
            let text = text(json);
            assert_eq!(text.to_str().as_deref(), Some(expected), "{json}");
            assert_eq!(&*text.decode(), expected.as_bytes(), "{json}");
            assert!(text.is(expected), "{json}");
            assert!(!text.is(&format!("{expected}x")), "{json}");
            assert!(!text.has_lone_surrogate(), "{json}");
            assert_eq!(text.is_empty(), expected.is_empty(), "{json}");
            for (end, _) in expected.char_indices() {
                assert!(text.starts_with(&expected[..end]), "{json}");
                assert!(!text.is(&expected[..end]), "{json}");
            }
            assert!(text.starts_with(expected) && !text.starts_with(&format!("{expected}x")));
        };
        check(r#""""#, "");
        check(r#""plain""#, "plain");
        check(r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t");
        check(r#""\u0000\u001f\u007F""#, "\0\u{1f}\u{7f}");
        check(r#""\u0069d""#, "id");
        check(r#""session\/list""#, "session/list");
        check(r#""caf\u00e9 é €\u20AC""#, "café é €€");
        check(r#""\uD83D\uDE00😀""#, "😀😀");
        check(r#""\uffff\ue000\ud7ff""#, "\u{ffff}\u{e000}\u{d7ff}");
        check(r#""a\\u0069""#, r"a\u0069");
        check("\"\u{2028}\u{7f}\"", "\u{2028}\u{7f}");
    }

    #[test]
    fn lone_surrogates_decode_to_wtf8_and_to_no_str() {
        let check = |json, expected: &[u8]| {
            let text = text(json);
            assert!(text.has_lone_surrogate(), "{json}");
            assert_eq!(text.to_str(), None, "{json}");
            assert_eq!(&*text.decode(), expected, "{json}");
        };
        check(r#""\ud800""#, b"\xed\xa0\x80");
        check(r#""\udfff""#, b"\xed\xbf\xbf");
        check(r#""\udc00\ud800""#, b"\xed\xb0\x80\xed\xa0\x80");
        check(r#""\ud800\ud83d\ude00""#, b"\xed\xa0\x80\xf0\x9f\x98\x80");
        check(r#""\ud800\u0041""#, b"\xed\xa0\x80A");
        check(r#""\ud800\n""#, b"\xed\xa0\x80\n");
        check(r#""\ud800x\udc00""#, b"\xed\xa0\x80x\xed\xb0\x80");
        check(r#""\ud800\\udc00""#, b"\xed\xa0\x80\\udc00");
    }

    #[test]
    fn strings_are_equal_after_unescaping() {
        let check = |left, right, expected| {
            assert_eq!(text(left) == text(right), expected, "{left} {right}");
            assert_eq!(text(right) == text(left), expected, "{right} {left}");
        };
        check(r#""id""#, r#""id""#, true);
        check(r#""id""#, r#""\u0069d""#, true);
        check(r#""\u0069d""#, r#""i\u0064""#, true);
        check(r#""\ud800""#, r#""\uD800""#, true);
        check(r#""\ud83d\ude00""#, r#""😀""#, true);
        check(r#""id""#, r#""Id""#, false);
        check(r#""id""#, r#""\u0049d""#, false);
        check(r#""\\n""#, r#""\n""#, false);
        check(r#""\ud800""#, r#""\ufffd""#, false);
    }

    #[test]
    fn what_is_not_escaped_is_borrowed() {
        assert!(matches!(text(r#""é""#).decode(), Cow::Borrowed(_)));
        assert!(matches!(text(r#""é""#).to_str(), Some(Cow::Borrowed(_))));
        assert!(!text(r#""é""#).is_escaped() && text(r#""\/""#).is_escaped());
    }
}
