//! Things that are no agent, or one that behaves badly around its answers: a check of them ends by
//! itself, says what happened and what to try, and leaves nothing behind.

#![cfg(unix)]

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_acp-check");

/// Everything that a check starts has this variable, with a value of its own.
const MARK: &str = "ACP_CHECK_HOSTILE_TEST";

const MEMORY_MAX_KIB: u64 = 200 << 10;

/// A check that takes longer does not end by itself. It takes seconds, but the machine may be
/// busy.
const TIME_MAX: Duration = Duration::from_secs(60);

/// What does not answer is given up after this. Whatever can be told at once is given the
/// default, so that a test that waits for it fails.
const IMPATIENT: &[&str] = &["--startup-timeout", "1s"];

/// A shell in which `"$0" agent` is the reference agent.
fn sh(script: &str) -> [&str; 4] {
    ["sh", "-c", script, BINARY]
}

/// A check that is running.
struct Running {
    child: Child,
    folder: TempDir,
    mark: String,
    started: Instant,
    peak_kib: u64,
}

/// What came of a check that left nothing behind.
struct Checked {
    code: i32,
    /// The text for people, on one line.
    text: String,
    report: Value,
    took: Duration,
}

fn start(options: &[&str], agent: &[&str]) -> Running {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let folder = tempfile::tempdir().unwrap();
    for name in ["cwd", "tmp"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let mark = format!("{}-{}-", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    let child = Command::new(BINARY)
        .args(["check", "--save", "kept", "--json", "../report.json"])
        .args(options)
        .arg("--")
        .args(agent)
        .current_dir(folder.path().join("cwd"))
        .env("TMPDIR", folder.path().join("tmp"))
        .env(MARK, &mark)
        .stdin(Stdio::null())
        .stdout(File::create(folder.path().join("stdout")).unwrap())
        .stderr(File::create(folder.path().join("stderr")).unwrap())
        .spawn()
        .unwrap();
    Running { child, folder, mark, started: Instant::now(), peak_kib: 0 }
}

fn check(options: &[&str], agent: &[&str]) -> Checked {
    start(options, agent).end()
}

impl Running {
    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let kill = ["-c", "kill -s \"$0\" \"$1\"", name, id.as_str()];
        assert!(Command::new("sh").args(kill).status().unwrap().success());
    }

    /// Waits for the end, and holds that nothing is left of the check but its reports.
    #[track_caller]
    fn end(mut self) -> Checked {
        let code = loop {
            self.peak_kib = self.peak_kib.max(peak_kib(self.child.id()));
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code().expect("it exits");
            }
            if self.started.elapsed() > TIME_MAX {
                self.signal("TERM");
                panic!("it does not end by itself");
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let took = self.started.elapsed();
        assert_eq!(marked(&self.mark), Vec::<String>::new(), "processes are left running");
        let path = |name: &str| self.folder.path().join(name);
        let read = |name: &str| fs::read_to_string(path(name)).unwrap();
        let names = |name: &str| -> Vec<String> {
            let entries = fs::read_dir(path(name)).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        let text = read("stdout");
        assert_eq!(read("stderr"), "", "nothing goes to standard error");
        assert_eq!(names("tmp"), Vec::<String>::new(), "temporary files are left");
        let report: Value = serde_json::from_str(&read("report.json")).unwrap();
        check_shape(&report, code);
        let findings = findings(&report);
        let kept: &[&str] = if findings.is_empty() { &[] } else { &["kept"] };
        assert_eq!(names("cwd"), kept, "only what was asked for is left");
        for finding in findings {
            let case = finding["case"].as_str().expect("every finding has its case");
            assert!(path("cwd").join(case).is_file(), "{case}");
        }
        assert!(self.peak_kib < MEMORY_MAX_KIB, "it took {} KiB", self.peak_kib);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Checked { code, text, report, took }
    }
}

impl Checked {
    #[track_caller]
    fn says(&self, parts: &[&str]) -> &Checked {
        for part in parts {
            assert!(self.text.contains(part), "`{part}` is not said in: {}", self.text);
        }
        self
    }

    /// It could not be judged.
    #[track_caller]
    fn is_inconclusive(&self) -> &Checked {
        assert_eq!(self.code, 3, "{}", self.text);
        assert!(findings(&self.report).is_empty(), "{}", self.text);
        self.says(&["inconclusive"])
    }

    /// It was judged, and broke nothing but FRM-01.
    #[track_caller]
    fn prints_what_is_no_message(&self) -> &Checked {
        assert_eq!(self.code, 1, "{}", self.text);
        let rules = findings(&self.report).into_iter().map(|finding| finding["rule"].clone());
        let rules: Vec<Value> = rules.collect();
        assert!(!rules.is_empty() && rules.iter().all(|rule| rule == "FRM-01"), "{rules:?}");
        self.says(&["not conformant", "FRM-01"])
    }

    /// It was judged, and nothing was found.
    #[track_caller]
    fn is_conformant(&self) -> &Checked {
        assert_eq!(self.code, 0, "{}", self.text);
        assert!(findings(&self.report).is_empty(), "{}", self.text);
        assert_eq!(self.report["runs"].as_array().unwrap().len(), 2, "both versions are judged");
        self
    }
}

fn findings(report: &Value) -> Vec<&Value> {
    let runs = report["runs"].as_array().unwrap();
    runs.iter().flat_map(|run| run["findings"].as_array().unwrap()).collect()
}

#[track_caller]
fn check_shape(report: &Value, code: i32) {
    let has = |object: &Value, keys: &[&str]| {
        for key in keys {
            assert!(object.get(key).is_some(), "`{key}` is missing in {object}");
        }
    };
    has(report, &["format", "agent", "verdict", "runs", "seed", "elapsed_ms"]);
    has(&report["agent"], &["command", "name", "version"]);
    assert_eq!(report["format"], 1);
    let verdict = match code {
        0 => "conformant",
        1 => "not-conformant",
        _ => "inconclusive",
    };
    assert_eq!(report["verdict"], verdict);
    for run in report["runs"].as_array().unwrap() {
        has(run, &["protocol", "revision", "verdict", "rules", "findings", "coverage"]);
        has(&run["coverage"], &["cells", "hit", "missing"]);
        for rule in run["rules"].as_array().unwrap() {
            has(rule, &["id", "level", "status", "hits"]);
        }
        for finding in run["findings"].as_array().unwrap() {
            has(finding, &["rule", "also", "level", "title", "citation", "states", "sent"]);
            has(finding, &["allowed", "received", "trace", "case", "found_ms"]);
            has(finding, &["stability", "repro"]);
        }
    }
    assert!(!report["runs"].as_array().unwrap().is_empty());
}

/// The most memory that a process had so far; 0 where that is not told.
fn peak_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or(0, |peak| peak.trim().trim_end_matches(" kB").parse().unwrap())
}

/// The command lines of the processes that run and have this mark.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes()) {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    found
}

#[test]
fn what_sends_everything_back_is_no_agent() {
    let checked = check(&[], &["cat"]);
    checked.is_inconclusive().says(&["`cat` sends back the very line", "an argument such as"]);
    assert!(checked.took < Duration::from_secs(10), "{:?}", checked.took);
}

#[test]
fn what_exits_at_once_names_its_code() {
    check(&[], &["true"]).is_inconclusive().says(&[
        "`true` exited with code 0 before it answered",
        "Run it by hand",
        "--keep-home",
    ]);
    check(&[], &sh("printf 'no \\033[31mkey' >&2; exit 7"))
        .is_inconclusive()
        .says(&["exited with code 7", "Its stderr ends with: no key"]);
}

#[test]
fn what_says_nothing_is_given_the_startup_timeout() {
    check(IMPATIENT, &sh("cat >/dev/null"))
        .is_inconclusive()
        .says(&["runs, but did not answer initialize within 1s", "--startup-timeout"]);
}

#[test]
fn what_does_not_read_is_told_from_what_does_not_answer() {
    for agent in [&["sleep", "60"][..], &sh("sleep 60 & wait; cat")] {
        check(IMPATIENT, agent)
            .is_inconclusive()
            .says(&["within 1s it did not even read what it was sent", "--startup-timeout"]);
    }
}

#[test]
fn a_missing_command_is_named() {
    for agent in ["acp-check-no-such-agent", "./no/such/agent"] {
        let cannot = format!("cannot start `{agent}`");
        check(&[], &[agent]).is_inconclusive().says(&[cannot.as_str(), "Check the path"]);
    }
}

#[test]
fn a_log_line_is_a_finding_and_the_agent_is_judged_on() {
    let checked = check(&[], &sh("echo starting up; exec \"$0\" agent"));
    checked.prints_what_is_no_message().says(&["starting up", "send logs to stderr"]);
    let hit: u64 = checked.report["runs"][0]["coverage"]["hit"].as_u64().unwrap();
    assert!(hit > 100, "{hit} cells");
}

#[test]
fn a_flood_is_a_finding() {
    check(&[], &["yes"])
        .prints_what_is_no_message()
        .says(&["`yes` prints without end", "send logs to stderr"]);
}

#[test]
fn a_flood_of_messages_is_no_finding() {
    let update = r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#;
    check(&[], &["yes", update])
        .is_inconclusive()
        .says(&["sends messages without end and does not answer", "before initialize"]);
}

#[test]
fn a_flood_beside_the_answers_is_a_finding() {
    let checked = check(&[], &sh("yes & exec \"$0\" agent"));
    assert_eq!(checked.code, 1, "{}", checked.text);
    assert!(findings(&checked.report).iter().any(|finding| finding["rule"] == "FRM-01"));
}

#[test]
fn a_flood_of_logs_does_no_harm() {
    check(&["--only", "FRM-03"], &sh("yes >&2 & exec \"$0\" agent")).is_conformant();
}

#[test]
fn a_line_without_end_is_a_finding() {
    check(&[], &sh("yes | tr -d '\\n'"))
        .prints_what_is_no_message()
        .says(&["prints without end", "a line on stdout without end"]);
}

#[test]
fn what_closes_its_output_and_lives_is_told_so() {
    check(&[], &sh("exec >&-; sleep 60"))
        .is_inconclusive()
        .says(&["closed its output before it answered initialize, and lives on", "redirects"]);
}

#[test]
fn a_grandchild_that_holds_the_pipes_is_ended() {
    for background in ["sleep 300 &", "setsid sleep 300 &", "(setsid sleep 300 &) &"] {
        check(&["--jobs", "8"], &sh(&format!("{background} exec \"$0\" agent")))
            .is_conformant()
            .says(&["something that it started goes on and holds its output open"]);
    }
}

#[test]
fn what_ends_neither_at_the_end_of_input_nor_when_asked_to_is_killed() {
    check(&[], &sh("trap '' TERM; \"$0\" agent; while :; do sleep 1; done"))
        .is_conformant()
        .says(&["does not end within 500ms once its input is closed, nor when asked to (TERM)"]);
}

#[test]
fn what_ends_only_when_asked_to_is_told_so() {
    check(&["--only", "FRM-03"], &sh("\"$0\" agent; sleep 300"))
        .is_conformant()
        .says(&["once its input is closed: it had to be asked to (TERM)"]);
}

#[test]
fn an_interrupt_ends_the_waiting_for_an_agent() {
    for signals in [&["INT"][..], &["TERM"], &["HUP"], &["INT", "INT", "INT"]] {
        let running = start(&[], &sh("trap '' TERM HUP; sleep 60 & wait; cat"));
        std::thread::sleep(Duration::from_millis(400));
        // Where processes can be looked for at all, they are found while they run.
        let seen = marked(&running.mark).len();
        assert!(seen > 1 || fs::read("/proc/self/environ").is_err(), "{seen} processes");
        for signal in signals {
            running.signal(signal);
            std::thread::sleep(Duration::from_millis(40));
        }
        let checked = running.end();
        checked.is_inconclusive().says(&["the check was stopped before"]);
        assert!(checked.took < Duration::from_secs(15), "{:?}", checked.took);
    }
}

#[test]
fn an_interrupt_in_the_middle_leaves_a_report() {
    let slow = "while IFS= read -r line; do sleep 0.1; printf '%s\\n' \"$line\"; done";
    let running = start(&[], &sh(&format!("\"$0\" agent | {slow}")));
    std::thread::sleep(Duration::from_secs(3));
    running.signal("INT");
    let checked = running.end();
    assert!(matches!(checked.code, 1 | 3), "{}", checked.text);
    checked.says(&["stopped before"]);
    assert!(checked.took < Duration::from_secs(15), "{:?}", checked.took);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for options in [&[][..], &["--json", "-"]] {
        let mut child = Command::new(BINARY)
            .arg("check")
            .args(options)
            .args(["--", "cat"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(3), "{options:?}");
    }
}
