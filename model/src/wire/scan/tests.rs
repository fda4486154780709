use super::super::{NotJson, parse, read_message};
use super::opens_array;

/// Parses in both ways, which must agree.
#[track_caller]
fn check(line: impl AsRef<[u8]>, expected: Result<&str, NotJson>) {
    let line = line.as_ref();
    let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
    assert_eq!(parse(line).map(|json| json.text()), expected, "{shown}");
    let message = read_message(line).map(|message| message.json().text());
    assert_eq!(message, expected, "{shown}");
}

const fn syntax(at: usize) -> Result<&'static str, NotJson> {
    Err(NotJson::Syntax { at })
}

const fn trailing(at: usize) -> Result<&'static str, NotJson> {
    Err(NotJson::Trailing { at })
}

const fn unfinished(at: usize) -> Result<&'static str, NotJson> {
    Err(NotJson::Unfinished { at, in_string: false })
}

const fn unfinished_string(at: usize) -> Result<&'static str, NotJson> {
    Err(NotJson::Unfinished { at, in_string: true })
}

const fn not_utf8(at: usize) -> Result<&'static str, NotJson> {
    Err(NotJson::NotUtf8 { at })
}

#[test]
fn valid_texts_are_taken_without_their_blanks() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "10",
        "1.5",
        "1e5",
        "1E+05",
        "-12.50e-007",
        "1e400",
        "123456789012345678901234567890",
        r#""""#,
        r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#,
        r#""\ud800""#,
        r#""\u0000""#,
        "\"\u{7f}\u{80}\u{2028}\u{feff}\u{fffe}\u{10ffff}\"",
        "\"// no comment\"",
        "[]",
        "[[],{}]",
        "{}",
        r#"{"":{"":[0,{"a":1}]},"a":"b"}"#,
        "[ 1 ,\t2 ,\r{ \"a\" :\n3 } ]",
        r#"{"a":1,"a":2}"#,
    ] {
        check(text, Ok(text));
        check(format!("\t {text}\r\n"), Ok(text));
    }
}

#[test]
fn blank_lines_are_blank() {
    for line in ["", " ", "\r", " \t\r\n "] {
        check(line, Err(NotJson::Blank));
    }
    check("\u{c}", syntax(0));
    check("\u{a0}", syntax(0));
    check("\0", syntax(0));
}

#[test]
fn numbers_are_as_rfc_8259_says() {
    check("01", syntax(1));
    check("-01", syntax(2));
    check("00", syntax(1));
    check("[1.]", syntax(3));
    check("[1.e1]", syntax(3));
    check(".5", syntax(0));
    check("-.5", syntax(1));
    check("+1", syntax(0));
    check("[1e]", syntax(3));
    check("[1e+]", syntax(4));
    check("[1e1.5]", syntax(4));
    check("[-]", syntax(2));
    check("--1", syntax(1));
    check("0x10", syntax(1));
    check("1_000", syntax(1));
    check("1.2.3", syntax(3));
    check("12-34", syntax(2));
    check("1f", syntax(1));
    check("NaN", syntax(0));
    check("Infinity", syntax(0));
    check("-Infinity", syntax(1));
    check("１", syntax(0));
    for cut in ["-", "1.", "1e", "1e+", "-1.5E-"] {
        check(cut, unfinished(cut.len()));
    }
}

#[test]
fn literals_are_exact() {
    check("True", syntax(0));
    check("nul l", syntax(3));
    check("nullx", syntax(4));
    check("truefalse", syntax(4));
    check("None", syntax(0));
    check("undefined", syntax(0));
    check("falsy", syntax(4));
    check("nil", syntax(1));
    check("nul", unfinished(3));
    check("[t", unfinished(2));
}

