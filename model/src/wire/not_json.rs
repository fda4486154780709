//! Why a line is not one JSON text.

/// Why a line is not exactly one JSON text. Offsets count bytes from the start of the
/// line.
///
/// A line that is not UTF-8 is [`NotUtf8`](NotJson::NotUtf8) whatever else is wrong
/// with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotJson {
    /// The line is empty, or only space, tab, CR and LF (FRM-05).
    #[error("the line is blank")]
    Blank,
    /// The bytes are not UTF-8 (FRM-07).
    #[error("byte {at} is not UTF-8")]
    NotUtf8 {
        /// The first byte that belongs to no character.
        at: usize,
    },
    /// A UTF-8 byte order mark, then one JSON text that alone would be valid (FRM-04).
    #[error("a byte order mark stands before the JSON text")]
    ByteOrderMark,
    /// A complete JSON value, then something that is not blank (FRM-04).
    #[error("the JSON value is over, and something follows it at byte {at}")]
    Trailing {
        /// The first byte after the value that is not blank.
        at: usize,
    },
    /// The line ends inside a value, so the value may go on in the next line (FRM-02,
    /// FRM-11) or was cut off (FRM-08).
    #[error("the line ends at byte {at} inside {}", if *.in_string { "a string" } else { "a value" })]
    Unfinished {
        /// Where the text ends: the length of the line, or where its line break
        /// starts if that falls into a string.
        at: usize,
        /// Whether it ends inside a string, which is what a raw line feed in a string
        /// looks like (FRM-02).
        in_string: bool,
    },
    /// Anything else (FRM-03), such as a byte order mark before what is not JSON.
    #[error("byte {at} is not JSON")]
    Syntax {
        /// The first byte that cannot stand where it does.
        at: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::NotJson;

    #[test]
    fn says_what_is_wrong_in_plain_words() {
        let check = |reason: NotJson, expected: &str| assert_eq!(reason.to_string(), expected);
        check(NotJson::Blank, "the line is blank");
        check(NotJson::NotUtf8 { at: 7 }, "byte 7 is not UTF-8");
        check(
            NotJson::Unfinished { at: 9, in_string: true },
            "the line ends at byte 9 inside a string",
        );
        check(
            NotJson::Unfinished { at: 9, in_string: false },
            "the line ends at byte 9 inside a value",
        );
        check(
            NotJson::Trailing { at: 3 },
            "the JSON value is over, and something follows it at byte 3",
        );
    }
}
