//! Whole conversations.

use super::{Agent::*, MORE, NONE, Tale, tale};

pub(crate) const TALES: &[Tale] = &[
    // What the agent prints by itself.
    tale("FRM-01: a log line on stdout", "1es", Any, "hello
        < starting up
        probe ; err \"p\" -32601 ; quiet", &[("FRM-01", "must", "not JSON")]),
    tale("FRM-01: a blank line", "1es", Any, "hello
        < \u{20}
        probe ; err \"p\" -32601 ; quiet", &[("FRM-01", "must", "empty line")]),
    tale("FRM-01: a banner before the handshake", "1es", Any, "< Agent 1.0
        hello
        quiet", &[("FRM-01", "must", "not JSON")]),
    tale("FRM-01: not UTF-8", "1es", Any, "hello
        < {\"jsonrpc\":\"2.0\",\"method\":\"_x/«ff»\"}
        quiet", &[("FRM-01", "must", "UTF-8")]),
    tale("FRM-01: a number", "1es", Any, "hello
        < 42
        quiet", &[("FRM-01", "must", "no JSON-RPC message")]),
    tale("FRM-01: an object that is no message", "1es", Any, "hello
        < {\"level\":\"info\",\"msg\":\"hi\"}
        quiet", &[("FRM-01", "must", "no JSON-RPC message")]),
    tale("FRM-01: two messages on a line", "1es", Any, "hello
        < {\"jsonrpc\":\"2.0\",\"method\":\"_x\"}{\"jsonrpc\":\"2.0\",\"method\":\"_x\"}
        quiet", &[("FRM-01", "must", "not JSON")]),
    tale("FRM-01: a byte order mark", "1es", Any, "hello
        < «efbbbf»{\"jsonrpc\":\"2.0\",\"method\":\"_x\"}
        quiet", &[("FRM-01", "must", "not JSON")]),
    tale("FRM-01: pretty-printed", "1es", Any, "hello
        < {
        < }
        quiet", &[("FRM-01", "must", ""), ("FRM-01", "must", "")]),
    tale("FRM-02: a raw newline in a string", "1es", Any, "hello
        ask 7 _x/y
        < {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no
        < such method\"}}
        probe ; err \"p\" -32601 ; quiet", &[("FRM-02", "must", "raw newline")]),
    tale("FRM-02: two raw newlines", "1es", Any, "hello
        ask 7 _x/y
        < {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no
        < such
        < method\"}}
        probe ; err \"p\" -32601 ; quiet", &[("FRM-02", "must", "raw newline")]),
    tale("agent output with CRLF, blanks, escapes", "1es", Any, "hello
        ask \"A\" _x/y
        < \u{20} {\"jsonrpc\":\"2.0\" , \"method\":\"_x/log\",\"params\":[1e400,\"\\ud800\"]}«0d»
        < {\"error\":{\"message\":\"\\u006eo\",\"code\":-32601},\"\\u0069d\":\"\\u0041\",\"jsonrpc\":\"2.0\"} «0d»
        probe ; err \"p\" -32601«20» ; quiet", &[]),
    // Requests of the agent.
    tale("the agent asks with an id of ours and gets its answer", "1es", Any, "hello
        ask 7 _x/y
        < {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"_vendor/ask\",\"params\":{}}
        > {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no\"}}
        err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("the agent asks, we answer late, after its own answer", "1es", Any, "hello
        ask 7 _x/y
        < {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"_vendor/ask\",\"params\":{}}
        err 7 -32601
        > {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("the agent asks with the id of the probe", "1es", Any, "hello
        probe \"p\"
        < {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"_vendor/ask\"}
        > {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"error\":{\"code\":-32601,\"message\":\"no\"}}
        err \"p\" -32601 ; quiet", &[]),
    tale("the agent answers our answer", "1es", Any, "hello
        < {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"_vendor/ask\"}
        > {\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,\"message\":\"no\"}}
        err 5 -32600
        probe ; err \"p\" -32601 ; quiet", &[("RPC-27|RPC-01", "derived", "")]),
    tale("agent's notifications and requests before the handshake ends", "1es", Any, "
        ask 1 initialize @I@V
        < {\"jsonrpc\":\"2.0\",\"method\":\"_vendor/hi\"}
        < {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_vendor/ask\"}
        > {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}
        ok 1 @R@V
        probe ; err \"p\" -32601 ; quiet", &[]),
    // Ids.
    tale("RPC-25: an id again after its response", "1es", Any, "hello
        ask 7 _x/y ; err 7 -32601
        ask 7 _x/y ; err 7 -32601
        ask 7.0 _x/y ; err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-25: the second time unanswered", "1es", Any, "hello
        ask 7 _x/y ; err 7 -32601
        ask 7 _x/y
        probe ; err \"p\" -32601 ; quiet", &[("RPC-25|RPC-01", "must", NONE)]),
    tale("the handshake's id again", "1es", Any, "hello
        ask \"hello\" _x/y ; err \"hello\" -32601
        probe \"hello\" ; err \"hello\" -32601 ; quiet", &[]),
    tale("string 7 and number 7 are two ids", "1es", Any, "hello
        ask 7 _x/y
        ask \"7\" _x/y
        err \"7\" -32601 ; err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-24: the same id in flight, both answered", "1es", Any, "hello
        ask 7 _x/y ; ask 7 _x/z
        err 7 -32601 ; err 7 -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-24: the same id in flight, the refusal first", "1es", Any, "hello
        ask 7 _x/y ; ask 7 _x/z
        err 7 -32600 ; err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-24: both ids refused alike", "es", Any, "hello
        ask 7 _x/y ; ask 7 session/list
        err 7 -32601 ; ok 7 {\"sessions\":[]}
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-24: only one answered", "1es", Any, "hello
        ask 7 _x/y ; ask 7 _x/z
        err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[("RPC-24|RPC-01", "fails", NONE)]),
    tale("RPC-36: answers in any order", "1es", Any, "hello
        ask 1 _x/y ; ask 2 _x/y ; ask \"3\" session/list ; probe
        ok \"3\" {\"sessions\":[]} ; err \"p\" -32601 ; err 2 -32601 ; err 1 -32601
        quiet", &[]),
    tale("ids beyond 2^53 are kept apart", "1es", Any, "hello
        ask 9007199254740992 _x/y ; ask 9007199254740993 _x/y
        err 9007199254740993 -32601 ; err 9007199254740992 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("ids beyond 2^53 run together", "1es", Any, "hello
        ask 9007199254740992 _x/y ; ask 9007199254740993 _x/y
        err 9007199254740992 -32601 ; err 9007199254740992 -32601
        probe ; err \"p\" -32601 ; quiet", &[("RPC-01", "must", MORE), ("RPC-01", "fails", NONE)]),
    tale("ids beyond 2^63, one refused and one echoed", "1es", Any, "hello
        ask 9223372036854775808 _x/y ; ask 9223372036854775809 _x/y
        err 9223372036854775809 -32601 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("an id with a lone surrogate is echoed", "1es", Any, "hello
        ask \"\\ud800\" _x/y
        err \"\\ud800\" -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("an id with a lone surrogate is refused", "1es", Any, "hello
        ask \"\\ud800\" _x/y
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a response nobody asked for", "1es", Any, "hello
        err 99 -32601
        probe ; err \"p\" -32601 ; quiet", &[("RPC-01", "must", "")]),
    tale("an error with id null out of the blue", "1es", Any, "hello
        err null -32603
        probe ; err \"p\" -32601 ; quiet", &[("RPC-01|RPC-04", "must", "")]),
    // Two lines that are owed id null.
    tale("two broken lines, two answers", "1es", Any, "hello
        > {bad
        > 42
        err null -32700 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("two broken lines, answered in the other order", "1es", Any, "hello
        > {bad
        > 42
        err null -32600 ; err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("two broken lines, answers around the probe", "1es", Any, "hello
        > {bad
        probe
        > 42
        err null -32600 ; err \"p\" -32601 ; err null -32700
        quiet", &[]),
    tale("two broken lines, one answer", "1es", Any, "hello
        > {bad
        > {worse
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[("FRM-03", "fails", NONE)]),
    tale("a broken line and a skippable one, one answer for the first", "1es", Any, "hello
        > «ff»
        > {bad
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a notification and a broken line: the answer is for the line", "1es", Any, "hello
        tell _x/note
        > {bad
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a broken line and a notification: the answer is for the line", "1es", Any, "hello
        > {bad
        tell _x/note
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a request that may be refused with null and a broken line", "1es", Any, "hello
        > {\"id\":7,\"method\":\"_x/y\"}
        > {bad
        err null -32700 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a request that may be refused with null and a broken line, crossed", "1es", Any, "hello
        > {\"id\":7,\"method\":\"_x/y\"}
        > {bad
        err null -32700 ; err 7 -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a late answer of a broken line after several probes", "1es", Any, "hello
        > {bad
        probe 1 ; err 1 -32601
        probe 2 ; err 2 -32601
        err null -32700
        quiet", &[]),
    tale("a request answered late", "1es", Any, "hello
        ask 7 _x/y
        probe 1 ; err 1 -32601
        ask 8 _x/y ; err 8 -32601
        err 7 -32601
        probe 2 ; err 2 -32601
        quiet", &[]),
    tale("the probe's answer after the line's", "1es", Any, "hello
        > {bad
        probe
        err null -32700
        err \"p\" -32601
        quiet", &[]),
    // BAT
    tale("BAT-11: an unasked array of notifications", "es", Any, "hello
        < [{\"jsonrpc\":\"2.0\",\"method\":\"_x/log\"},{\"jsonrpc\":\"2.0\",\"method\":\"_x/log\"}]
        probe ; err \"p\" -32601 ; quiet", &[("BAT-11", "e:info s:derived", "array")]),
    tale("BAT-11: an unasked array, v1", "1", Any, "hello
        < [{\"jsonrpc\":\"2.0\",\"method\":\"_x/log\"}]
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("BAT-11: two single requests answered by one array", "1es", Any, "hello
        ask 7 _x/y ; ask 8 _x/y
        < [{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32601,\"message\":\"no\"}},{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        probe ; err \"p\" -32601 ; quiet", &[("BAT-11", "1:info e:info s:derived", "array")]),
    tale("BAT-03: two batches, answered by arrays in the other order", "1e", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        < [{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        < [{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("BAT-03: two batches, both refused", "1es", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        err null -32600 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("BAT-03: one kind per agent, refused against the profile", "e", Any, "hello
        batches are arrays
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        err null -32600
        probe ; err \"p\" -32601 ; quiet", &[("BAT-03", "derived", "error -32600")]),
    tale("BAT-03: one kind per agent, an array against the profile", "e", Any, "hello
        batches are refused
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        < [{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        probe ; err \"p\" -32601 ; quiet", &[("BAT-03", "derived", "array")]),
    tale("BAT-03: one kind per agent, true to the profile", "e", Any, "hello
        batches are arrays
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        < [{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        > [{\"jsonrpc\":\"2.0\",\"method\":\"_x/note\"}]
        > []
        err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("BAT-03: refused before initialize, arrays after", "e", Any, "
        batches are arrays
        > [{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"_x/y\"}]
        err null -32600
        hello
        quiet", &[]),
    tale("BAT-03: an array and single responses", "e", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        < [{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        err 1 -32601
        probe ; err \"p\" -32601 ; quiet", &[("BAT-03|RPC-01", "must", MORE)]),
    tale("BAT-10: nothing is served after a batch", "1es", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        err null -32600
        probe ; quiet", &[("BAT-10|RPC-01", "must", "")]),
    tale("a batch and a single request with equal ids", "e", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"_x/y\"}]
        ask 7 _x/y
        err 7 -32601
        < [{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a refused batch while a broken line is open", "1es", Any, "hello
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        > {bad
        err null -32700 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    // A batch that may have initialized: both are possible afterwards.
    tale("BAT-08: a batch of initialize, served", "e", Any, "
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":@I2}]
        < [{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":@R2}]
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("BAT-08: a batch of initialize, refused", "es", Any, "
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":@I2}]
        err null -32600
        probe ; err \"p\" -32600
        ask 2 initialize @I2 ; ok 2 @R2
        probe ; err \"p\" -32601 ; quiet", &[]),
    // INIT
    tale("INIT-04: a malformed line leaves it uninitialized", "1es", Any, "
        > {bad
        err null -32700
        ask 7 _x/y ; err 7 -32601
        hello
        quiet", &[("INIT-01|INIT-02|INIT-04", "1:should es:must", "error -32601")]),
    tale("INIT-04: a malformed line, then the handshake", "1es", Any, "
        > {bad
        err null -32700
        > []
        err null -32600
        > 5
        err null -32600
        hello
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-04: an initialize in a broken envelope initializes nothing", "es", Any, "
        > {\"id\":1,\"method\":\"initialize\",\"params\":@I2}
        err null -32600
        ask 7 _x/y ; err 7 -32601
        hello
        quiet", &[("INIT-01|INIT-04", "must", "error -32601")]),
    tale("INIT-23: a failed initialize, then a good one", "1es", Any, "
        ask 1 initialize {} ; err 1 -32602
        probe 2 ; err 2 -32600
        hello
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-23: the corrected initialize is refused", "1es", Any, "
        ask 1 initialize {} ; err 1 -32602
        ask 2 initialize @I@V ; err 2 -32600
        quiet", &[("INIT-23", "fails", "error -32600")]),
    tale("INIT-23: after -32022", "es", One, "
        ask 1 initialize @J1 ; err 1 -32022 {\"requested\":1,\"supported\":[2]}
        probe 2 ; err 2 -32600
        hello
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-23: after -32022 it stays uninitialized", "es", One, "
        ask 1 initialize @J1 ; err 1 -32022 {\"requested\":1,\"supported\":[2]}
        ask 2 _x/y ; err 2 -32601
        quiet", &[("INIT-01", "must", "error -32601")]),
    tale("INIT-24: an initialize notification initializes nothing", "es", Any, "
        tell initialize @I2
        ask 2 _x/y ; err 2 -32601
        hello
        quiet", &[("INIT-01|INIT-24", "must", "error -32601")]),
    tale("INIT-24: an initialize notification, then a real one", "1es", Any, "
        tell initialize @I@V
        probe 2 ; err 2 -32600
        hello
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-17: repeats until the first other request", "es", Any, "hello
        ask 2 initialize @I2 ; ok 2 @R2
        ask 3 initialize @I2 ; ok 3 @R2
        tell _x/note
        > {bad
        err null -32700
        ask 4 initialize @I2 ; ok 4 @R2
        probe ; err \"p\" -32601
        ask 5 initialize @I2 ; err 5 -32600
        quiet", &[]),
    tale("INIT-18: an unknown method closes the window", "s", Any, "hello
        ask 3 _x/y ; err 3 -32601
        ask 4 initialize @I2 ; err 4 -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-19: a failed repeat leaves the first in force", "es", Any, "hello
        ask 2 initialize {\"protocolVersion\":2} ; err 2 -32602
        ask 3 _x/y ; err 3 -32601
        quiet", &[]),
    tale("INIT-20: v1 repeats", "1", Any, "hello
        ask 2 initialize @I1 ; err 2 -32600
        ask 3 initialize @I1 ; ok 3 @R1
        ask 4 _x/y ; err 4 -32601
        ask 5 initialize @I1 ; err 5 -32600
        quiet", &[]),
    tale("INIT-21: a second initialize while the first is open", "es", Any, "
        ask 1 initialize @I2
        ask 2 initialize @I2
        err 2 -32600 ; ok 1 @R2
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-21: both succeed", "es", Any, "
        ask 1 initialize @I2
        ask 2 initialize @I2
        ok 1 @R2 ; ok 2 @R2
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-22: a request behind an open initialize, refused", "1es", Any, "
        ask 1 initialize @I@V
        ask 2 _x/y
        err 2 -32600 ; ok 1 @R@V
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-22: a request behind an open initialize, served", "1es", Any, "
        ask 1 initialize @I@V
        ask 2 _x/y
        ok 1 @R@V ; err 2 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-22: refused after the initialize was answered", "1es", Any, "
        ask 1 initialize @I@V
        ask 2 _x/y
        ok 1 @R@V ; err 2 -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-22: the probe behind an open initialize", "1es", Any, "
        ask 1 initialize @I@V
        probe 2
        err 2 -32600 ; ok 1 @R@V
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("INIT-27: locked to v1 by an early request", "es", Both, "
        probe 1 ; err 1 -32600
        ask 2 initialize @I2 ; ok 2 @R1
        ask 3 _x/y ; err 3 -32601
        quiet", &[]),
    tale("INIT-02: v1 serves before initialize", "1", Any, "
        ask 1 _x/y ; err 1 -32601
        hello
        ask 2 _x/y ; err 2 -32601
        quiet", &[("INIT-02", "should", "error -32601")]),
    // The version that counts is the negotiated one.
    tale("an agent of both, asked for 1: v2 methods are unknown", "es", Both, "
        ask 1 initialize @I1 ; ok 1 @R1
        ask 2 auth/login {\"methodId\":\"x\"} ; err 2 -32602
        quiet", &[("INIT-26", "derived", "error -32602")]),
    tale("an agent of both, asked for 1: v1 tolerances hold", "es", Both, "
        ask 1 initialize @I1 ; ok 1 @R1
        ask null _x/y ; err null -32601
        > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_x/y\"}]
        < [{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}]
        ask 2 session/set_mode {\"sessionId\":\"never\",\"modeId\":\"x\"} ; err 2 -32601
        quiet", &[]),
    tale("ERR-06: -32022 once v1 is spoken", "1", Any, "hello
        ask 7 _x/y ; err 7 -32022
        quiet", &[("ERR-06|EXT-01|CAP-14", "derived", "error -32022")]),
    // Ends.
    tale("the agent exits in peace", "1es", Any, "hello
        ask 7 _x/y ; err 7 -32601
        exit 0", &[("RPC-01|ERR-09|EXT-01", "must", "exits")]),
    tale("the agent exits with two requests open: one end, one finding", "1es", Any, "hello
        ask 7 _x/y ; ask 8 _x/z
        exit 1", &[("RPC-01|EXT-01", "must", "exits")]),
    tale("ERR-09: after an error nothing is served", "1es", Any, "hello
        ask 7 _x/y ; err 7 -32601
        probe
        quiet", &[("ERR-09|RPC-01", "must", "")]),
    tale("FRM-11: a pretty-printed request served as one", "1es", Any, "hello
        > {
        > \"jsonrpc\": \"2.0\",
        > \"id\": 7,
        > \"method\": \"_x/y\"
        > }
        err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[("FRM-11", "derived", "another id"), ("FRM-04", "fails", NONE), ("FRM-04", "fails", NONE), ("FRM-04", "fails", NONE), ("FRM-03", "fails", NONE)]),
    // After its time.
    tale("an answer after its time is no second finding", "1es", Any, "hello
        ask 7 _x/y
        quiet
        err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[("RPC-01", "fails", NONE)]),
    tale("a null answer after its time is no second finding", "1es", Any, "hello
        > {bad
        quiet
        err null -32700
        probe ; err \"p\" -32601 ; quiet", &[("FRM-03", "fails", NONE)]),
    tale("answered, and then it hangs", "1es", Any, "hello
        > {bad
        err null -32700
        probe
        quiet", &[("FRM-03", "must", "next request gets none")]),
    tale("a hang is one finding", "1es", Any, "hello
        > {bad
        ask 7 _x/y
        probe
        quiet", &[("*", "must", "next request gets none")]),
    // The version that counts changes with a repeat.
    tale("an agent of both, repeated with 1", "e", Both, "hello
        ask 2 initialize @I1 ; ok 2 @R1
        ask 3 auth/login {\"methodId\":\"x\"} ; err 3 -32601
        ask null _x/y ; err null -32601
        quiet", &[]),
    tale("v1: an initialize with id null that is served", "1", Any, "
        ask null initialize @I1 ; ok null @R1
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("P16: unknown method and a login", "1", Any, "hello
        login is advertised
        ask 7 _x/y ; err 7 -32000
        ask 8 _x/y ; err 8 -32601
        quiet", &[]),
    tale("P16: unknown method and a login, v2", "es", Any, "hello
        login is advertised
        ask 7 _x/y ; err 7 -32000
        quiet", &[("EXT-01", "must", "error -32000")]),
    // The agent changes the id of the probe: one finding, about the id.
    tale("the probe's id changed", "1es", Any, "hello
        > {bad
        err null -32700
        probe 1
        err \"1\" -32601
        quiet", &[("RPC-01", "must", "another id")]),
    tale("the probe's id null", "es", Any, "hello
        > {bad
        err null -32700
        probe 1
        err null -32601
        quiet", &[("RPC-01", "must", "id null")]),
    tale("a stray response while a probe is pending", "1es", Any, "hello
        probe 1
        err 99 -32601
        err 1 -32601
        quiet", &[("RPC-01", "must", "another id")]),
    tale("a notification answered while a probe is pending", "1es", Any, "hello
        tell _x/note
        probe 1
        err null -32601
        err 1 -32601
        quiet", &[("RPC-04", "must", "id null")]),
    tale("a notification answered although a broken line is open", "1es", Any, "hello
        tell _x/note
        > {bad
        err null -32700
        err null -32601
        probe ; err \"p\" -32601 ; quiet", &[("RPC-04|RPC-01", "must", "")]),
    tale("agent's requests in an array", "e", Any, "hello
        < [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"_vendor/ask\"},{\"jsonrpc\":\"2.0\",\"method\":\"_vendor/log\"}]
        > {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("an empty array out of the blue", "s", Any, "hello
        < []
        probe ; err \"p\" -32601 ; quiet", &[("BAT-11|FRM-01|INIT-05", "fails", "array")]),
    tale("RPC-24: three of an id, one refused", "es", Any, "hello
        ask 7 _x/y ; ask 7 _x/y ; ask 7 _x/y
        err 7 -32601 ; err 7 -32600 ; err 7 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("RPC-24: the same id, the known method answered last", "1es", Any, "hello
        ask 7 session/list ; ask 7 _x/y
        err 7 -32601 ; ok 7 {\"sessions\":[]}
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("many requests at once, answered backwards", "1es", Any, "hello
        ask 1 _x/y ; ask 2 _x/y ; ask 3 _x/y ; ask 4 _x/y ; ask \"1\" _x/y ; ask -1 _x/y
        > {bad
        err -1 -32601 ; err \"1\" -32601 ; err null -32700 ; err 4 -32601 ; err 3 -32601 ; err 2 -32601 ; err 1 -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("id null and a broken line open, v1", "1e", Any, "hello
        ask null _x/y
        > {bad
        err null -32700 ; err null -32601
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("id null and a broken line open, in order", "1e", Any, "hello
        ask null _x/y
        > {bad
        err null -32601 ; err null -32700
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("two requests with id null", "1e", Any, "hello
        ask null _x/y ; ask null _x/z
        err null -32601 ; err null -32600
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("a batch of one kind and a broken line, array last", "1e", Any, "hello
        > [1]
        > {bad
        err null -32700
        < [{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}]
        probe ; err \"p\" -32601 ; quiet", &[]),
    tale("FRM-02: cut inside a string, the rest never a message", "1es", Any, "hello
        < {\"jsonrpc\":\"2.0\",\"method\":\"_x
        < garbage
        probe ; err \"p\" -32601 ; quiet", &[("FRM-02", "must", "raw newline")]),
];
