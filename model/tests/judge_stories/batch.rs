//! BAT: arrays, both ways.

use super::{Cell, MORE, NONE, cell};

const TWO: &str = r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y"},{"jsonrpc":"2.0","id":"8","method":"_x/z","params":{}}]"#;
const MIXED: &str = r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y"},1,{"jsonrpc":"2.0","method":"_x/note"},{"id":3}]"#;
const NOTES: &str = r#"> [{"jsonrpc":"2.0","method":"_x/note"},{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":4711}}]"#;
const ANSWERS: &str = r#"> [{"jsonrpc":"2.0","id":98,"result":{}},{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}]"#;
const NESTED: &str = r#"> [[{"jsonrpc":"2.0","id":7,"method":"_x/y"}]]"#;

const A7: &str = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}"#;
const A8: &str = r#"{"jsonrpc":"2.0","id":"8","error":{"code":-32601,"message":"no"}}"#;

const ARRAY: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":"8","error":{"code":-32601,"message":"no"}}]"#;
const YARRA: &str = r#"<  [ {"error":{"code":-32601,"message":"no","data":1},"id":"\u0038","jsonrpc":"2.0"} , {"jsonrpc":"2.0","id":7.0,"error":{"code":-32601,"message":"no"}} ] «0d»"#;
const ONLY_7: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}]"#;
const TWICE_7: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}]"#;
const THREE: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":"8","error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]"#;
const NUMBER_8: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"no"}}]"#;
const ONE_NULL: &str = r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]"#;
const TWO_NULLS: &str = r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]"#;
const THREE_NULLS: &str = r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]"#;
/// 7 served, 1 and `{"id":3}` invalid, in some order, the id of the latter readable.
const MIXED_ARRAY: &str = r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}},{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]"#;
const REFUSED_ARRAY: &str = r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"no"}},{"jsonrpc":"2.0","id":"8","error":{"code":-32600,"message":"no"}}]"#;

const _: (&str, &str) = (A7, A8);

