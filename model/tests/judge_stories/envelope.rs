//! RPC: what a request, a notification and a response are.

use super::{Cell, Find, MORE, NONE, cell};

/// -32600 with id null and nothing else, in every state.
const fn invalid(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "UFR",
        send,
        &["err null -32600", r#"err null -32600 "details""#],
        &[
            ("", "fails", NONE),
            ("err null -32700", "derived", "error -32700"),
            ("err null -32601", "derived", "error -32601"),
            ("ok null", "derived", "result"),
            ("err null -32600 ; err null -32600", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

/// A request whose id is no id; one that came early in v1 is judged as that (P2).
const fn illegal_id(send: &'static str) -> Cell {
    Cell { at: "FR", ..invalid("RPC-20", send) }
}

/// -32600 with the id 7 or null, in every state (P2).
const fn invalid_7(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "FR",
        send,
        &["err null -32600", "err 7 -32600", r#"err 7 -32600 {"why":"x"}"#],
        &[
            ("", "fails", NONE),
            ("err 7 -32601", "derived", "error -32601"),
            ("err 7 -32602", "derived", "error -32602"),
            ("err null -32700", "derived", "error -32700"),
            ("ok 7", "derived", "result"),
            ("err 7 -32600 ; err null -32600", "must", MORE),
            ("err 7 -32600 ; err 7 -32600", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

const fn invalid_7_before(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "U",
        send,
        &["err null -32600", "err 7 -32600"],
        &[("", "fails", NONE), ("err 7 -32601", "1:should es:derived", "error -32601")],
    )
}

/// A notification in every state (P31).
const fn note(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "UFR",
        send,
        &[""],
        &[
            ("err null -32601", "must", ""),
            ("err null -32602", "must", ""),
            ("err null -32600", "must", ""),
            ("ok null", "must", ""),
        ],
    )
}

/// A notification survived.
const fn note_survived(send: &'static str) -> Cell {
    cell(
        "*",
        "1es",
        "UFR",
        send,
        &[""],
        &[("exit 1", "must", "exits"), ("hang", "must", "next request gets none")],
    )
}

/// A method that the agent does not have.
const fn unknown(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "FR",
        send,
        &["err 7 -32601", r#"err 7 -32601 {"method":"m"}"#, "err 7 -32601 null"],
        &[
            ("", "fails", NONE),
            ("err 7 -32600", "1:derived es:must", "error -32600"),
            ("err 7 -32602", "1:derived es:must", "error -32602"),
            ("err 7 -32002", "1:derived es:must", "error -32002"),
            ("ok 7", "1:derived es:must", "result"),
            ("err 7 -32601 ; err 7 -32601", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

/// A request with a good id that must come back as it is.
const fn echoed(
    send: &'static str,
    good: &'static [&'static str],
    bad: &'static [(&'static str, &'static str, &'static str)],
) -> Cell {
    cell("RPC-01|RPC-22|RPC-23", "1es", "FR", send, good, bad)
}

/// What the client answers is never answered.
const fn answer(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "UFR",
        send,
        &[""],
        &[
            ("err 99 -32600", "derived", ""),
            ("err null -32600", "derived", ""),
            ("ok 99", "derived", ""),
            ("exit 1", "must", "exits"),
            ("hang", "must", "next request gets none"),
        ],
    )
}

const fn bad_answer(send: &'static str) -> Cell {
    cell(
        "RPC-28",
        "1es",
        "UFR",
        send,
        &["", "err null -32600"],
        &[
            ("err 99 -32600", "derived", ""),
            ("err null -32700", "derived", "error -32700"),
            ("exit 1", "must", "exits"),
            ("hang", "must", "next request gets none"),
        ],
    )
}

/// id null: v1 answers somehow, v2 errors-page too, schema-1.20 refuses.
const fn null_id(send: &'static str) -> Cell {
    cell(
        "RPC-18|RPC-19",
        "1e",
        "FR",
        send,
        &["err null -32600", "err null -32601", "err null -32602", "ok null", "err null 1"],
        &[("", "fails", NONE), ("err null -32600 ; err null -32601", "must", MORE)],
    )
}

/// id 1.5: echoed or refused, but by schema-1.20 only refused.
const fn fraction(send: &'static str, good: &'static [&'static str]) -> Cell {
    cell("RPC-20", "1e", "FR", send, good, &[("", "fails", NONE), ("exit 1", "must", "exits")])
}

pub(crate) const CELLS: &[Cell] = &[
    // RPC-01
    echoed(
        "ask 7 _x/y",
        &[
            "err 7 -32601",
            "err 7.0 -32601",
            "err 70e-1 -32601",
            r#"< {"error":{"message":"","code":-32601},"id":7,"jsonrpc":"2.0"}"#,
            r#"< «09»{"jsonrpc" : "2.0", "error" : {"code":-32601,"message":"\u006e"}, "id" : 7}«200d»"#,
            r#"< {"\u006asonrpc":"\u0032.0","i\u0064":7,"error":{"code":-32601,"message":"x"}}"#,
        ],
        &[
            ("", "fails", NONE),
            (r#"err "7" -32601"#, "must", ""),
            ("err 8 -32601", "must", ""),
            ("err -7 -32601", "must", ""),
            ("err 7.5 -32601", "must", ""),
            ("err true -32601", "must", ""),
            ("err [7] -32601", "must", ""),
            ("err null -32601", "must", "id null"),
            ("err 7 -32601 ; err 7 -32601", "must", MORE),
            ("err 7 -32601 ; err null -32601", "must", ""),
            ("err 7 -32601 ; ok 8", "must", ""),
            ("exit 0", "must", "exits"),
        ],
    ),
    echoed(
        r#"ask "A" _x/y"#,
        &[r#"err "A" -32601"#, r#"err "\u0041" -32601"#],
        &[
            (r#"err "a" -32601"#, "must", ""),
            (r#"err "A " -32601"#, "must", ""),
            (r#"err "" -32601"#, "must", ""),
            (r#"err "\\u0041" -32601"#, "must", ""),
            ("err null -32601", "must", "id null"),
        ],
    ),
    echoed(
        r#"ask "7" _x/y"#,
        &[r#"err "7" -32601"#, r#"err "\u0037" -32601"#],
        &[("err 7 -32601", "must", ""), (r#"err "7.0" -32601"#, "must", "")],
    ),
    echoed(
        r#"ask "a\/\"\n\ud83d\ude00" _x/y"#,
        &[r#"err "a/\"\u000a😀" -32601"#, r#"err "a\/\u0022\n\uD83D\uDE00" -32601"#],
        &[(r#"err "a/\"n😀" -32601"#, "must", ""), ("", "fails", NONE)],
    ),
    // RPC-02
    cell(
        "RPC-02",
        "1es",
        "FR",
        "ask 7 _x/y",
        &[],
        &[
            (r#"< {"id":7,"error":{"code":-32601,"message":"x"}}"#, "must", "shape"),
            (
                r#"< {"jsonrpc":"1.0","id":7,"error":{"code":-32601,"message":"x"}}"#,
                "must",
                "shape",
            ),
            (r#"< {"jsonrpc":2.0,"id":7,"error":{"code":-32601,"message":"x"}}"#, "must", "shape"),
            (r#"< {"jsonrpc":null,"id":7,"error":{"code":-32601,"message":"x"}}"#, "must", "shape"),
            (
                r#"< {"jsonrpc":"2.0","id":7,"result":null,"error":{"code":-32601,"message":"x"}}"#,
                "must",
                "shape",
            ),
            (
                r#"< {"jsonrpc":"2.0","id":7,"result":{},"error":{"code":-32601,"message":"x"}}"#,
                "must",
                "shape",
            ),
        ],
    ),
    cell(
        "RPC-02",
        "1es",
        "FR",
        "ask 7 session/list",
        &[r#"ok 7 {"sessions":[]}"#],
        &[
            (
                r#"< {"jsonrpc":"2.0","id":7,"result":{"sessions":[]},"error":null}"#,
                "must",
                "shape",
            ),
            (r#"< {"id":7,"result":{"sessions":[]}}"#, "must", "shape"),
        ],
    ),
    cell(
        "RPC-02|FRM-01",
        "1es",
        "FR",
        "ask 7 _x/y",
        &[],
        &[(r#"< {"jsonrpc":"2.0","id":7}"#, "must", "")],
    ),
    cell(
        "RPC-01|RPC-02",
        "1es",
        "FR",
        "ask 7 _x/y",
        &[],
        &[(r#"< {"jsonrpc":"2.0","error":{"code":-32601,"message":"x"}}"#, "must", "")],
    ),
    // RPC-03
    cell(
        "RPC-03",
        "1es",
        "FR",
        "ask 7 _x/y",
        &[
            "err 7 -32601 null",
            "err 7 -32601 []",
            r#"< {"jsonrpc":"2.0","id":7,"error":{"data":{"a":[1]},"message":"","code":-32601}}"#,
        ],
        &[
            (
                r#"< {"jsonrpc":"2.0","id":7,"error":{"code":"-32601","message":"x"}}"#,
                "must",
                "shape",
            ),
            (
                r#"< {"jsonrpc":"2.0","id":7,"error":{"code":-32601.5,"message":"x"}}"#,
                "must",
                "shape",
            ),
            (r#"< {"jsonrpc":"2.0","id":7,"error":{"code":null,"message":"x"}}"#, "must", "shape"),
            (r#"< {"jsonrpc":"2.0","id":7,"error":{"message":"x"}}"#, "must", "shape"),
            (r#"< {"jsonrpc":"2.0","id":7,"error":{"code":-32601}}"#, "must", "shape"),
            (
                r#"< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":null}}"#,
                "must",
                "shape",
            ),
            (r#"< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":5}}"#, "must", "shape"),
            (r#"< {"jsonrpc":"2.0","id":7,"error":"x"}"#, "must", "shape"),
            (r#"< {"jsonrpc":"2.0","id":7,"error":null}"#, "must", "shape"),
            (r#"< {"jsonrpc":"2.0","id":7,"error":[]}"#, "must", "shape"),
        ],
    ),
    // RPC-04, RPC-05, RPC-06, P31
    note("RPC-04", "tell _x/note"),
    note("RPC-04", "tell _x/note -"),
    note("RPC-04", "tell _x/note [1,2]"),
    note("RPC-04", "tell no_such_method"),
    note("RPC-04", "tell $/unknown"),
    note("RPC-04", "tell rpc.foo"),
    note("RPC-04", "tell session/update {\"sessionId\":\"x\",\"update\":{}}"),
    note("RPC-04", "tell session/cancel {\"sessionId\":\"never\"}"),
    note("RPC-04", "tell session/cancel {}"),
    note("RPC-04", "tell session/cancel -"),
    note("RPC-04|XCR-02", "tell $/cancel_request {\"requestId\":4711}"),
    note("RPC-04|XCR-02", "tell $/cancel_request {}"),
    note("RPC-04|RPC-06", "tell session/new {\"cwd\":\"/tmp\",\"mcpServers\":[]}"),
    note("RPC-04|RPC-06", "tell session/new {}"),
    note("RPC-04|RPC-06", "tell session/list"),
    note("RPC-04|RPC-06", "tell session/prompt {\"sessionId\":\"never\",\"prompt\":[]}"),
    note_survived("tell _x/note"),
    note_survived("tell no_such_method [1]"),
    note_survived("tell session/cancel -"),
    note_survived("tell $/cancel_request {}"),
    note_survived("tell session/new {}"),
    // RPC-07
    cell(
        "RPC-07",
        "1es",
        "FR",
        "ask 7 session/cancel {\"sessionId\":\"never\"}",
        &["ok 7", "ok 7 null", "err 7 -32600", "err 7 -32601"],
        &[
            ("", "fails", NONE),
            ("err 7 -32603", "derived", "error -32603"),
            ("err null -32600", "must", "id null"),
            ("ok 7 ; ok 7", "must", MORE),
        ],
    ),
    cell(
        "RPC-07",
        "1es",
        "FR",
        "ask 7 $/cancel_request {\"requestId\":4711}",
        &["ok 7", "ok 7 null", "err 7 -32600", "err 7 -32601"],
        &[("", "fails", NONE), ("err 7 -32603", "derived", "error -32603")],
    ),
    cell(
        "RPC-07|INIT-01|INIT-02",
        "1es",
        "U",
        "ask 7 session/cancel {\"sessionId\":\"never\"}",
        &["err 7 -32600"],
        &[("", "fails", NONE), ("err 7 -32601", "1:should es:must", "error -32601")],
    ),
    // RPC-08
    invalid("RPC-08", "> 42"),
    invalid("RPC-08", "> -0.5e3"),
    invalid("RPC-08", r#"> "x""#),
    invalid("RPC-08", "> null"),
    invalid("RPC-08", "> true"),
    invalid("RPC-08", "> «20»7«0d»"),
    // RPC-09
    invalid("RPC-09", "> {}"),
    invalid("RPC-09", r#"> {"jsonrpc":"2.0"}"#),
    invalid("RPC-09", r#"> {"jsonrpc":"2.0","params":{}}"#),
    invalid("RPC-09", r#"> {"foo":"bar"}"#),
    invalid_7("RPC-09|RPC-11", r#"> {"jsonrpc":"2.0","id":7}"#),
    invalid_7("RPC-09|RPC-11", r#"> {"jsonrpc":"2.0","id":7,"params":{}}"#),
    invalid_7("RPC-09|RPC-10", r#"> {"id":7}"#),
    // RPC-10
    invalid_7("RPC-10", r#"> {"id":7,"method":"_x/y","params":{}}"#),
    invalid_7("RPC-10", r#"> {"jsonrpc":"1.0","id":7,"method":"_x/y","params":{}}"#),
    invalid_7("RPC-10", r#"> {"jsonrpc":"2","id":7,"method":"_x/y"}"#),
    invalid_7("RPC-10", r#"> {"jsonrpc":2.0,"id":7,"method":"_x/y"}"#),
    invalid_7("RPC-10", r#"> {"jsonrpc":null,"id":7,"method":"session/list","params":{}}"#),
    invalid_7("RPC-10", r#"> {"id":7,"method":"session/list","params":{}}"#),
    invalid_7_before("RPC-10", r#"> {"id":7,"method":"_x/y","params":{}}"#),
    // Without a method nothing tells that a request came early.
    cell(
        "RPC-11",
        "1es",
        "U",
        r#"> {"jsonrpc":"2.0","id":7,"method":5}"#,
        &["err null -32600", "err 7 -32600"],
        &[("", "fails", NONE), ("err 7 -32601", "derived", "error -32601")],
    ),
    cell(
        "RPC-10",
        "1es",
        "U",
        r#"> {"jsonrpc":"1.0","id":7,"method":"initialize","params":@I@V}"#,
        &["err null -32600", "err 7 -32600"],
        &[("", "fails", NONE), ("ok 7 @R@V", "derived", "result")],
    ),
    // The union with RPC-18 and RPC-19.
    cell(
        "RPC-10",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.1","id":null,"method":"_x/y"}"#,
        &["err null -32600"],
        &[("", "fails", NONE), ("err null -32601", "s:derived", "")],
    ),
    // RPC-11
    invalid_7("RPC-11", r#"> {"jsonrpc":"2.0","id":7,"method":5}"#),
    invalid_7("RPC-11", r#"> {"jsonrpc":"2.0","id":7,"method":null,"params":{}}"#),
    invalid_7("RPC-11", r#"> {"jsonrpc":"2.0","id":7,"method":["session/list"]}"#),
    invalid_7("RPC-11|RPC-10", r#"> {"id":7,"method":{}}"#),
    invalid_7("RPC-11|RPC-13", r#"> {"jsonrpc":"2.0","method":true,"id":7,"params":[]}"#),
    // RPC-12
    invalid("RPC-12", r#"> {"jsonrpc":"2.0","method":1}"#),
    invalid("RPC-12", r#"> {"jsonrpc":"2.0","method":null,"params":{}}"#),
    invalid("RPC-12", r#"> {"method":[],"jsonrpc":"2.0","params":[1]}"#),
    // RPC-13
    cell(
        "RPC-13",
        "1es",
        "FR",
        r#"ask 7 session/list 5"#,
        &["err 7 -32600", "err null -32600", "err 7 -32602"],
        &[
            ("", "fails", NONE),
            (r#"ok 7 {"sessions":[]}"#, "derived", "result"),
            ("err 7 -32601", "derived", "error -32601"),
            ("err 7 -32603", "derived", "error -32603"),
            ("err null -32602", "derived", "error -32602"),
        ],
    ),
    cell(
        "RPC-13",
        "1es",
        "FR",
        r#"ask 7 _x/y "scalar""#,
        &["err 7 -32600", "err null -32600", "err 7 -32602", "err 7 -32601"],
        &[
            ("", "fails", NONE),
            ("ok 7", "derived", "result"),
            ("err null -32601", "derived", "error -32601"),
        ],
    ),
    cell(
        "RPC-13",
        "1es",
        "U",
        r#"ask 7 _x/y true"#,
        &["err 7 -32600", "err null -32600"],
        &[("", "fails", NONE), ("err 7 -32602", "1:should es:derived", "error -32602")],
    ),
    // RPC-14
    cell(
        "RPC-14",
        "1es",
        "UFR",
        "tell _x/note 5",
        &["", "err null -32600"],
        &[
            ("err null -32602", "derived", "error -32602"),
            ("ok null", "derived", "result"),
            ("exit 1", "must", "exits"),
        ],
    ),
    cell(
        "RPC-14",
        "1es",
        "UFR",
        "tell session/cancel \"x\"",
        &["", "err null -32600"],
        &[("err null -32601", "derived", "error -32601")],
    ),
    // RPC-15
    cell(
        "RPC-15",
        "1es",
        "FR",
        "ask 7 session/list null",
        &[
            r#"ok 7 {"sessions":[]}"#,
            "err 7 -32600",
            "err null -32600",
            "err 7 -32602",
            "err 7 -32603",
        ],
        &[("", "fails", NONE), ("err 7 -32602 ; err 7 -32602", "must", MORE)],
    ),
    cell("RPC-15|RPC-04", "1es", "UFR", "tell _x/note null", &[""], &[]),
    // RPC-16
    cell(
        "RPC-16",
        "1es",
        "FR",
        "ask 7 session/list -",
        &[r#"ok 7 {"sessions":[]}"#, r#"ok 7 {"nextCursor":null,"sessions":[],"_meta":{"a":1}}"#],
        &[
            ("", "fails", NONE),
            ("err 7 -32602", "derived", "error -32602"),
            ("err 7 -32600", "derived", "error -32600"),
            ("err null -32600", "derived", "id null"),
        ],
    ),
    // RPC-17
    cell(
        "RPC-17",
        "1es",
        "FR",
        "ask 7 session/list []",
        &[r#"ok 7 {"sessions":[]}"#, "err 7 -32602"],
        &[
            ("", "fails", NONE),
            ("err 7 -32600", "derived", "error -32600"),
            ("err 7 -32601", "derived", "error -32601"),
        ],
    ),
    // P13: the method first.
    cell(
        "RPC-17|EXT-01|ERR-01",
        "1es",
        "FR",
        "ask 7 _x/y [1]",
        &["err 7 -32601"],
        &[("err 7 -32602", "derived", "error -32602"), ("", "fails", NONE)],
    ),
    // RPC-18, RPC-19
    null_id("ask null _x/y"),
    null_id("ask null session/list"),
    null_id("ask null _x/y -"),
    cell(
        "RPC-18",
        "s",
        "UFR",
        "ask null _x/y",
        &["err null -32600"],
        &[
            ("", "fails", NONE),
            ("err null -32601", "derived", "error -32601"),
            ("ok null", "derived", "result"),
        ],
    ),
    // P8
    cell(
        "RPC-18",
        "e",
        "U",
        "ask null _x/y",
        &["err null -32600"],
        &[("", "fails", NONE), ("err null -32601", "derived", "error -32601")],
    ),
    cell(
        "RPC-19",
        "1",
        "U",
        "ask null _x/y",
        &["err null -32600", "err null -32601", "ok null"],
        &[("", "fails", NONE)],
    ),
    // RPC-20
    illegal_id("ask true _x/y"),
    illegal_id(r#"ask {"a":1} _x/y"#),
    illegal_id("ask [] _x/y"),
    cell(
        "RPC-20",
        "1es",
        "FR",
        "ask true _x/y",
        &[],
        &[("err true -32601", "derived", ""), ("err true -32600", "derived", "")],
    ),
    cell(
        "RPC-20",
        "1es",
        "FR",
        "ask [7] _x/y",
        &[],
        &[("err [7] -32601", "derived", ""), ("err 7 -32601", "derived", "")],
    ),
    fraction(
        "ask 1.5 _x/y",
        &[
            "err null -32600",
            "err 1.5 -32600",
            "err 1.5 -32601",
            "err 1.50 -32601",
            "err 15e-1 -32602",
            "ok 1.5",
        ],
    ),
    fraction("ask 1e-400 _x/y", &["err null -32600", "err 1e-400 -32601"]),
    cell(
        "RPC-20",
        "s",
        "FR",
        "ask 1.5 _x/y",
        &["err null -32600"],
        &[
            ("err 1.5 -32601", "derived", ""),
            ("err 1.5 -32600", "derived", ""),
            ("", "fails", NONE),
        ],
    ),
    cell(
        "RPC-20|RPC-01",
        "1",
        "FR",
        "ask 1.5 _x/y",
        &[],
        // Rounded: neither refused nor echoed.
        &[("err 1 -32601", "derived", ""), ("err 2 -32601", "derived", "")],
    ),
    // RPC-21
    cell(
        "RPC-21",
        "1es",
        "FR",
        "ask 1.0 _x/y",
        &[
            "err null -32600",
            "err 1 -32601",
            "err 1.0 -32601",
            "err 1e0 -32600",
            "err 10e-1 -32602",
            "ok 1",
        ],
        &[("", "fails", NONE), ("err 1 -32601 ; err 1.0 -32601", "must", MORE)],
    ),
    cell("RPC-21", "1es", "FR", "ask 1e2 _x/y", &["err 100 -32601", "err null -32600"], &[]),
    // RPC-22
    echoed(
        "ask 9223372036854775808 _x/y",
        &[
            "err null -32600",
            "err 9223372036854775808 -32601",
            "err 9.223372036854775808e18 -32601",
            "err 9223372036854775808 -32600",
        ],
        &[
            ("", "fails", NONE),
            ("err 9223372036854775807 -32601", "must", ""),
            ("err 9223372036854776000 -32601", "must", ""),
            ("err -9223372036854775808 -32601", "must", ""),
            (r#"err "9223372036854775808" -32601"#, "must", ""),
            ("err null -32601", "must", ""),
            ("err null -32700", "must", ""),
        ],
    ),
    echoed(
        "ask 18446744073709551616 _x/y",
        &["err null -32600", "err 18446744073709551616 -32601"],
        &[("err 0 -32601", "must", ""), ("err 1.8446744073709552e19 -32601", "must", "")],
    ),
    echoed(
        "ask -9223372036854775809 _x/y",
        &["err null -32600", "err -9223372036854775809 -32601"],
        &[
            ("err 9223372036854775807 -32601", "must", ""),
            ("err -9223372036854775808 -32601", "must", ""),
        ],
    ),
    echoed(
        "ask 123456789012345678901234567890123456789012345678901234567890 _x/y",
        &[
            "err null -32600",
            "err 123456789012345678901234567890123456789012345678901234567890 -32601",
        ],
        &[("err 1.2345678901234568e59 -32601", "must", "")],
    ),
    echoed(
        "ask 9007199254740993 _x/y",
        &["err 9007199254740993 -32601", "err 9007199254740993.0 -32601"],
        &[
            ("err 9007199254740992 -32601", "must", ""),
            ("err 9007199254740994 -32601", "must", ""),
            ("err null -32600", "1:derived es:must", "id null"),
        ],
    ),
    echoed(
        "ask 9223372036854775807 _x/y",
        &["err 9223372036854775807 -32601"],
        &[
            ("err 9223372036854775808 -32601", "must", ""),
            ("err null -32600", "1:derived es:must", "id null"),
        ],
    ),
    echoed(
        "ask -9223372036854775808 _x/y",
        &["err -9223372036854775808 -32601"],
        &[("err 9223372036854775808 -32601", "must", ""), ("", "fails", NONE)],
    ),
    // RPC-23
    echoed(
        r#"ask "" _x/y"#,
        &[r#"err "" -32601"#],
        &[
            ("", "fails", NONE),
            ("err null -32601", "must", "id null"),
            (r#"err " " -32601"#, "must", ""),
        ],
    ),
    echoed("ask -1 _x/y", &["err -1 -32601"], &[("err 1 -32601", "must", ""), ("", "fails", NONE)]),
    echoed(
        "ask 0 _x/y",
        &["err 0 -32601", "err -0 -32601", "err 0.0 -32601"],
        &[("", "fails", NONE)],
    ),
    echoed(
        r#"ask "«q*100000»" _x/y"#,
        &[r#"err "«q*100000»" -32601"#],
        &[(r#"err "«q*99999»" -32601"#, "fails", "another id"), ("", "fails", NONE)],
    ),
    echoed(
        r#"ask "日本é" _x/y"#,
        &[r#"err "日本é" -32601"#, r#"err "\u65e5\u672c\u00e9" -32601"#],
        &[("err \"日本e\u{301}\" -32601", "must", ""), (r#"err "???" -32601"#, "must", "")],
    ),
    echoed(
        r#"ask "a\u0000b" _x/y"#,
        &[r#"err "a\u0000b" -32601"#],
        &[(r#"err "a" -32601"#, "must", ""), (r#"err "ab" -32601"#, "must", "")],
    ),
    // RPC-27
    answer("RPC-27", r#"> {"jsonrpc":"2.0","id":99,"result":{}}"#),
    answer("RPC-27", r#"> {"jsonrpc":"2.0","id":99,"result":null}"#),
    answer("RPC-27", r#"> {"jsonrpc":"2.0","id":99,"error":{"code":-32603,"message":"x"}}"#),
    // RPC-28
    bad_answer(r#"> {"jsonrpc":"2.0","id":99,"result":{},"error":{"code":1,"message":"x"}}"#),
    bad_answer(r#"> {"jsonrpc":"2.0","id":99,"error":5}"#),
    bad_answer(r#"> {"jsonrpc":"2.0","id":99,"error":{"code":"x"}}"#),
    bad_answer(r#"> {"jsonrpc":"2.0","result":{}}"#),
    bad_answer(r#"> {"jsonrpc":"2.0","error":{"code":1,"message":"x"}}"#),
    // RPC-29
    cell(
        "RPC-29",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{},"result":{}}"#,
        &["", "err 7 -32600", "err null -32600", "err 7 -32601", "ok 7"],
        &[("exit 1", "must", "exits"), ("err 7 -32601 ; err 7 -32600", "must", MORE)],
    ),
    cell(
        "RPC-29",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","method":"_x/y","error":{"code":1,"message":"x"}}"#,
        &["", "err null -32600"],
        &[("exit 1", "must", "exits")],
    ),
    // RPC-30
    cell(
        "RPC-30",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{},"extra":[1],"_meta":{}}"#,
        &["err 7 -32601", "err 7 -32600", "err null -32600"],
        &[
            ("", "fails", NONE),
            ("err 7 -32601 ; err 7 -32600", "must", MORE),
            ("exit 1", "must", ""),
        ],
    ),
    cell(
        "RPC-30|RPC-04",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","method":"_x/note","params":{},"extra":1}"#,
        &[""],
        &[],
    ),
    // RPC-31
    cell(
        "RPC-31",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"id":8,"method":"_x/y"}"#,
        &["err 7 -32601", "err 8 -32601", "err null -32600", "err null -32700", "ok 8"],
        &[
            ("", "fails", NONE),
            ("err 7 -32601 ; err 8 -32601", "must", MORE),
            ("exit 1", "must", ""),
        ],
    ),
    cell(
        "RPC-31",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","method":"session/list","params":{}}"#,
        &[
            "err 7 -32601",
            r#"ok 7 {"sessions":[]}"#,
            "err null -32600",
            "err null -32700",
            "err 7 -32602",
        ],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-31",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":1,"a":2,"\u0061":3}}"#,
        &["err 7 -32601", "err null -32600", "err null -32700"],
        &[("", "fails", NONE)],
    ),
    // RPC-32, RPC-33, RPC-34, EXT-01
    unknown("RPC-32", "ask 7 rpc.foo"),
    unknown("RPC-32", "ask 7 rpc.discover -"),
    unknown("RPC-32", r#"> {"jsonrpc":"2.0","id":7,"method":"","params":{}}"#),
    unknown("RPC-33", r#"ask 7 session/update {"sessionId":"x"}"#),
    unknown("RPC-33", "ask 7 session/request_permission"),
    unknown("RPC-33|ERR-01", r#"ask 7 fs/read_text_file {"path":"/etc/passwd","sessionId":"x"}"#),
    unknown("RPC-33|ERR-01", "ask 7 terminal/create"),
    unknown("RPC-34", "ask 7 $/foo"),
    unknown("RPC-34", "ask 7 $/progress -"),
    unknown("EXT-01|CAP-14", "ask 7 _x/y"),
    unknown("EXT-01|CAP-14", r#"ask 7 _x/y {"sessionId":"never"}"#),
    unknown("ERR-01", "ask 7 no/such/method"),
    unknown("ERR-01", "ask 7 Session/List"),
    unknown("ERR-01", "ask 7 session/listx"),
    unknown("ERR-01", r#"> {"jsonrpc":"2.0","id":7,"method":"sess\u0069on/nope"}"#),
    // RPC-35
    cell(
        "RPC-35",
        "1es",
        "FR",
        r#"ask 7 session/list {"foo":1,"_meta":{"x":[]}}"#,
        &[r#"ok 7 {"sessions":[]}"#, r#"ok 7 {"sessions":[],"nextCursor":null}"#],
        &[
            ("", "fails", NONE),
            ("err 7 -32602", "derived", "error -32602"),
            ("err 7 -32600", "derived", "error -32600"),
        ],
    ),
    // The same method, spelled with escapes.
    cell(
        "CAP-03|SES-30|ERR-02",
        "1es",
        "FR",
        r#"> {"params":{},"method":"session\/l\u0069st","id":7,"jsonrpc":"2.0"}"#,
        &[r#"ok 7 {"sessions":[]}"#],
        &[],
    ),
    // P3 with a fault of the id too.
    cell(
        "RPC-13|RPC-20",
        "1e",
        "FR",
        r#"> {"jsonrpc":"2.0","id":1.5,"method":"_x/y","params":5}"#,
        &["err null -32600", "err 1.5 -32600", "err 1.5 -32601", "err 1.5 -32602"],
        &[("", "fails", NONE)],
    ),
    // Not covered by a fixed row: the union.
    cell(
        "RPC-09|RPC-20",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":true}"#,
        &["err null -32600"],
        &[("", "fails", NONE), ("err null -32700", "derived", "")],
    ),
    cell(
        "RPC-11|RPC-22",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":9223372036854775808,"method":1}"#,
        &["err null -32600", "err 9223372036854775808 -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-28|RPC-10",
        "1es",
        "UFR",
        r#"> {"id":99,"result":{}}"#,
        &["", "err null -32600"],
        &[],
    ),
    // RPC-31: the first or the last may count, whatever that makes of the message.
    twice(r#"> {"jsonrpc":"2.0","jsonrpc":"1.0","id":7,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"1.0","jsonrpc":"2.0","id":7,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","method":5}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"method":5,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{},"params":5}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":5,"params":{}}"#),
    twice(r#"> {"jsonrpc":"2.0","id":null,"id":7,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"id":null,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":true,"id":7,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"id":true,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"id":1.5,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":"7","\u0069d":7,"method":"_x/y"}"#),
    twice(r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","x":1,"x":2}"#),
    cell(
        "RPC-31",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","method":"_x/note","params":{"a":1,"a":2}}"#,
        &["", "err null -32600", "err null -32700"],
        &[],
    ),
    cell(
        "RPC-31",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":98,"id":99,"result":{}}"#,
        &["", "err null -32600", "err null -32700"],
        &[],
    ),
    // P2 before initialize: what would be served or refused for params is refused for coming early.
    cell(
        "RPC-20",
        "1e",
        "U",
        "ask 1.5 _x/y",
        &["err 1.5 -32600", "err null -32600"],
        &[("err 1.5 -32601", "1:should es:derived", ""), ("", "fails", NONE)],
    ),
    cell(
        "RPC-20",
        "s",
        "U",
        "ask 1.5 _x/y",
        &["err null -32600"],
        &[("err 1.5 -32600", "derived", "")],
    ),
    early_flaw(
        "RPC-17",
        "ask 7 _x/y [1]",
        &["err 7 -32600"],
        &[
            ("err 7 -32602", "1:should es:derived", ""),
            ("err 7 -32601", "1:should es:derived", ""),
            ("", "fails", NONE),
        ],
    ),
    early_flaw(
        "RPC-35",
        r#"ask 7 session/list {"foo":1}"#,
        &["err 7 -32600"],
        &[
            ("err 7 -32602", "1:should es:derived", ""),
            (r#"ok 7 {"sessions":[]}"#, "1:should es:derived", ""),
            ("", "fails", NONE),
        ],
    ),
    early_flaw(
        "RPC-22",
        "ask 9223372036854775808 _x/y",
        &["err 9223372036854775808 -32600", "err null -32600"],
        &[
            ("err 9223372036854775808 -32601", "1:should es:must", ""),
            ("err 9223372036854775807 -32600", "must", "another id"),
            ("", "fails", NONE),
        ],
    ),
    early_flaw(
        "RPC-23|INIT-01|INIT-02",
        r#"ask "" _x/y"#,
        &[r#"err "" -32600"#],
        &[(r#"err "" -32601"#, "1:should es:must", ""), ("", "fails", NONE)],
    ),
    early_flaw(
        "RPC-15",
        "ask 7 _x/y null",
        &["err 7 -32600", "err null -32600"],
        &[("", "must", NONE)],
    ),
    early_flaw(
        "RPC-30",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","extra":1}"#,
        &["err 7 -32600", "err null -32600"],
        &[("", "must", NONE)],
    ),
    early_flaw(
        "RPC-16",
        "ask 7 session/list -",
        &["err 7 -32600"],
        &[(r#"ok 7 {"sessions":[]}"#, "1:should es:derived", ""), ("", "fails", NONE)],
    ),
    // Unions with id null and with what is heavy.
    cell(
        "RPC-13|RPC-18|RPC-19",
        "1es",
        "UFR",
        "ask null _x/y 5",
        &["err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-13|RPC-18|RPC-19",
        "1e",
        "FR",
        "ask null _x/y 5",
        &["err null -32602", "err null -32601"],
        &[],
    ),
    cell(
        "RPC-22",
        "1es",
        "FR",
        "ask 9223372036854775808 _x/y 5",
        &[
            "err null -32600",
            "err 9223372036854775808 -32600",
            "err 9223372036854775808 -32602",
            "err 9223372036854775808 -32601",
        ],
        &[],
    ),
    cell(
        "FRM-10|RPC-04",
        "1es",
        "UFR",
        r#"tell _x/note {"a":1e400}"#,
        &["", "err null -32700", "err null -32600"],
        &[],
    ),
    cell(
        "FRM-10|RPC-08",
        "1es",
        "UFR",
        "> 1e400",
        &["err null -32600", "err null -32700"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-10|RPC-27",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","id":99,"result":"\ud800"}"#,
        &["", "err null -32700"],
        &[],
    ),
    cell(
        "FRM-10|RPC-20",
        "1es",
        "UFR",
        "ask «[*200»«]*200» _x/y",
        &["err null -32600", "err null -32700"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-10|RPC-12",
        "1es",
        "UFR",
        r#"> {"jsonrpc":"2.0","method":1e400}"#,
        &["err null -32600", "err null -32700"],
        &[("", "fails", NONE)],
    ),
    cell(
        "FRM-10|RPC-31",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"\ud800":1,"\ud800":2}}"#,
        &["err 7 -32601", "err null -32600", "err null -32700"],
        &[],
    ),
    // More responses than asked for.
    cell(
        "RPC-14|RPC-01",
        "1es",
        "FR",
        "tell _x/note 5",
        &[],
        &[("err null -32600 ; err null -32600", "must", MORE)],
    ),
    cell(
        "RPC-28|RPC-01",
        "1es",
        "FR",
        r#"> {"jsonrpc":"2.0","result":{}}"#,
        &[],
        &[("err null -32600 ; err null -32600", "must", MORE)],
    ),
    // RPC-01 holds before initialize too.
    cell(
        "RPC-01",
        "1es",
        "U",
        "ask 7 _x/y",
        &[],
        &[("err 8 -32600", "must", "another id"), (r#"err "7" -32600"#, "must", "another id")],
    ),
    // ERR-05 beside a tolerant row.
    cell(
        "ERR-05",
        "1e",
        "FR",
        "ask null _x/y",
        &["err null -31999", "err null 5"],
        &[("err null -32050", "should", "")],
    ),
];

/// A member given twice: any single answer that some reading allows.
const fn twice(send: &'static str) -> Cell {
    cell(
        "RPC-31",
        "1es",
        "FR",
        send,
        &["err 7 -32601", "err 7 -32600", "err null -32600", "err null -32700"],
        &[("", "fails", NONE), ("exit 1", "must", "exits")],
    )
}

const fn early_flaw(
    rule: &'static str,
    send: &'static str,
    good: &'static [&'static str],
    bad: &'static [Find],
) -> Cell {
    cell(rule, "1es", "U", send, good, bad)
}
