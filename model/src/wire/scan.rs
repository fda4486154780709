//! The judge of whether bytes are one JSON text.

use super::nesting::{Inside, Nesting};
use super::walk::{blank_end, is_word, plain_end};
use super::{Json, NotJson};

/// Takes a line for exactly one JSON text, with at most blanks (space, tab, CR, LF)
/// around it.
///
/// # Errors
///
/// The first reason, reading from the left, why it is none, except that bytes that are
/// not UTF-8 are reported before anything else.
///
/// ```
/// use acp_model::wire::{NotJson, parse};
///
/// assert_eq!(parse(b" [1, 2]\r").unwrap().text(), "[1, 2]");
/// assert_eq!(parse(b"[1, 2,]").unwrap_err(), NotJson::Syntax { at: 6 });
/// assert_eq!(parse(b"[1, 2").unwrap_err(), NotJson::Unfinished { at: 5, in_string: false });
/// ```
pub fn parse(line: &[u8]) -> Result<Json<'_>, NotJson> {
    parse_with(line, |_, _| {})
}

/// Whether the first byte that is not blank is `[`, so that the line, valid or not, was
/// meant as a batch (BAT-02).
pub fn opens_array(line: &[u8]) -> bool {
    line.get(blank_end(line, 0)) == Some(&b'[')
}

/// As [`parse`], and hands `member` the quoted name and the text of each member of the
/// outermost object as soon as it is read, so before the rest is known to be valid.
pub(super) fn parse_with<'a>(
    line: &'a [u8],
    mut member: impl FnMut(&'a str, &'a str),
) -> Result<Json<'a>, NotJson> {
    let text =
        str::from_utf8(line).map_err(|error| NotJson::NotUtf8 { at: error.valid_up_to() })?;
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        return Err(match Scanner::new(rest).json_text(&mut |_, _| {}) {
            Ok(_) => NotJson::ByteOrderMark,
            Err(_) => NotJson::Syntax { at: 0 },
        });
    }
    Scanner::new(text).json_text(&mut member).map(Json::new)
}

/// The place that has been read up to. Everything before it is valid.
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, bytes: text.as_bytes(), at: 0 }
    }

    /// One value and nothing else.
    fn json_text(&mut self, member: &mut impl FnMut(&'a str, &'a str)) -> Result<&'a str, NotJson> {
        self.blanks();
        if self.at == self.bytes.len() {
            return Err(NotJson::Blank);
        }
        let start = self.at;
        self.value(member)?;
        let end = self.at;
        self.blanks();
        if self.at < self.bytes.len() {
            return Err(NotJson::Trailing { at: self.at });
        }
        Ok(&self.text[start..end])
    }

    fn value(&mut self, member: &mut impl FnMut(&'a str, &'a str)) -> Result<(), NotJson> {
        let mut nesting = Nesting::default();
        // Of the member of the outermost object that is being read.
        let mut member_name = "";
        let mut member_start = 0;
        loop {
            if nesting.depth() == 1 {
                member_start = self.at;
            }
            // Whether an array or object was opened that is not empty, so that the next
            // thing is a value in it.
            let opened = match self.peek()? {
                b'{' => self.open(&mut nesting, Inside::Object)?,
                b'[' => self.open(&mut nesting, Inside::Array)?,
                b'"' => self.string().map(|()| false)?,
                b'-' | b'0'..=b'9' => self.number().map(|()| false)?,
                b't' => self.literal(b"true").map(|()| false)?,
                b'f' => self.literal(b"false").map(|()| false)?,
                b'n' => self.literal(b"null").map(|()| false)?,
                _ => return Err(self.syntax()),
            };
            if !opened {
                // A value is over, and with it perhaps those around it.
                loop {
                    let Some(inside) = nesting.innermost() else {
                        return Ok(());
                    };
                    if inside == Inside::Object && nesting.depth() == 1 {
                        member(member_name, &self.text[member_start..self.at]);
                    }
                    self.blanks();
                    match (self.peek()?, inside) {
                        (b',', _) => break,
                        (b'}', Inside::Object) | (b']', Inside::Array) => nesting.close(),
                        _ => return Err(self.syntax()),
                    }
                    self.at += 1;
                }
                self.at += 1;
                self.blanks();
            }
            if nesting.innermost() == Some(Inside::Object) {
                let name = self.member_name()?;
                if nesting.depth() == 1 {
                    member_name = name;
                }
            }
        }
    }

    /// Opens an array or object; false if it is empty and so closed again.
    fn open(&mut self, nesting: &mut Nesting, inside: Inside) -> Result<bool, NotJson> {
        self.at += 1;
        self.blanks();
        let empty = match inside {
            Inside::Array => b']',
            Inside::Object => b'}',
        };
        if self.peek()? == empty {
            self.at += 1;
            return Ok(false);
        }
        nesting.open(inside);
        Ok(true)
    }

    /// A quoted name, a colon, and the blanks around them.
    fn member_name(&mut self) -> Result<&'a str, NotJson> {
        if self.peek()? != b'"' {
            return Err(self.syntax());
        }
        let start = self.at;
        self.string()?;
        let name = &self.text[start..self.at];
        self.blanks();
        if self.peek()? != b':' {
            return Err(self.syntax());
        }
        self.at += 1;
        self.blanks();
        Ok(name)
    }

    fn string(&mut self) -> Result<(), NotJson> {
        self.at += 1;
        loop {
            self.at = plain_end(self.bytes, self.at);
            match self.peek_in_string()? {
                b'"' => break,
                b'\\' => self.escape()?,
                // Lines end in LF, so a CR LF in a string leaves its CR at the end.
                b'\r' | b'\n' if matches!(self.bytes[self.at + 1..], [] | [b'\n']) => {
                    return Err(NotJson::Unfinished { at: self.at, in_string: true });
                }
                _ => return Err(self.syntax()),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), NotJson> {
        self.at += 1;
        match self.peek_in_string()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek_in_string()?.is_ascii_hexdigit() {
                        return Err(self.syntax());
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.syntax()),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), NotJson> {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        if self.peek()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let b'+' | b'-' = self.peek()? {
                self.at += 1;
            }
            self.digits()?;
        }
        self.word_is_over()
    }

    /// One digit at least.
    fn digits(&mut self) -> Result<(), NotJson> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.syntax());
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, literal: &[u8]) -> Result<(), NotJson> {
        for &expected in literal {
            if self.peek()? != expected {
                return Err(self.syntax());
            }
            self.at += 1;
        }
        self.word_is_over()
    }

    /// `01` and `nullx` are one wrong word, not a value and something after it.
    fn word_is_over(&self) -> Result<(), NotJson> {
        match self.bytes.get(self.at) {
            Some(&byte) if is_word(byte) => Err(self.syntax()),
            _ => Ok(()),
        }
    }

    fn blanks(&mut self) {
        self.at = blank_end(self.bytes, self.at);
    }

    fn peek(&self) -> Result<u8, NotJson> {
        let unfinished = NotJson::Unfinished { at: self.at, in_string: false };
        self.bytes.get(self.at).copied().ok_or(unfinished)
    }

    fn peek_in_string(&self) -> Result<u8, NotJson> {
        let unfinished = NotJson::Unfinished { at: self.at, in_string: true };
        self.bytes.get(self.at).copied().ok_or(unfinished)
    }

    fn syntax(&self) -> NotJson {
        NotJson::Syntax { at: self.at }
    }
}

#[cfg(test)]
mod tests;
