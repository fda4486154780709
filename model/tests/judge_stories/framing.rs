//! FRM: lines, bytes and what is no JSON.

use super::{Cell, MORE, NONE, cell};

/// A line that is not JSON: -32700 with id null, in every state (P1).
const fn not_json(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "UFR",
        send,
        &["err null -32700", r#"err null -32700 {"line":1,"near":"x"}"#, "err null -32700 null"],
        &[
            ("", "fails", NONE),
            ("err null -32600", "derived", "error -32600"),
            ("err null -32603", "derived", "error -32603"),
            ("ok null", "derived", "result"),
            ("err null -32700 ; err null -32700", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

/// Blanks around a message change nothing.
const fn blanks(send: &'static str) -> Cell {
    cell(
        "FRM-06",
        "1es",
        "FR",
        send,
        &["err 7 -32601", r#"err 7 -32601 {"method":"_x/y"}"#],
        &[
            ("", "fails", NONE),
            ("err null -32700", "derived", "error -32700"),
            ("err 7 -32602", "derived", "error -32602"),
            ("exit 0", "must", "exits"),
        ],
    )
}

const fn empty(send: &'static str) -> Cell {
    cell(
        "FRM-05",
        "1es",
        "UFR",
        send,
        &["", "err null -32700"],
        &[("exit 0", "must", "exits"), ("hang", "must", "")],
    )
}

const fn not_utf8(send: &'static str) -> Cell {
    cell(
        "FRM-07",
        "1es",
        "UFR",
        send,
        &["", "err null -32700", r#"err null -32700 "stream did not contain valid UTF-8""#],
        &[
            ("err null -32600", "must", "error -32600"),
            ("err 7 -32601", "must", ""),
            ("exit 1", "must", "exits"),
            ("hang", "must", "next request gets none"),
        ],
    )
}

/// Survived and answered once: what the plain message gets, or any error.
const fn heavy(send: &'static str) -> Cell {
    cell(
        "FRM-10",
        "1es",
        "FR",
        send,
        &[
            "err 7 -32601",
            "err null -32700",
            "err null -32600",
            "err null -32603",
            "err 7 -32600",
            "err 7 -32602",
            "err 7 -32603",
            "err 7 1234",
        ],
        &[
            ("", "fails", NONE),
            ("ok null", "1:derived es:must", "result"),
            ("err 7 -32601 ; err 7 -32601", "must", MORE),
            ("exit 101", "must", "exits"),
        ],
    )
}

pub(crate) const CELLS: &[Cell] = &[
    // FRM-03
    not_json("FRM-03", "> {bad"),
    not_json("FRM-03", "> nul"),
    not_json("FRM-03", "> NaN"),
    not_json("FRM-03", "> 'x'"),
    not_json("FRM-03", "> 01"),
    not_json("FRM-03", "> +1"),
    not_json("FRM-03", "> 1."),
    not_json("FRM-03", r#"> "abc"#),
    not_json("FRM-03", r#"> "a\x""#),
    not_json("FRM-03", r#"> "a«09»b""#),
    not_json("FRM-03", r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}"#),
    not_json("FRM-03", r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y",}"#),
    not_json("FRM-03", r#"> {"jsonrpc":"2.0","method":"_x/note","params":{}"#),
    not_json("FRM-03", r#"> {"jsonrpc":"2.0","id":7,"method":"initialize","params":@I@V"#),
    not_json("FRM-03", r#"> Content-Length: 52"#),
    not_json("FRM-03|FRM-04", r#"> «0c»{"jsonrpc":"2.0","id":7,"method":"_x/y"}"#),
    not_json("FRM-03|FRM-04", r#"> «c2a0»{"jsonrpc":"2.0","id":7,"method":"_x/y"}"#),
    cell(
        "FRM-03",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","#,
        &["err null -32700"],
        // Nothing else readable: the id may not be guessed.
        &[("err 7 -32700", "derived", ""), ("err 7 -32601", "derived", "")],
    ),
    // FRM-04
    not_json(
        "FRM-04",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y"}{"jsonrpc":"2.0","id":8,"method":"_x/y"}"#,
    ),
    not_json(
        "FRM-04",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y"} {"jsonrpc":"2.0","id":8,"method":"_x/y"}"#,
    ),
    not_json("FRM-04", r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y"}}"#),
    not_json("FRM-04", r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y"},"#),
    not_json("FRM-04", r#"> {"jsonrpc":"2.0","method":"_x/note"}garbage"#),
    not_json("FRM-04", r#"> 1 2"#),
    not_json("FRM-04", r#"> [] []"#),
    cell(
        "FRM-04",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y"}{"jsonrpc":"2.0","id":8,"method":"_x/y"}"#,
        &[],
        &[("err 7 -32601", "derived", "")],
    ),
    cell(
        "FRM-04",
        "1es",
        "FR",
        r#"> «efbbbf»{"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}}"#,
        &["err null -32700", "err 7 -32601"],
        &[
            ("", "fails", NONE),
            ("err 7 -32602", "derived", "error -32602"),
            ("err null -32600", "derived", "error -32600"),
            ("err 7 -32601 ; err 7 -32601", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    ),
    cell(
        "FRM-04",
        "1es",
        "U",
        r#"> «efbbbf»{"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}}"#,
        &["err null -32700", "err 7 -32600"],
        &[("", "fails", NONE), ("err 7 -32601", "1:should es:derived", "error -32601")],
    ),
    cell(
        "FRM-04",
        "1es",
        "U",
        r#"> «efbbbf»{"jsonrpc":"2.0","id":7,"method":"initialize","params":@I@V}"#,
        &["err null -32700", "ok 7 @R@V"],
        &[("", "fails", NONE), ("err 7 -32603", "derived", "error -32603")],
    ),
    cell(
        "FRM-04",
        "1es",
        "UFR",
        r#"> «efbbbf»{"jsonrpc":"2.0","method":"_x/note","params":{}}"#,
        &["err null -32700", ""],
        &[],
    ),
    cell(
        "FRM-03|FRM-04",
        "1es",
        "UFR",
        "> «efbbbf»{bad",
        &["err null -32700"],
        &[("", "fails", NONE), ("err null -32600", "derived", "error -32600")],
    ),
    // FRM-05
    empty("> "),
    empty(">   «20»"),
    empty("> «09»"),
    empty("> «0d»"),
    // FRM-06
    blanks(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}}«0d»"#),
    blanks(r#"> «2020»{"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}}"#),
    blanks(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{}}«0920»"#),
    blanks(r#"> «09»{ "jsonrpc" : "2.0" , "id" : 7 , "method" : "_x/y" , "params" : { } } «0d»"#),
    cell(
        "FRM-06",
        "1es",
        "U",
        r#"> «20»{"jsonrpc":"2.0","id":7,"method":"_x/y"}«0d»"#,
        &["err 7 -32600"],
        &[("", "fails", NONE), ("err null -32700", "1:should es:derived", "error -32700")],
    ),
    cell(
        "FRM-06",
        "1es",
        "U",
        r#"> {"jsonrpc":"2.0","id":7,"method":"initialize","params":@I@V}«0d»"#,
        &["ok 7 @R@V"],
        &[("", "fails", NONE), ("err null -32700", "derived", "error -32700")],
    ),
    cell(
        "FRM-06|RPC-04",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","method":"_x/note"}«0d»"#,
        &[""],
        &[],
    ),
    // FRM-07
    not_utf8(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/«ff»"}"#),
    not_utf8(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"«c0af»"}}"#),
    not_utf8(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"«eda080»"}}"#),
    not_utf8(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"«e282»"}}"#),
    not_utf8(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"«f4908080»"}}"#),
    not_utf8("> «80»"),
    not_utf8(r#"> {"jsonrpc":"2.0","method":"_x/note«ff»"}"#),
    not_utf8(r#"> {bad«ff»"#),
    // FRM-10
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"«a*1100000»"}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":«[*5000»«]*5000»}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":«[*200»«]*200»}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":"\ud800"}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"\udc00\ud800":1}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":1e400}}"#),
    heavy(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":-1e999999}}"#),
    cell(
        "FRM-10",
        "1es",
        "U",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":1e400}}"#,
        &["err 7 -32600", "err null -32700", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    // FRM-11
    cell(
        "FRM-11|FRM-03",
        "1es",
        "UFR",
        r#"> { ; >   "jsonrpc": "2.0", ; >   "id": 7, ; >   "method": "_x/y" ; > }"#,
        &[
            "err null -32700 ; err null -32700 ; err null -32700 ; err null -32700 ; err null -32700",
        ],
        &[],
    ),
    cell(
        "FRM-05|RPC-01",
        "1es",
        "FR",
        "> «20»",
        &[],
        &[("err null -32700 ; err null -32700", "must", MORE)],
    ),
    cell(
        "FRM-07|RPC-01",
        "1es",
        "FR",
        "> «ff»",
        &[],
        &[("err null -32700 ; err null -32700", "must", MORE)],
    ),
    // Other encodings.
    not_utf8("> «fffe7b007d00»"),
    not_json("FRM-03|FRM-04", "> «007b007d»"),
    cell(
        "FRM-04",
        "1es",
        "UFR",
        "> «efbbbf»42",
        &["err null -32700", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-04",
        "1es",
        "UFR",
        "> «efbbbf»[]",
        &["err null -32700", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-04",
        "1es",
        "UFR",
        "> «efbbbf»",
        &["err null -32700", ""],
        &[("exit 0", "must", "exits")],
    ),
    cell(
        "FRM-04|RPC-10",
        "1es",
        "FR",
        r#"> «efbbbf»{"id":7,"method":"_x/y"}"#,
        &["err null -32700", "err null -32600", "err 7 -32600"],
        &[("err 7 -32601", "derived", "")],
    ),
    cell(
        "FRM-04|FRM-06",
        "1es",
        "FR",
        r#"> «efbbbf» {"jsonrpc":"2.0","id":7,"method":"_x/y"}«0d»"#,
        &["err null -32700", "err 7 -32601"],
        &[],
    ),
    cell(
        "FRM-07|FRM-10",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":"«a*70000»«ff»"}"#,
        &["err null -32700", ""],
        &[],
    ),
    cell(
        "FRM-03|FRM-10",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"«a*70000»"#,
        &["err null -32700"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-03|FRM-10|FRM-11",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":7,"params":«[*5000»"#,
        &["err null -32700"],
        &[("", "fails", NONE)],
    ),
];
