//! What the in-process agents do as an `Implementation`: the same as the programs.

use std::time::{Duration, Instant};

use acp_harness::{Connection, Ended, Implementation, Received};
use acp_interop_rust_sdk::RustSdk;

const INITIALIZE_V1: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#;
const INITIALIZE_V2: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"t","version":"1"}}}"#;
const NEW: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#;
const PROMPT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"session-1","prompt":[{"type":"text","text":"hi"}]}}"#;
const PROMPT_AGAIN: &str = r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"session-1","prompt":[{"type":"text","text":"ho"}]}}"#;
const CANCEL: &str =
    r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"session-1"}}"#;
const CLOSE: &str =
    r#"{"jsonrpc":"2.0","id":4,"method":"session/close","params":{"sessionId":"session-1"}}"#;

fn send(connection: &mut dyn Connection, lines: &[&str]) {
    for line in lines {
        connection.send(line.as_bytes());
        connection.send(b"\n");
    }
}

/// Everything the agent says until it is quiet or gone, each line as its telling part.
fn answers(connection: &mut dyn Connection) -> Vec<String> {
    let mut answers = Vec::new();
    loop {
        match connection.receive(Instant::now()) {
            Received::Line(line) => answers.push(telling(&String::from_utf8(line).unwrap())),
            Received::Quiet => return answers,
            Received::Ended(ended) => {
                answers.push(format!("{ended:?}"));
                return answers;
            }
            other => panic!("{other:?}"),
        }
    }
}

fn telling(line: &str) -> String {
    let message: serde_json::Value = serde_json::from_str(line).unwrap();
    let update = &message["params"]["update"];
    if let Some(kind) = update["sessionUpdate"].as_str() {
        let state = update["state"].as_str().unwrap_or_default();
        let reason = update["stopReason"].as_str().unwrap_or_default();
        return [kind, state, reason].join(" ").trim_end().to_owned();
    }
    match message["error"]["code"].as_i64() {
        Some(code) => format!("{} {code}", message["id"]),
        None => format!("{} ok", message["id"]),
    }
}

/// An agent with one session.
fn ready(agent: RustSdk) -> Box<dyn Connection> {
    let mut connection = agent.start().unwrap();
    let initialize = match agent {
        RustSdk::V1 => INITIALIZE_V1,
        RustSdk::V2 => INITIALIZE_V2,
    };
    send(&mut *connection, &[initialize]);
    assert_eq!(answers(&mut *connection), ["0 ok"]);
    send(&mut *connection, &[NEW]);
    assert_eq!(answers(&mut *connection), ["1 ok"]);
    connection
}

#[test]
fn a_v1_turn_says_its_message_before_it_ends() {
    let mut connection = ready(RustSdk::V1);
    send(&mut *connection, &[PROMPT]);
    assert_eq!(answers(&mut *connection), ["agent_message_chunk", "2 ok"]);
}

#[test]
fn a_v2_turn_is_framed_by_running_and_idle() {
    let mut connection = ready(RustSdk::V2);
    send(&mut *connection, &[PROMPT]);
    assert_eq!(
        answers(&mut *connection),
        [
            "2 ok",
            "user_message",
            "state_update running",
            "agent_message",
            "state_update idle end_turn",
        ]
    );
}

#[test]
fn lines_sent_together_meet() {
    let mut connection = ready(RustSdk::V2);
    send(&mut *connection, &[PROMPT, PROMPT_AGAIN, CANCEL]);
    assert_eq!(
        answers(&mut *connection),
        ["2 ok", "user_message", "state_update running", "3 -32800", "state_update idle cancelled",]
    );
}

#[test]
fn close_cancels_and_answers_last() {
    let mut connection = ready(RustSdk::V2);
    send(&mut *connection, &[PROMPT, CLOSE, CLOSE]);
    assert_eq!(
        answers(&mut *connection),
        [
            "2 ok",
            "user_message",
            "state_update running",
            "state_update idle cancelled",
            "4 ok",
            "4 -32002",
        ]
    );
}

#[test]
fn invalid_utf8_ends_the_agent_as_it_ends_the_program() {
    for agent in [RustSdk::V1, RustSdk::V2] {
        let mut connection = ready(agent);
        connection.send(b"\xff\xfe\n");
        send(&mut *connection, &[NEW]);
        assert_eq!(answers(&mut *connection), ["Exit(1)"]);
        assert!(connection.stderr_tail().contains("UTF-8"));
        send(&mut *connection, &[NEW]);
        assert_eq!(connection.unsent_bytes(), NEW.len() + 1);
    }
}

#[test]
fn the_last_line_needs_no_newline() {
    let mut connection = ready(RustSdk::V1);
    connection.send(NEW.as_bytes());
    assert_eq!(answers(&mut *connection), [""; 0]);
    assert_eq!(connection.finish(Duration::ZERO), Ended::Exit(0));
    assert_eq!(answers(&mut *connection), ["1 ok", "Exit(0)"]);
}

#[test]
fn the_same_lines_give_the_same_trace() {
    let lines_of = |agent| {
        let mut connection = ready(agent);
        send(&mut *connection, &[PROMPT, PROMPT_AGAIN, "{", "[]", CANCEL, CLOSE]);
        answers(&mut *connection);
        connection.finish(Duration::ZERO);
        let lines = connection.trace().lines();
        lines.map(|line| (line.from, line.bytes.clone())).collect::<Vec<_>>()
    };
    for agent in [RustSdk::V1, RustSdk::V2] {
        assert_eq!(lines_of(agent), lines_of(agent));
    }
}
