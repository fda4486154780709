//! Steps through text that is known to be valid JSON.

use super::{Number, Text};

/// The first byte from `at` on that is not blank, or the end.
pub(super) fn blank_end(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// The first byte from `at` on that cannot simply be passed over in a string: a quote,
/// a backslash, a control character, or the end.
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // Sets the high bit of the first byte that is below `limit`, and of none before it.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGH;

    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*eight);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let found = below(word, 0x20) | quote | backslash;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// Just past the closing quote of the string whose opening quote is at `at`.
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = plain_end(bytes, at + 1);
    while bytes[at] == b'\\' {
        at = plain_end(bytes, at + 2);
    }
    at + 1
}

/// Just past the value that starts at `at`.
pub(super) fn value_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    loop {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth -= 1;
                at += 1;
            }
            _ if depth == 0 => return word_end(bytes, at),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
}

/// Just past the number or literal that starts at `at`.
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_word(byte)) {
        at += 1;
    }
    at
}

/// Whether the byte can be part of a number or literal, or be taken for one.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

/// What a whole value is made of, at any depth, without literals and punctuation.
pub(super) enum Token<'a> {
    /// An array or object starts.
    Open,
    /// An array or object ends.
    Close,
    /// A string, or the name of a member.
    String(Text<'a>),
    Number(Number<'a>),
}

/// Every token of one value, in order.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match *bytes.get(at)? {
                b'"' => {
                    at = string_end(bytes, at);
                    return Some(Token::String(Text::quoted(&text[start..at])));
                }
                b'-' | b'0'..=b'9' => {
                    at = word_end(bytes, at);
                    return Some(Token::Number(Number::new(&text[start..at])));
                }
                byte => {
                    at += 1;
                    match byte {
                        b'{' | b'[' => return Some(Token::Open),
                        b'}' | b']' => return Some(Token::Close),
                        _ => {}
                    }
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{plain_end, value_end};

    #[test]
    fn plain_text_ends_at_the_first_special_byte() {
        for length in 0..40 {
            for special in [b'"', b'\\', 0, 0x0a, 0x1f] {
                for filler in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
                    let mut bytes = vec![filler; length];
                    assert_eq!(plain_end(&bytes, 0), length);
                    bytes.push(special);
                    bytes.extend([filler, special, 0, b'"', b'\\', filler, filler, filler, filler]);
                    assert_eq!(
                        plain_end(&bytes, 0),
                        length,
                        "{special} after {length} of {filler}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_value_ends_where_it_ends() {
        let check = |text: &str, expected| {
            assert_eq!(value_end(text.as_bytes(), 0), expected, "{text}");
        };
        check("12,", 2);
        check("-1.5e+3]", 7);
        check("true", 4);
        check(r#""a\"]}",1"#, 7);
        check(r#"{"}":[1,"]"]},"#, 13);
        check("[] ", 2);
    }
}
