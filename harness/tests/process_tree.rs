//! Nothing that an agent started is left when its connection is over.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use acp_harness::{ChildCommand, Connection, Ended, Home, Implementation, Received};

const PATIENCE: Duration = Duration::from_secs(20);
const MOMENT: Duration = Duration::from_millis(50);

/// Starts an agent whose first line is the id of a process that it started.
fn start(script: &str) -> (Box<dyn Connection>, u32) {
    let home = Home::temporary().expect("a temporary directory can be made");
    let command = ChildCommand::new("/bin/sh", home).args(["-c", script]);
    let mut connection = command.start().expect("there is a shell");
    let Received::Line(line) = connection.receive(Instant::now() + PATIENCE) else {
        panic!("{script} prints an id");
    };
    let id = String::from_utf8_lossy(&line).parse().expect("it is a number");
    assert!(lives(id), "{script}");
    (connection, id)
}

/// A zombie is dead: its parent, or the system, only has not asked how it ended.
fn lives(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

const STAYS: &str = "'echo $$; exec sleep 60'";

#[test]
fn what_an_agent_leaves_behind_goes_with_it() {
    for script in [
        // In the group.
        format!("sh -c {STAYS} & exec cat"),
        format!("env -i sh -c {STAYS} & exec cat"),
        // In a session of its own; the agent still its parent, or not.
        format!("setsid sh -c {STAYS} & exec cat"),
        format!("(setsid sh -c {STAYS} &); exec cat"),
        // It does not end when asked to.
        "setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 60; done' & exec cat".into(),
        // It holds no pipe of ours.
        "(setsid sh -c 'echo $$; exec sleep 60 <&- >&- 2>&-' &); exec cat".into(),
    ] {
        let (mut connection, id) = start(&script);
        assert_eq!(connection.finish(PATIENCE), Ended::Exit(0), "{script}");
        assert!(!lives(id), "{script}");

        let (connection, id) = start(&script);
        drop(connection);
        assert!(!lives(id), "{script} (dropped)");
    }
}

#[test]
fn what_outlives_an_agent_goes_with_its_connection() {
    for script in [
        format!("sh -c {STAYS} & read go; exit 3"),
        format!("(setsid sh -c {STAYS} &); read go; exit 3"),
    ] {
        let exited = || {
            let (mut connection, id) = start(&script);
            connection.send(b"go\n");
            let received = connection.receive(Instant::now() + PATIENCE);
            assert_eq!(received, Received::Ended(Ended::Exit(3)));
            assert!(lives(id), "{script}");
            (connection, id)
        };
        let (mut connection, id) = exited();
        assert_eq!(connection.finish(PATIENCE), Ended::Exit(3));
        assert!(!lives(id), "{script}");

        let (connection, id) = exited();
        drop(connection);
        assert!(!lives(id), "{script} (dropped)");
    }
}

#[test]
fn what_an_agent_that_must_be_stopped_started_goes_with_it() {
    for script in [
        format!("setsid sh -c {STAYS} & exec sleep 60"),
        // Neither its group nor its environment tells, but its parents do.
        format!("env -i setsid sh -c {STAYS} & exec sleep 60"),
        format!("trap '' TERM; env -i setsid sh -c {STAYS} & while :; do sleep 60; done"),
        format!("env -i setsid sh -c \"setsid sh -c {STAYS} & wait\" & exec sleep 60")
            .replace("$$", r"\$\$"),
    ] {
        let (mut connection, id) = start(&script);
        let ended = connection.finish(MOMENT);
        assert!(matches!(ended, Ended::Stopped { .. }), "{script} {ended:?}");
        assert!(!lives(id), "{script}");

        let (connection, id) = start(&script);
        drop(connection);
        assert!(!lives(id), "{script} (dropped)");
    }
}

#[test]
fn the_agent_itself_is_gone_and_no_zombie_is_left() {
    for script in ["echo $$; exec cat", "echo $$; exec sleep 60", "echo $$; exit 0"] {
        let exists = |id: u32| std::path::Path::new(&format!("/proc/{id}")).exists();
        let (mut connection, id) = start_any(script);
        connection.finish(MOMENT);
        assert!(!exists(id), "{script}");
        let (connection, id) = start_any(script);
        drop(connection);
        assert!(!exists(id), "{script} (dropped)");
    }
}

/// As [`start`], for a process that may be gone by now.
fn start_any(script: &str) -> (Box<dyn Connection>, u32) {
    let command = ChildCommand::new("/bin/sh", Home::Real).args(["-c", script]);
    let mut connection = command.start().expect("there is a shell");
    let Received::Line(line) = connection.receive(Instant::now() + PATIENCE) else {
        panic!("{script} prints an id");
    };
    (connection, String::from_utf8_lossy(&line).parse().expect("it is a number"))
}

#[test]
fn others_are_left_alone() {
    let mut bystander =
        Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("there is sleep");
    let (other, other_child) = start(&format!("setsid sh -c {STAYS} & exec cat"));
    let (mut connection, _) = start(&format!("setsid sh -c {STAYS} & exec cat"));
    connection.finish(PATIENCE);
    drop(connection);
    assert!(lives(other_child), "another connection's");
    assert!(lives(bystander.id()), "our own");
    drop(other);
    assert!(!lives(other_child));
    assert!(lives(bystander.id()), "our own");
    bystander.kill().and_then(|()| bystander.wait()).expect("it is ours");
}
