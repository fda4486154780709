//! INIT: the handshake, its repeats, and what comes before it.

use super::{Agent::*, Cell, MORE, NONE, cell, of};

/// Any request but initialize, before it (P4 to P7).
const fn early(rule: &'static str, send: &'static str) -> Cell {
    cell(
        rule,
        "1es",
        "U",
        send,
        &["err 7 -32600", r#"err 7 -32600 {"hint":"initialize first"}"#],
        &[
            ("", "fails", NONE),
            ("err 7 -32601", "1:should es:must", "error -32601"),
            ("err 7 -32602", "1:should es:must", "error -32602"),
            ("err 7 -32000", "1:should es:must", "error -32000"),
            ("err 7 -32002", "1:should es:must", "error -32002"),
            ("err 7 -32603", "1:should es:must", "error -32603"),
            ("ok 7", "1:should es:must", "result"),
            ("err null -32600", "must", "id null"),
            ("err 7 -32600 ; err 7 -32600", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

/// A protocolVersion that is no unsigned 16-bit integer.
const fn no_version(params: &'static str) -> Cell {
    cell(
        "INIT-12",
        "1es",
        "U",
        params,
        &["err 7 -32602", r#"err 7 -32602 "protocolVersion""#],
        &[
            ("", "fails", NONE),
            ("err 7 -32600", "derived", "error -32600"),
            ("err 7 -32603", "derived", "error -32603"),
            ("err null -32602", "must", "id null"),
            ("err 7 -32602 ; err 7 -32602", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    )
}

const fn bad_info(send: &'static str) -> Cell {
    cell(
        "INIT-13",
        "es",
        "U",
        send,
        &["err 7 -32602", r#"err 7 -32602 {"missing":"info"}"#],
        &[
            ("", "fails", NONE),
            ("ok 7 @R2", "derived", "result"),
            ("err 7 -32600", "derived", "error -32600"),
            ("err 7 -32022", "derived", "error -32022"),
        ],
    )
}

/// Malformed where malformed counts as absent.
const fn lenient(who: &'static str, send: &'static str) -> Cell {
    cell(
        "INIT-14",
        who,
        "U",
        send,
        &["ok 7 @R@V", "err 7 -32602"],
        &[
            ("", "fails", NONE),
            ("err 7 -32600", "derived", "error -32600"),
            ("err 7 -32603", "derived", "error -32603"),
            ("exit 101", "must", "exits"),
        ],
    )
}

/// A v2-only agent asked for a version below.
const fn too_low(send: &'static str) -> Cell {
    of(
        One,
        cell(
            "INIT-09|ERR-04",
            "e",
            "U",
            send,
            &[
                "err 7 -32022",
                r#"err 7 -32022 {"requested":1,"supported":[2]}"#,
                r#"err 7 -32022 "anything""#,
            ],
            &[
                ("", "fails", NONE),
                ("ok 7 @R2", "derived", "result"),
                ("err 7 -32602", "derived", "error -32602"),
                ("err 7 -32600", "derived", "error -32600"),
                ("err null -32022", "must", "id null"),
            ],
        ),
    )
}

pub(crate) const CELLS: &[Cell] = &[
    // INIT-01, INIT-02, P4 to P6
    early("INIT-01|INIT-02", "ask 7 _x/y"),
    early("INIT-01|INIT-02", "ask 7 no/such/method -"),
    early("INIT-01|INIT-02", "ask 7 session/list"),
    early("INIT-01|INIT-02", r#"ask 7 session/new {"cwd":"/tmp","mcpServers":[]}"#),
    early("INIT-01|INIT-02", r#"ask 7 session/new {"cwd":5}"#),
    early("INIT-01|INIT-02", r#"ask 7 session/prompt {"sessionId":"never","prompt":[]}"#),
    early("INIT-01|INIT-02", r#"ask 7 session/close {"sessionId":"never"}"#),
    early("INIT-01|INIT-02", "ask 7 rpc.foo"),
    early("INIT-01|INIT-02", "ask 7 $/foo"),
    early("INIT-01|INIT-02", "ask 7 fs/read_text_file"),
    early("INIT-01|INIT-02", "ask 7 Initialize @I@V"),
    early("AUTH-21|INIT-01|INIT-02", r#"ask 7 auth/login {"methodId":"x"}"#),
    early("AUTH-21|INIT-01|INIT-02", r#"ask 7 authenticate {"methodId":"x"}"#),
    // INIT-03
    cell(
        "INIT-03|RPC-04",
        "1es",
        "U",
        "tell session/cancel {\"sessionId\":\"never\"}",
        &[""],
        &[("err null -32600", "must", ""), ("exit 1", "must", "exits"), ("hang", "must", "")],
    ),
    // XCR-08
    cell(
        "XCR-08|RPC-04|XCR-02",
        "es",
        "U",
        "tell $/cancel_request {\"requestId\":1}",
        &[""],
        &[("err null -32600", "must", "")],
    ),
    // INIT-05, INIT-07
    cell(
        "INIT-05|INIT-07|INIT-25",
        "es",
        "U",
        "ask 7 initialize @I2",
        &[
            "ok 7 @R2",
            r#"ok 7 {"protocolVersion":2,"info":{"name":"","version":""}}"#,
            r#"ok 7 {"authMethods":[],"info":{"name":"a","version":"1","title":"A"},"protocolVersion":2,"capabilities":{"session":null}}"#,
            r#"ok 7 {"protocolVersion":2,"info":{"name":"a","version":"1","title":null},"authMethods":[{"methodId":"x","id":"x","name":"X","type":"agent"}],"_meta":{"a":1}}"#,
            r#"ok 7.0 {"protocolVersion":2,"info":{"version":"1","name":"a"},"capabilities":{}}"#,
        ],
        &[
            ("", "fails", NONE),
            ("err 7 -32603", "must", "error -32603"),
            ("err 7 -32602", "must", "error -32602"),
            ("err 7 -32600", "must", "error -32600"),
            ("ok 7 @R2 ; ok 7 @R2", "must", MORE),
            ("exit 1", "must", "exits"),
            (r#"ok 7 {"protocolVersion":2,"capabilities":{}}"#, "must", ""),
            (r#"ok 7 {"protocolVersion":3,"info":{"name":"a","version":"1"}}"#, "must", ""),
            (r#"ok 7 {"protocolVersion":"2","info":{"name":"a","version":"1"}}"#, "must", ""),
            (r#"ok 7 {"info":{"name":"a","version":"1"}}"#, "must", ""),
            ("ok 7 null", "must", ""),
            ("ok 7 []", "must", ""),
            ("ok 7", "must", ""),
        ],
    ),
    of(
        One,
        cell(
            "INIT-05|INIT-07",
            "es",
            "U",
            "ask 7 initialize @I2",
            &[],
            &[(r#"ok 7 {"protocolVersion":1,"agentCapabilities":{}}"#, "must", "")],
        ),
    ),
    // INIT-06
    cell(
        "INIT-06|INIT-07|INIT-10|INIT-11",
        "1",
        "U",
        "ask 7 initialize @I1",
        &[
            "ok 7 @R1",
            r#"ok 7 {"protocolVersion":1}"#,
            r#"ok 7 {"agentInfo":{"name":"a","version":"1"},"protocolVersion":1,"authMethods":[],"agentCapabilities":{"loadSession":false}}"#,
            r#"ok 7 {"protocolVersion":1,"agentInfo":null,"_meta":{}}"#,
        ],
        &[
            ("", "fails", NONE),
            ("err 7 -32603", "must", "error -32603"),
            ("err 7 -32600", "must", "error -32600"),
            ("ok 7 @R1 ; ok 7 @R1", "must", MORE),
            (r#"ok 7 {"protocolVersion":0}"#, "must", ""),
            (r#"ok 7 {"protocolVersion":"1"}"#, "must", ""),
            (r#"ok 7 {"agentCapabilities":{}}"#, "must", ""),
            ("ok 7 null", "must", ""),
            ("exit 1", "must", "exits"),
        ],
    ),
    of(
        One,
        cell("INIT-06|INIT-07", "1", "U", "ask 7 initialize @I1", &[], &[("ok 7 @R2", "must", "")]),
    ),
    // INIT-08, P11
    of(
        One,
        cell(
            "INIT-08",
            "es",
            "U",
            "ask 7 initialize @I3",
            &["ok 7 @R2"],
            &[
                ("", "fails", NONE),
                ("err 7 -32022 {\"requested\":3,\"supported\":[2]}", "must", "error -32022"),
                ("err 7 -32602", "must", "error -32602"),
                (r#"ok 7 {"protocolVersion":3,"info":{"name":"a","version":"1"}}"#, "must", ""),
            ],
        ),
    ),
    of(
        Any,
        cell(
            "INIT-08|INIT-11",
            "es",
            "U",
            "ask 7 initialize @I65535",
            &["ok 7 @R2"],
            &[("err 7 -32602", "must", "")],
        ),
    ),
    of(
        Any,
        cell(
            "INIT-08|INIT-11",
            "es",
            "U",
            r#"ask 7 initialize {"protocolVersion":3,"info":5,"capabilities":true,"new":[]}"#,
            // Refusing the capabilities is INIT-14's to allow.
            &["ok 7 @R2", "err 7 -32602"],
            &[("err 7 -32022", "derived", ""), ("err 7 -32600", "derived", "")],
        ),
    ),
    cell(
        "INIT-08|INIT-11",
        "es",
        "U",
        r#"ask 7 initialize {"protocolVersion":99}"#,
        &["ok 7 @R2"],
        &[("", "fails", NONE), ("err 7 -32602", "fails", "error -32602")],
    ),
    // INIT-09, ERR-04, P10
    too_low("ask 7 initialize @J1"),
    too_low("ask 7 initialize @I0"),
    of(
        One,
        cell(
            "INIT-09|ERR-04",
            "s",
            "U",
            "ask 7 initialize @J1",
            &[
                r#"err 7 -32022 {"requested":1,"supported":[2]}"#,
                r#"err 7 -32022 {"supported":[],"x":null,"requested":1}"#,
            ],
            &[
                ("err 7 -32022", "derived", ""),
                ("err 7 -32022 null", "derived", ""),
                (r#"err 7 -32022 {"requested":1}"#, "derived", ""),
                (r#"err 7 -32022 {"requested":"1","supported":[2]}"#, "derived", ""),
                (r#"err 7 -32022 {"requested":1,"supported":["2"]}"#, "derived", ""),
                (r#"err 7 -32022 {"requested":1,"supported":2}"#, "derived", ""),
                ("err 7 -32602", "derived", "error -32602"),
                ("ok 7 @R2", "derived", "result"),
                ("", "fails", NONE),
            ],
        ),
    ),
    of(
        One,
        cell(
            "INIT-09",
            "e",
            "U",
            "ask 7 initialize @I1",
            &["err 7 -32022", "err 7 -32602", r#"err 7 -32022 {"supported":[2]}"#],
            &[
                ("", "fails", NONE),
                ("ok 7 @R2", "derived", "result"),
                ("err 7 -32600", "derived", ""),
            ],
        ),
    ),
    of(
        One,
        cell(
            "INIT-09|ERR-04",
            "s",
            "U",
            "ask 7 initialize @I1",
            &[r#"err 7 -32022 {"requested":1,"supported":[2]}"#, "err 7 -32602"],
            &[("err 7 -32022", "derived", "")],
        ),
    ),
    of(
        One,
        cell(
            "INIT-09",
            "e",
            "F",
            "ask 7 initialize @J1",
            &["err 7 -32022", "err 7 -32600"],
            &[("", "fails", NONE)],
        ),
    ),
    // INIT-10, ERR-06
    of(
        One,
        cell(
            "INIT-10|ERR-06",
            "1",
            "U",
            "ask 7 initialize @I2",
            &["ok 7 @R1", r#"ok 7 {"protocolVersion":1}"#],
            &[
                ("", "fails", NONE),
                ("err 7 -32602", "must", "error -32602"),
                ("err 7 -32600", "must", "error -32600"),
                ("ok 7 @R2", "must", ""),
                (r#"err 7 -32022 {"requested":2,"supported":[1]}"#, "must", "error -32022"),
            ],
        ),
    ),
    of(
        One,
        cell(
            "INIT-10",
            "1",
            "U",
            "ask 7 initialize @I0",
            &["ok 7 @R1"],
            &[("err 7 -32602", "must", "")],
        ),
    ),
    of(
        One,
        cell(
            "INIT-10",
            "1",
            "U",
            "ask 7 initialize @I99",
            &["ok 7 @R1"],
            &[("err 7 -32602", "must", "")],
        ),
    ),
    of(
        One,
        cell(
            "INIT-10",
            "1",
            "U",
            "ask 7 initialize @I65535",
            &["ok 7 @R1"],
            &[("", "fails", NONE)],
        ),
    ),
    of(
        One,
        cell(
            "INIT-10",
            "1",
            "U",
            r#"ask 7 initialize {"protocolVersion":2}"#,
            &["ok 7 @R1"],
            &[("err 7 -32022", "must", "")],
        ),
    ),
    // INIT-11
    of(
        Both,
        cell(
            "INIT-11",
            "es",
            "U",
            "ask 7 initialize @I2",
            &["ok 7 @R2"],
            &[("ok 7 @R1", "must", "")],
        ),
    ),
    of(
        Both,
        cell(
            "INIT-11",
            "es",
            "U",
            "ask 7 initialize @I3",
            &["ok 7 @R2"],
            &[("ok 7 @R1", "must", "")],
        ),
    ),
    of(
        Both,
        cell(
            "INIT-11|INIT-06|INIT-07",
            "1es",
            "U",
            "ask 7 initialize @I1",
            &["ok 7 @R1"],
            &[("ok 7 @R2", "must", "")],
        ),
    ),
    of(
        Both,
        cell(
            "INIT-11",
            "1es",
            "U",
            "ask 7 initialize @I0",
            &["ok 7 @R1", "err 7 -32022"],
            &[("ok 7 @R2", "must", ""), ("err 7 -32602", "must", ""), ("", "fails", NONE)],
        ),
    ),
    // INIT-12, P9
    no_version(r#"ask 7 initialize {"info":{"name":"c","version":"1"}}"#),
    no_version("ask 7 initialize"),
    no_version("ask 7 initialize -"),
    no_version(r#"ask 7 initialize {"protocolVersion":"@V","info":{"name":"c","version":"1"}}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":null,"info":{"name":"c","version":"1"}}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":-1,"info":{"name":"c","version":"1"}}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":1.5,"info":{"name":"c","version":"1"}}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":65536,"info":{"name":"c","version":"1"}}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":18446744073709551617,"info":5}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":[@V],"info":5}"#),
    no_version(r#"ask 7 initialize {"protocolVersion":"2024-11-05"}"#),
    cell(
        "INIT-12",
        "1es",
        "U",
        r#"ask 7 initialize {"protocolVersion":"x"}"#,
        &[],
        &[("ok 7 @R@V", "derived", "result")],
    ),
    cell(
        "INIT-12",
        "1es",
        "U",
        r#"ask 7 initialize {"protocolVersion":@V.0,"info":{"name":"c","version":"1"},"capabilities":{}}"#,
        &["ok 7 @R@V", "err 7 -32602"],
        &[("", "fails", NONE), ("err 7 -32600", "derived", "")],
    ),
    cell(
        "INIT-12|RPC-17",
        "1es",
        "U",
        "ask 7 initialize [@V]",
        &["err 7 -32602"],
        &[("", "fails", NONE), ("err 7 -32603", "derived", "")],
    ),
    cell(
        "INIT-12|RPC-15",
        "1es",
        "U",
        "ask 7 initialize null",
        &["err 7 -32602"],
        &[("", "fails", NONE)],
    ),
    cell(
        "INIT-12|RPC-13",
        "1es",
        "U",
        "ask 7 initialize @V",
        &["err 7 -32600", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    // INIT-13
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"capabilities":{}}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":null}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":"c"}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c"}}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":{"version":"1"}}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c","version":1}}"#),
    bad_info(r#"ask 7 initialize {"protocolVersion":2,"info":[]}"#),
    // INIT-14
    lenient(
        "es",
        r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":5}"#,
    ),
    lenient(
        "es",
        r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":[]}"#,
    ),
    lenient(
        "es",
        r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"_meta":"x"}"#,
    ),
    lenient("1", r#"ask 7 initialize {"protocolVersion":1,"clientCapabilities":"all"}"#),
    lenient("1", r#"ask 7 initialize {"protocolVersion":1,"clientInfo":"me"}"#),
    lenient("1", r#"ask 7 initialize {"protocolVersion":1,"clientInfo":{"name":5},"_meta":[]}"#),
    // INIT-16
    cell(
        "INIT-16",
        "es",
        "U",
        "ask 7 initialize @I2",
        &[],
        &[(
            r#"ok 7 {"protocolVersion":2,"info":{"name":"a","version":"1"},"authMethods":[{"methodId":"t","id":"t","name":"T","type":"terminal"}]}"#,
            "must",
            "",
        )],
    ),
    cell(
        "INIT-16",
        "1",
        "U",
        "ask 7 initialize @I1",
        &[r#"ok 7 {"protocolVersion":1,"authMethods":[{"id":"t","name":"T"}]}"#],
        &[(
            r#"ok 7 {"protocolVersion":1,"authMethods":[{"id":"a","name":"A"},{"id":"t","name":"T","type":"terminal"}]}"#,
            "must",
            "",
        )],
    ),
    cell(
        "INIT-16",
        "es",
        "U",
        r#"ask 7 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{"auth":{"terminal":{}}}}"#,
        &[
            r#"ok 7 {"protocolVersion":2,"info":{"name":"a","version":"1"},"authMethods":[{"methodId":"t","id":"t","name":"T","type":"terminal"}]}"#,
        ],
        &[],
    ),
    cell(
        "INIT-16",
        "1",
        "U",
        r#"ask 7 initialize {"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true}}}"#,
        &[r#"ok 7 {"protocolVersion":1,"authMethods":[{"id":"t","name":"T","type":"terminal"}]}"#],
        &[],
    ),
    // INIT-17
    cell(
        "INIT-17",
        "e",
        "F",
        "ask 7 initialize @I2",
        &["ok 7 @R2", "err 7 -32600"],
        &[
            ("", "fails", NONE),
            ("err 7 -32602", "derived", "error -32602"),
            ("err 7 -32601", "derived", "error -32601"),
            ("ok 7 @R2 ; ok 7 @R2", "must", MORE),
        ],
    ),
    cell(
        "INIT-17",
        "s",
        "F",
        "ask 7 initialize @I2",
        &["ok 7 @R2"],
        &[("", "fails", NONE), ("err 7 -32600", "derived", "error -32600")],
    ),
    // INIT-18
    cell(
        "INIT-18",
        "es",
        "R",
        "ask 7 initialize @I2",
        &["ok 7 @R2", "err 7 -32600"],
        &[
            ("", "fails", NONE),
            ("exit 1", "must", "exits"),
            ("err 7 -32600 ; ok 7 @R2", "must", MORE),
        ],
    ),
    // INIT-19
    cell(
        "INIT-19",
        "es",
        "F",
        r#"ask 7 initialize {"protocolVersion":2}"#,
        &["err 7 -32602", "err 7 -32600"],
        &[("", "fails", NONE), ("exit 1", "must", "exits")],
    ),
    // P12
    cell(
        "INIT-19|INIT-18|INIT-12",
        "es",
        "R",
        r#"ask 7 initialize {"protocolVersion":"x"}"#,
        &["err 7 -32602", "err 7 -32600"],
        &[("", "fails", NONE)],
    ),
    of(
        One,
        cell(
            "INIT-09|INIT-18|INIT-19",
            "es",
            "R",
            "ask 7 initialize @J1",
            &[r#"err 7 -32022 {"requested":1,"supported":[2]}"#, "err 7 -32602", "err 7 -32600"],
            &[("", "fails", NONE)],
        ),
    ),
    cell(
        "INIT-20|INIT-12",
        "1",
        "R",
        r#"ask 7 initialize {"protocolVersion":"x"}"#,
        &["err 7 -32602", "err 7 -32600", "ok 7 @R1"],
        &[("", "fails", NONE)],
    ),
    // INIT-20
    cell(
        "INIT-20",
        "1",
        "FR",
        "ask 7 initialize @I1",
        &["ok 7 @R1", "err 7 -32600"],
        &[("", "fails", NONE), ("exit 1", "must", "exits"), ("ok 7 @R1 ; ok 7 @R1", "must", MORE)],
    ),
    // INIT-24
    cell(
        "INIT-24|RPC-04",
        "1es",
        "UFR",
        "tell initialize @I@V",
        &[""],
        &[
            ("err null -32600", "must", ""),
            ("err null -32601", "must", ""),
            ("exit 1", "must", "exits"),
            ("hang", "must", "next request gets none"),
        ],
    ),
    cell("INIT-24|RPC-04", "1es", "UFR", "tell initialize -", &[""], &[]),
    // initialize with id null: before, it is refused in v2 (P8); v1 answers somehow.
    cell(
        "RPC-18",
        "es",
        "UF",
        "ask null initialize @I2",
        &["err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-19",
        "1",
        "F",
        "ask null initialize @I1",
        &["err null -32600", "ok null @R1"],
        &[("", "fails", NONE)],
    ),
    // INIT-25
    cell(
        "INIT-25|INIT-05",
        "es",
        "U",
        "ask 7 initialize @I2",
        &[],
        &[(
            r#"ok 7 {"protocolVersion":2,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"a","version":"1"},"authMethods":[]}"#,
            "must",
            "",
        )],
    ),
    // INIT-26
    cell(
        "INIT-26",
        "es",
        "FR",
        r#"ask 7 session/load {"sessionId":"never","cwd":"/tmp","mcpServers":[]}"#,
        &["err 7 -32601"],
        &[
            ("", "fails", NONE),
            ("err 7 -32602", "must", "error -32602"),
            ("err 7 -32002", "must", "error -32002"),
            ("ok 7", "must", "result"),
        ],
    ),
    cell(
        "INIT-26",
        "es",
        "FR",
        "ask 7 session/set_mode",
        &["err 7 -32601"],
        &[("err 7 -32602", "must", "")],
    ),
    cell(
        "INIT-26",
        "es",
        "FR",
        "ask 7 authenticate",
        &["err 7 -32601"],
        &[("err 7 -32602", "must", "")],
    ),
    cell("INIT-26", "es", "FR", "ask 7 logout -", &["err 7 -32601"], &[("ok 7", "must", "")]),
    cell(
        "INIT-26",
        "1",
        "FR",
        r#"ask 7 auth/login {"methodId":"x"}"#,
        &["err 7 -32601"],
        &[("err 7 -32602", "derived", ""), ("", "fails", NONE)],
    ),
    cell("INIT-26", "1", "FR", "ask 7 auth/logout", &["err 7 -32601"], &[("ok 7", "derived", "")]),
    cell(
        "INIT-26",
        "1",
        "FR",
        "ask 7 tool_call/cancel",
        &["err 7 -32601"],
        &[("err 7 -32602", "derived", "")],
    ),
    cell(
        "INIT-25",
        "1",
        "U",
        "ask 7 initialize @I1",
        &[],
        &[(
            r#"ok 7 {"protocolVersion":1,"capabilities":{"session":{}},"info":{"name":"a","version":"1"}}"#,
            "derived",
            "shape",
        )],
    ),
    cell(
        "RPC-19",
        "1",
        "U",
        "ask null initialize @I1",
        &["err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "INIT-20",
        "1",
        "F",
        r#"ask 7 initialize {"protocolVersion":"x"}"#,
        &["err 7 -32602", "err 7 -32600"],
        &[("", "must", NONE)],
    ),
    of(
        One,
        cell("INIT-17", "s", "F", "ask 7 initialize @I3", &["ok 7 @R2"], &[("", "fails", NONE)]),
    ),
    of(
        One,
        cell(
            "INIT-09|ERR-04",
            "s",
            "F",
            "ask 7 initialize @J1",
            &[r#"err 7 -32022 {"requested":1,"supported":[2]}"#],
            &[("", "fails", NONE), ("err 7 -32022", "derived", "")],
        ),
    ),
    cell(
        "INIT-17|INIT-18",
        "e",
        "FR",
        r#"> {"jsonrpc":"2.0","id":7,"method":"initialize","params":@I2,"extra":1}"#,
        &["ok 7 @R2", "err 7 -32600", "err null -32600"],
        &[("", "must", NONE)],
    ),
    cell(
        "INIT-12",
        "1es",
        "U",
        r#"ask 7 initialize {"protocolVersion":1e400}"#,
        &["err 7 -32602", "err null -32700", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "INIT-12",
        "1es",
        "U",
        r#"ask 7 initialize {"protocolVersion":@V00e-2,"info":{"name":"c","version":"1"}}"#,
        &["ok 7 @R@V", "err 7 -32602"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-31",
        "1es",
        "U",
        r#"ask 7 initialize {"protocolVersion":"9","protocolVersion":@V,"info":{"name":"c","version":"1"},"capabilities":{}}"#,
        &["ok 7 @R@V", "err 7 -32602", "err null -32600", "err null -32700"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-23",
        "1es",
        "U",
        r#"ask "\u0041" initialize @I@V"#,
        &[r#"ok "A" @R@V"#, r#"ok "\u0041" @R@V"#],
        &[("", "fails", NONE), (r#"ok "a" @R@V"#, "must", "another id")],
    ),
    cell(
        "RPC-22",
        "1es",
        "U",
        "ask 9223372036854775808 initialize @I@V",
        &["ok 9223372036854775808 @R@V", "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "RPC-30",
        "1es",
        "U",
        r#"> {"jsonrpc":"2.0","id":7,"method":"initialize","params":@I@V,"extra":1}"#,
        &["ok 7 @R@V", "err 7 -32600", "err null -32600"],
        &[("", "must", NONE)],
    ),
    cell(
        "RPC-35|INIT-05|INIT-06",
        "1es",
        "U",
        r#"> {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":@V,"info":{"name":"c","version":"1","x":1},"foo":[],"_meta":{}}}"#,
        &["ok 7 @R@V"],
        &[("", "fails", NONE), ("err 7 -32602", "fails", "")],
    ),
];
