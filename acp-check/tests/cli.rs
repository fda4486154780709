//! The command as a user types it.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_acp-check");

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(BINARY).current_dir(folder.path()).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[track_caller]
fn check(output: &Output, code: i32, says: &[&str]) {
    let text = stdout(output) + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in says {
        assert!(text.contains(part), "`{part}` is not said in:\n{text}");
    }
}

#[test]
fn without_arguments_the_embedded_agent_is_checked() {
    let folder = folder();
    let output = run(&folder, &[]);
    check(&output, 0, &["the embedded reference agent", "protocol 1", "protocol 2", "conformant"]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing is left on disk");
}

#[test]
fn usage_errors_name_what_was_wrong() {
    let folder = folder();
    check(&run(&folder, &["check", "--colour"]), 2, &["--colour"]);
    check(&run(&folder, &["--protocol", "3"]), 2, &["3", "possible values"]);
    check(&run(&folder, &["--revision", "draft"]), 2, &["no revision `draft`", "schema-1.20"]);
    check(&run(&folder, &["--only", "FRM-99"]), 2, &["no rule `FRM-99`"]);
    check(&run(&folder, &["--reply-timeout", "5h"]), 2, &["no unit `h`"]);
    check(&run(&folder, &["--env", "X", "--", "true"]), 2, &["NAME=VALUE"]);
    check(&run(&folder, &["replay"]), 2, &["CASE"]);
    check(&run(&folder, &["agent", "--fault", "nope"]), 2, &["no fault `nope`", "--list-faults"]);
}

#[test]
fn a_finding_is_told_saved_and_replayed() {
    let folder = folder();
    let broken = ["--", BINARY, "agent", "--protocol", "2", "--fault", "scalar-ends-agent"];
    let clean = ["--", BINARY, "agent", "--protocol", "2"];
    let output = run(&folder, &[&["--json", "report.json"], &broken[..]].concat());
    check(&output, 1, &["RPC-08", "the agent exits with code 1", "error -32600, id null"]);

    let text = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["format"], 1);
    assert_eq!(report["verdict"], "not-conformant");
    assert_eq!(report["agent"]["name"], "acp-check-reference");
    let run_report = &report["runs"][0];
    assert_eq!(run_report["protocol"], 2);
    assert_eq!(run_report["revision"], "errors-page");
    let finding = &run_report["findings"][0];
    assert_eq!(finding["rule"], "RPC-08");
    assert_eq!(finding["level"], "must");
    assert_eq!(finding["stability"], "deterministic");
    assert!(finding["found_ms"].as_u64().unwrap() <= 5_000);
    for list in ["also", "states", "sent", "allowed", "received", "trace"] {
        assert!(finding[list].is_array(), "{list}");
    }
    let status = |id: &str| {
        let rules = run_report["rules"].as_array().unwrap();
        rules.iter().find(|rule| rule["id"] == id).unwrap()["status"].clone()
    };
    assert_eq!((status("RPC-08"), status("RPC-09")), ("failed".into(), "passed".into()));
    assert_eq!(status("SES-01"), "not-exercised");

    let case = finding["case"].as_str().unwrap();
    let trace = case.replace(".json", ".trace.ndjson");
    assert!(folder.path().join(&trace).exists());
    check(&run(&folder, &[&["replay", case], &broken[..]].concat()), 1, &["FAILED", "RPC-08"]);
    check(&run(&folder, &[&["replay", case], &clean[..]].concat()), 0, &["FIXED"]);
    check(&run(&folder, &["replay", case, "--", "true"]), 3, &["CANNOT RUN"]);
    check(&run(&folder, &["replay", &trace, "--", "true"]), 3, &["CANNOT RUN", "no case file"]);
    check(&run(&folder, &["replay", "none.json"]), 3, &["CANNOT RUN", "none.json"]);
}

#[test]
fn json_on_stdout_is_all_that_is_on_stdout() {
    let folder = folder();
    let output = run(&folder, &["--json", "-", "--protocol", "1"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("conformant"));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_and_the_text_still_comes() {
    let folder = folder();
    let output = run(&folder, &["--json", "no/such/folder/report.json"]);
    check(&output, 3, &["no/such/folder/report.json", "conformant"]);
}

#[test]
fn a_warning_fails_only_where_it_is_denied() {
    let folder = folder();
    let agent = ["--", BINARY, "agent", "--protocol", "1", "--fault", "served-before-initialize"];
    check(&run(&folder, &agent), 0, &["INIT-02", "(should)", "conformant"]);
    check(&run(&folder, &[&["--deny", "should"], &agent[..]].concat()), 1, &["INIT-02"]);
    check(&run(&folder, &[&["--skip", "INIT-02"], &agent[..]].concat()), 0, &["conformant"]);
}

#[test]
fn the_same_command_gives_the_same_report_but_for_times() {
    let folder = folder();
    let without_times = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let timed = ["\"elapsed_ms\"", "\"found_ms\"", "\"at_us\""];
        let kept = text.lines().filter(|line| !timed.iter().any(|name| line.contains(name)));
        kept.map(str::to_owned).collect::<Vec<_>>()
    };
    let agent = ["--", BINARY, "agent", "--fault", "batch-answered-line-by-line"];
    for name in ["one.json", "two.json"] {
        run(&folder, &[&["--json", name, "--seed", "5"], &agent[..]].concat());
    }
    let read = |name: &str| without_times(&folder.path().join(name));
    let (one, two) = (read("one.json"), read("two.json"));
    assert_eq!(one.len(), two.len());
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one, two);
    }
}

#[test]
fn the_faults_are_listed() {
    let output = run(&folder(), &["agent", "--list-faults"]);
    check(&output, 0, &["parse-error-unanswered", "FRM-03", "BAT-11"]);
}
