//! What a trace is in a file.

use acp_harness::{Ended, Entry, LineEnd, Side, Trace};

fn written(trace: &Trace) -> String {
    let mut file = Vec::new();
    trace.write(&mut file).expect("a vector takes everything");
    String::from_utf8(file).expect("a trace is text, whatever is in it")
}

#[test]
fn what_was_written_is_read_again() {
    let mut trace = Trace::new();
    let contents: [&[u8]; 10] = [
        b"",
        b" ",
        b"{\"jsonrpc\":\"2.0\"}\r",
        b"\0",
        b"\xff",
        b"half a character \xe2\x80",
        "line separator \u{2028}, snowman \u{2603}, \u{1f600}, \u{feff}".as_bytes(),
        b"\"quotes\" \\ \t \x1b \x7f",
        b"\xed\xa0\x80",
        b"1e400",
    ];
    for (at, content) in contents.into_iter().enumerate() {
        let at_us = at as u64 * 1_000_000_007;
        trace.record_line(at_us, Side::Client, content, LineEnd::Newline);
        trace.record_line(at_us, Side::Agent, content, LineEnd::None);
        trace.record_unsent(at_us, content, LineEnd::Newline, 1);
        trace.record_overlong(at_us, content, 9_000_000);
    }
    trace.record_line(u64::MAX, Side::Agent, &vec![b'x'; 2 << 20], LineEnd::Newline);
    for ended in [
        Ended::Exit(-1),
        Ended::Signal(9),
        Ended::OutputClosed,
        Ended::Stopped { forced: false },
        Ended::Stopped { forced: true },
    ] {
        trace.record_ended(5, ended);
    }
    let file = written(&trace);
    let read = Trace::read(file.as_bytes()).expect("it is a trace");
    assert_eq!(read, trace);
    assert_eq!(written(&read), file);
    assert_eq!(file.lines().count(), 1 + trace.entries().len());
}

#[test]
fn a_flood_too_large_to_keep_is_read_again_with_its_counts() {
    let mut trace = Trace::new();
    for at_us in 0..60_000 {
        trace.record_line(at_us, Side::Agent, &[b'x'; 1000], LineEnd::Newline);
    }
    assert!(trace.left_out().lines > 0);
    assert_eq!(Trace::read(written(&trace).as_bytes()).expect("it is a trace"), trace);
}

#[test]
fn the_file_can_be_read_by_people() {
    let mut trace = Trace::new();
    trace.record_line(0, Side::Client, b"{\"id\":1}", LineEnd::Newline);
    trace.record_line(12, Side::Agent, b"\xff", LineEnd::None);
    trace.record_unsent(13, b"late", LineEnd::Newline, 5);
    trace.record_ended(20, Ended::Exit(1));
    assert_eq!(
        written(&trace),
        concat!(
            r#"{"format":1,"kind":"acp-check trace"}"#,
            "\n",
            r#"{"at_us":0,"from":"client","line":"{\"id\":1}"}"#,
            "\n",
            r#"{"at_us":12,"from":"agent","base64":"/w==","unterminated":true}"#,
            "\n",
            r#"{"at_us":13,"from":"client","line":"late","unsent":5}"#,
            "\n",
            r#"{"at_us":20,"ended":"exit 1"}"#,
            "\n",
        )
    );
}

#[test]
fn blank_lines_and_a_missing_last_newline_are_no_fault() {
    let file = "{\"format\":1,\"kind\":\"acp-check trace\",\"agent\":\"x\"}\r\n\n  \n\
                {\"at_us\":1,\"ended\":\"signal 6\"}";
    let trace = Trace::read(file.as_bytes()).expect("it is a trace");
    assert_eq!(trace.entries(), [Entry::Ended { at_us: 1, ended: Ended::Signal(6) }]);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    const HEADER: &str = "{\"format\":1,\"kind\":\"acp-check trace\"}\n\n";
    let check = |file: &str, expected: &str| {
        let error = Trace::read(file.as_bytes()).expect_err(file);
        assert!(error.to_string().contains(expected), "{file:?} gives {error}");
    };
    check("", "line 1: not a trace");
    check("\n", "line 1: not a trace");
    check("{\"jsonrpc\":\"2.0\"}\n", "line 1: not a trace");
    check("{\"format\":1,\"kind\":\"something else\"}\n", "line 1: not a trace");
    check("{\"format\":2,\"kind\":\"acp-check trace\"}\n", "line 1: trace format 2");

    let entry = |line: &str, expected: &str| check(&format!("{HEADER}{line}\n"), expected);
    entry("{\"at_us\":1", "line 3: EOF while parsing");
    entry("{\"from\":\"client\",\"line\":\"\"}", "line 3: missing field `at_us`");
    entry("{\"at_us\":1}", "line 3: exactly one of `line`, `base64` and `ended`");
    entry("{\"at_us\":1,\"line\":\"\"}", "line 3: `from` is missing");
    entry("{\"at_us\":1,\"from\":\"agent\",\"base64\":\"?\"}", "line 3: `base64` cannot be");
    entry("{\"at_us\":1,\"from\":\"editor\",\"line\":\"\"}", "unknown variant `editor`");
    entry("{\"at_us\":1,\"ended\":\"well\"}", "line 3: `ended` is \"well\"; known are \"exit");
    entry("{\"at_us\":1,\"ended\":\"exit 1\",\"why\":1}", "line 3: unknown field `why`");
}