#[test]
fn strings_are_as_rfc_8259_says() {
    check("\"a\tb\"", syntax(2));
    check("\"a\u{1f}b\"", syntax(2));
    check("\"a\0b\"", syntax(2));
    check("\"a\nb\"", syntax(2));
    check("\"long enough for a word\u{1}\"", syntax(23));
    check(r#""\x41""#, syntax(2));
    check(r#""\'""#, syntax(2));
    check(r#""\U0041""#, syntax(2));
    check(r#""\u00g0""#, syntax(5));
    check(r#""\u12""#, syntax(5));
    check(r#""\u 123""#, syntax(3));
    check(r#""\u+123""#, syntax(3));
    check(r#""\u{41}""#, syntax(3));
    check("\"\\\u{e9}\"", syntax(2));
    check("'a'", syntax(0));
    check("“a”", syntax(0));
    for cut in ["\"", "\"abc", "\"\\", "\"\\u12", "\"\\\"", "[\"a\",\"b", "{\"a"] {
        check(cut, unfinished_string(cut.len()));
    }
}

#[test]
fn a_raw_line_break_in_a_string_is_a_string_that_goes_on() {
    check("{\"a\":\"first\r", unfinished_string(11));
    check("{\"a\":\"first\r\n", unfinished_string(11));
    check("{\"a\":\"first\n", unfinished_string(11));
    check("{\"a\":\"first\r\"}", syntax(11));
}

#[test]
fn punctuation_is_as_rfc_8259_says() {
    check("[1,]", syntax(3));
    check("[,1]", syntax(1));
    check("[1,,2]", syntax(3));
    check("[1 2]", syntax(3));
    check("[1:2]", syntax(2));
    check("[\"a\":1]", syntax(4));
    check("{\"a\":1,}", syntax(7));
    check("{,}", syntax(1));
    check("{\"a\"}", syntax(4));
    check("{\"a\",1}", syntax(4));
    check("{\"a\":}", syntax(5));
    check("{\"a\"::1}", syntax(5));
    check("{\"a\":1:2}", syntax(6));
    check("{a:1}", syntax(1));
    check("{'a':1}", syntax(1));
    check("{1:1}", syntax(1));
    check("{null:1}", syntax(1));
    check("{bad", syntax(1));
    check("[1}", syntax(2));
    check("{\"a\":1]", syntax(6));
    check("[[1}]", syntax(3));
    check("]", syntax(0));
    check("}", syntax(0));
    check(",", syntax(0));
    check("[1]]", trailing(3));
    check("// comment", syntax(0));
    check("[1/* comment */]", syntax(2));
    check("# comment", syntax(0));
    check("hello", syntax(0));
    check("Content-Length: 12", syntax(0));
}

#[test]
fn what_ends_too_early_is_unfinished() {
    for cut in [
        "[",
        "{",
        "[1",
        "[1,",
        "[[]",
        "[{\"a\":1}, ",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":{}",
        "  {\r",
    ] {
        check(cut, unfinished(cut.len()));
    }
}

#[test]
fn every_cut_of_a_message_is_unfinished() {
    let line = r#"{"jsonrpc":"2.0","id":-1.5e+3,"method":"a\u00e9\n","params":[{},[true,null]]}"#;
    check(line, Ok(line));
    for end in 1..line.len() {
        assert!(
            matches!(parse(&line.as_bytes()[..end]), Err(NotJson::Unfinished { at, .. }) if at == end),
            "{}",
            &line[..end]
        );
    }
}

#[test]
fn a_second_value_is_trailing() {
    check("{} {}", trailing(3));
    check("{}{}", trailing(2));
    check("1 2", trailing(2));
    check("{},", trailing(2));
    check("{}x", trailing(2));
    check("\"a\"\"b\"", trailing(3));
    check("null\0", trailing(4));
    check("[] // comment", trailing(3));
    check("12 files", trailing(3));
}

#[test]
fn a_byte_order_mark_is_told_from_other_faults() {
    check("\u{feff}{}", Err(NotJson::ByteOrderMark));
    check("\u{feff} [1]\r", Err(NotJson::ByteOrderMark));
    check("\u{feff}", syntax(0));
    check("\u{feff}{} {}", syntax(0));
    check("\u{feff}{", syntax(0));
    check("\u{feff}\u{feff}{}", syntax(0));
    check(" \u{feff}{}", syntax(1));
    check("{}\u{feff}", trailing(2));
    check(b"\xff\xfe{\0}\0", not_utf8(0));
}

#[test]
fn what_is_not_utf8_is_that_before_anything_else() {
    check(b"\xff", not_utf8(0));
    check(b"\"\xc0\xaf\"", not_utf8(1));
    check(b"\"\xe0\x80\xaf\"", not_utf8(1));
    check(b"\"\xf0\x80\x80\xaf\"", not_utf8(1));
    check(b"\"\xed\xa0\x80\"", not_utf8(1));
    check(b"\"\xed\xa0\xbd\xed\xb8\x80\"", not_utf8(1));
    check(b"\"\xf4\x90\x80\x80\"", not_utf8(1));
    check(b"\"\x80\"", not_utf8(1));
    check(b"\"\xe9\"", not_utf8(1));
    check(b"\"\xe2\x82", not_utf8(1));
    check(b"{bad \xff", not_utf8(5));
    check(b"{}\xff", not_utf8(2));
    check(b"\xef\xbb\xbf{}\xff", not_utf8(5));
}

#[test]
fn any_nesting_is_walked_without_recursion() {
    const DEPTH: usize = 1_000_000;
    let objects = |inner: &str| format!("{}{inner}{}", r#"{"a":"#.repeat(DEPTH), "}".repeat(DEPTH));
    let both = format!("{}0{}", r#"[{"a":"#.repeat(DEPTH / 2), "}]".repeat(DEPTH / 2));
    let arrays = "[".repeat(DEPTH) + &"]".repeat(DEPTH);
    for text in [arrays, objects("0"), both] {
        check(&text, Ok(&text));
        let json = parse(text.as_bytes()).unwrap();
        assert_eq!(json.depth(), DEPTH);
        assert!(!json.has_lone_surrogate() && !json.has_number_beyond_double());
        assert!(!json.has_duplicate_names());
    }
    check("[".repeat(DEPTH), unfinished(DEPTH));
    check("[".repeat(DEPTH) + "}", syntax(DEPTH));
    check(objects("}"), syntax(5 * DEPTH));
    check("[".repeat(DEPTH) + &"]".repeat(DEPTH + 1), trailing(2 * DEPTH));

    let json = objects(r#""\ud800""#);
    assert!(parse(json.as_bytes()).unwrap().has_lone_surrogate());
    assert_eq!(parse(json.as_bytes()).unwrap().get("a").unwrap().depth(), DEPTH - 1);
}

#[test]
fn a_batch_is_known_by_its_first_bracket() {
    let check = |line: &[u8], expected| assert_eq!(opens_array(line), expected);
    check(b"[]", true);
    check(b" \t[{},", true);
    check(b"[\xff", true);
    check(b"", false);
    check(b"  ", false);
    check(b"{\"a\":[]}", false);
    check(b"\xef\xbb\xbf[]", false);
}