pub(crate) const CELLS: &[Cell] = &[
    // BAT-01
    cell(
        "BAT-01",
        "1es",
        "UFR",
        "> []",
        &["err null -32600", "err null -32600 {}"],
        &[
            ("", "fails", NONE),
            ("err null -32700", "must", "error -32700"),
            ("err null -32602", "must", "error -32602"),
            ("ok null", "must", "result"),
            ("err null -32600 ; err null -32600", "must", MORE),
            ("exit 1", "must", "exits"),
        ],
    ),
    cell(
        "BAT-01",
        "1es",
        "UFR",
        "> [ «09»] ",
        &["err null -32600"],
        &[("< []", "must", ""), (ONE_NULL, "must", "")],
    ),
    // BAT-02
    cell(
        "BAT-02",
        "1es",
        "UFR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y"},{"jsonrpc":"2.0""#,
        &["err null -32700", "err null -32700 1"],
        &[
            ("", "fails", NONE),
            ("err null -32600", "must", "error -32600"),
            ("err null -32700 ; err null -32700", "must", MORE),
            (
                r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}]"#,
                "must",
                "",
            ),
            ("exit 1", "must", "exits"),
        ],
    ),
    cell("BAT-02", "1es", "UFR", "> [", &["err null -32700"], &[("err null -32600", "must", "")]),
    cell("BAT-02", "1es", "UFR", "> [1,2", &["err null -32700"], &[("", "fails", NONE)]),
    cell("BAT-02", "1es", "UFR", "> [1,]", &["err null -32700"], &[("", "fails", NONE)]),
    cell("BAT-02|FRM-04", "1es", "UFR", "> [1,2]]", &["err null -32700"], &[("", "fails", NONE)]),
    // BAT-03, BAT-04
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        TWO,
        &[ARRAY, YARRA, "err null -32600", r#"err null -32600 "no batches""#],
        &[
            ("", "fails", NONE),
            (ONLY_7, "derived", ""),
            (TWICE_7, "derived", ""),
            (THREE, "derived", ""),
            (NUMBER_8, "derived", ""),
            (TWO_NULLS, "derived", ""),
            ("< []", "derived", ""),
            ("err null -32700", "derived", "error -32700"),
            ("err null -32601", "derived", "error -32601"),
            ("exit 1", "must", "exits"),
        ],
    ),
    cell(
        "BAT-03",
        "s",
        "FR",
        TWO,
        &["err null -32600"],
        &[
            ("", "fails", NONE),
            (ARRAY, "derived", ""),
            ("err null -32700", "derived", "error -32700"),
            ("err null -32600 ; err null -32600", "must", MORE),
        ],
    ),
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y"}]"#,
        &[ONLY_7, "err null -32600"],
        &[("", "fails", NONE), ("err 7 -32601", "derived", ""), (TWICE_7, "derived", "")],
    ),
    // P33
    cell(
        "BAT-04",
        "1",
        "U",
        TWO,
        &[ARRAY, REFUSED_ARRAY, "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "BAT-03",
        "e",
        "U",
        TWO,
        &[REFUSED_ARRAY, "err null -32600"],
        &[("", "fails", NONE), (ARRAY, "derived", "")],
    ),
    cell(
        "BAT-03",
        "s",
        "U",
        TWO,
        &["err null -32600"],
        &[("", "fails", NONE), (REFUSED_ARRAY, "derived", "")],
    ),
    // BAT-05
    cell(
        "BAT-05|BAT-04",
        "1e",
        "FR",
        MIXED,
        &[MIXED_ARRAY, "err null -32600"],
        &[
            ("", "fails", NONE),
            (ONLY_7, "derived", ""),
            (TWO_NULLS, "derived", ""),
            (ONE_NULL, "derived", ""),
            ("< []", "derived", ""),
        ],
    ),
    cell(
        "BAT-05",
        "s",
        "FR",
        MIXED,
        &["err null -32600"],
        &[("", "fails", NONE), (MIXED_ARRAY, "derived", "")],
    ),
    cell(
        "BAT-05|BAT-04",
        "1e",
        "UFR",
        r#"> [1,"x",null]"#,
        &[THREE_NULLS, "err null -32600"],
        &[("", "fails", NONE), (TWO_NULLS, "derived", ""), (ONE_NULL, "derived", "")],
    ),
    cell(
        "BAT-05|BAT-04",
        "1e",
        "UFR",
        "> [1]",
        &[ONE_NULL, "err null -32600"],
        &[("", "fails", NONE), ("< []", "derived", "")],
    ),
    cell(
        "BAT-05|BAT-04",
        "1e",
        "UFR",
        r#"> [1,{"jsonrpc":"2.0","method":"_x/note"}]"#,
        &[ONE_NULL, "err null -32600"],
        &[(TWO_NULLS, "derived", ""), ("", "fails", NONE)],
    ),
    // BAT-06
    cell(
        "BAT-06|BAT-04",
        "1es",
        "UFR",
        NOTES,
        &["", "err null -32600"],
        &[
            ("< []", "1:derived es:must", ""),
            (ONE_NULL, "1:derived es:must", ""),
            (TWO_NULLS, "1:derived es:must", ""),
            ("err null -32700", "1:derived es:must", ""),
            ("err null -32600 ; err null -32600", "must", MORE),
            ("exit 1", "must", "exits"),
            ("hang", "must", "next request gets none"),
        ],
    ),
    // BAT-07
    cell(
        "BAT-07|BAT-04",
        "1es",
        "UFR",
        ANSWERS,
        &["", "err null -32600"],
        &[("< []", "derived", ""), ("err 98 -32600", "derived", ""), ("exit 1", "must", "exits")],
    ),
    // BAT-08: info, where the others are derived.
    cell(
        "BAT-08",
        "e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"relative"}}]"#,
        &[
            "err null -32600",
            r#"< [{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}]"#,
        ],
        &[("", "fails", NONE), ("exit 1", "must", "exits")],
    ),
    // BAT-09
    cell(
        "BAT-09",
        "1e",
        "UFR",
        NESTED,
        &[ONE_NULL, "err null -32600"],
        &[
            ("", "fails", NONE),
            (ONLY_7, "derived", ""),
            ("< []", "derived", ""),
            ("exit 1", "must", ""),
        ],
    ),
    cell(
        "BAT-09",
        "s",
        "UFR",
        NESTED,
        &["err null -32600"],
        &[("", "fails", NONE), (ONE_NULL, "derived", "")],
    ),
    // BAT-10
    cell(
        "BAT-10|BAT-03|BAT-04",
        "1es",
        "UFR",
        r#"> [{"jsonrpc":"2.0","method":"_x/note"}]"#,
        &[],
        &[("hang", "must", "next request gets none")],
    ),
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":1e400}}]"#,
        &[ONLY_7, "err null -32600"],
        &[("", "fails", NONE)],
    ),
    cell(
        "BAT-03|BAT-04",
        "1es",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y","params":{"a":1e400}}]"#,
        &["err null -32600", "err null -32700"],
        &[],
    ),
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        r#"> «20»[{"jsonrpc":"2.0","id":7,"method":"_x/y"}]«0d»"#,
        &[ONLY_7, "err null -32600"],
        &[("", "fails", NONE)],
    ),
    // The same id twice in one batch: a response for each.
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y"},{"jsonrpc":"2.0","id":7,"method":"_x/z"}]"#,
        &[TWICE_7, "err null -32600"],
        &[(ONLY_7, "derived", "")],
    ),
    // An id null in a batch: answered with null, or an invalid entry.
    cell(
        "BAT-03|BAT-04|BAT-05",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":null,"method":"_x/y"}]"#,
        &[
            r#"< [{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}]"#,
            ONE_NULL,
            "err null -32600",
        ],
        &[],
    ),
    // An illegal id is an invalid entry.
    cell(
        "BAT-05|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":true,"method":"_x/y"}]"#,
        &[ONE_NULL, "err null -32600"],
        &[],
    ),
    cell(
        "BAT-05|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7,"method":"_x/y","params":5}]"#,
        &[ONE_NULL, "err null -32600"],
        &[],
    ),
    cell(
        "BAT-05|BAT-04",
        "1e",
        "FR",
        r#"> [{"id":7,"method":"_x/y"}]"#,
        &[ONE_NULL, "err null -32600"],
        &[],
    ),
    // 1.0 for 1 and escapes in batches.
    cell(
        "BAT-03|BAT-04",
        "1e",
        "FR",
        r#"> [{"jsonrpc":"2.0","id":7.0,"method":"_x/y"}]"#,
        &[ONLY_7, "err null -32600"],
        &[],
    ),
];
