//! What is received from a child process, and what is recorded.

use std::path::Path;
use std::time::{Duration, Instant};

use acp_harness::{
    ChildCommand, Connection, Ended, Entry, Home, Implementation, LineEnd, LineEntry, Received,
    Side, StartError,
};

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(20);

/// Short enough to wait for in vain.
const MOMENT: Duration = Duration::from_millis(50);

fn command(program: &str, args: &[&str]) -> ChildCommand {
    let home = Home::temporary().expect("a temporary directory can be made");
    ChildCommand::new(program, home).args(args.iter().copied())
}

fn sh(script: &str) -> Box<dyn Connection> {
    command("/bin/sh", &["-c", script]).start().expect("there is a shell")
}

fn line(bytes: impl AsRef<[u8]>) -> Received {
    Received::Line(bytes.as_ref().to_vec())
}

fn next(connection: &mut dyn Connection) -> Received {
    connection.receive(Instant::now() + PATIENCE)
}

fn up_to_the_end(connection: &mut dyn Connection) -> Vec<Received> {
    let mut received = Vec::new();
    loop {
        received.push(next(connection));
        if let Some(Received::Ended(_) | Received::Quiet) = received.last() {
            return received;
        }
    }
}

fn lines_from(connection: &dyn Connection, side: Side) -> Vec<LineEntry> {
    connection.trace().lines().filter(|line| line.from == side).cloned().collect()
}

#[test]
fn bytes_arrive_as_they_are_both_ways() {
    let mut cat = command("cat", &[]).start().expect("there is cat");
    let lines: [&[u8]; 6] = [b"{}", b"", b"dos\r", b"\xff\xfe\0", "\u{2028}".as_bytes(), b" "];
    for bytes in lines {
        cat.send(&[bytes, b"\n"].concat());
        assert_eq!(next(&mut *cat), line(bytes));
    }
    assert_eq!(cat.unsent_bytes(), 0);
    assert_eq!(cat.finish(PATIENCE), Ended::Exit(0));
    for side in [Side::Client, Side::Agent] {
        let traced = lines_from(&*cat, side);
        assert_eq!(traced.iter().map(|line| &*line.bytes).collect::<Vec<_>>(), lines);
        assert!(traced.iter().all(|line| line.end == LineEnd::Newline && line.cut_from.is_none()));
    }
    let times: Vec<u64> = cat.trace().entries().iter().map(Entry::at_us).collect();
    assert!(times.is_sorted(), "{times:?}");
    let last = cat.trace().entries().last();
    assert!(matches!(last, Some(Entry::Ended { ended: Ended::Exit(0), .. })), "{last:?}");
}

#[test]
fn lines_are_put_together_and_taken_apart() {
    let mut cat = sh("exec cat");
    cat.send(b"on");
    assert_eq!(cat.receive(Instant::now() + MOMENT), Received::Quiet);
    cat.send(b"e\ntwo\nth");
    cat.send(b"ree");
    cat.close_input();
    assert_eq!(
        up_to_the_end(&mut *cat),
        [
            line("one"),
            line("two"),
            Received::Unterminated(b"three".to_vec()),
            Received::Ended(Ended::Exit(0))
        ]
    );
    for side in [Side::Client, Side::Agent] {
        let traced = lines_from(&*cat, side);
        assert_eq!(
            traced.iter().map(|line| &*line.bytes).collect::<Vec<_>>(),
            [&b"one"[..], b"two", b"three"]
        );
        assert_eq!(traced[2].end, LineEnd::None);
    }
}

#[test]
fn an_exit_is_told_once_all_was_received_and_then_again_and_again() {
    for (script, ended) in [
        ("exit 0", Ended::Exit(0)),
        ("exit 7", Ended::Exit(7)),
        ("kill -9 $$", Ended::Signal(9)),
        ("kill -15 $$", Ended::Signal(15)),
    ] {
        let mut connection = sh(&format!("printf 'one\\ntwo'; {script}"));
        let expected =
            [line("one"), Received::Unterminated(b"two".to_vec()), Received::Ended(ended)];
        assert_eq!(up_to_the_end(&mut *connection), expected, "{script}");
        assert_eq!(next(&mut *connection), Received::Ended(ended));
        assert_eq!(connection.finish(PATIENCE), ended);
        assert_eq!(next(&mut *connection), Received::Ended(ended));
        let ends = connection.trace().entries().iter();
        assert_eq!(ends.filter(|entry| matches!(entry, Entry::Ended { .. })).count(), 1);
    }
}

#[test]
fn a_command_that_exits_at_once_can_still_be_sent_to() {
    let mut connection = command("true", &[]).start().expect("there is true");
    assert_eq!(next(&mut *connection), Received::Ended(Ended::Exit(0)));
    connection.send(b"{}\n");
    assert_eq!(connection.unsent_bytes(), 3);
    assert_eq!(lines_from(&*connection, Side::Client)[0].unsent, 3);
}

#[test]
fn a_command_that_is_missing_is_named() {
    for program in ["acp-check-has-no-such-agent", "./no/such/agent", "/"] {
        let error = command(program, &["--acp"]).start().err().expect("it is no program");
        let StartError::Spawn { command, .. } = &error else { panic!("{error}") };
        assert_eq!(*command, format!("{program} --acp"));
    }
    let mut nowhere = command("true", &[]);
    nowhere.cwd = Some("/no/such/directory".into());
    let error = nowhere.start().err().expect("it has nowhere to start");
    assert!(error.to_string().contains("/no/such/directory"), "{error}");
}

#[test]
fn an_agent_that_never_reads_does_not_block_us() {
    let mut connection = sh("echo up; exec sleep 60");
    let request = [b"x".repeat(1023), b"\n".to_vec()].concat();
    for _ in 0..1024 {
        connection.send(&request);
    }
    let unsent = connection.unsent_bytes();
    assert!((1 << 19..1 << 20).contains(&unsent), "{unsent}");
    assert_eq!(next(&mut *connection), line("up"));
    assert_eq!(connection.receive(Instant::now() + MOMENT), Received::Quiet);
    assert_eq!(connection.unsent_bytes(), unsent);

    assert_eq!(connection.finish(MOMENT), Ended::Stopped { forced: false });
    assert_eq!(connection.unsent_bytes(), unsent);
    let traced = lines_from(&*connection, Side::Client);
    assert_eq!(traced.len(), 1024);
    assert!(traced.iter().all(|line| line.bytes.len() == 1023));
    assert_eq!(traced.iter().map(|line| line.unsent).sum::<u64>(), unsent as u64);
}

#[test]
fn an_agent_that_writes_before_it_reads_is_read_while_we_write() {
    let mut connection = sh("head -c 300000 /dev/zero | tr '\\0' a; echo; exec cat");
    let request = [b"x".repeat(1 << 20), b"\n".to_vec()].concat();
    connection.send(&request);
    assert!(connection.unsent_bytes() > 0);
    assert_eq!(next(&mut *connection), line(b"a".repeat(300_000)));
    assert_eq!(next(&mut *connection), line(b"x".repeat(1 << 20)));
    assert_eq!(connection.unsent_bytes(), 0);
}

#[test]
fn input_ends_after_all_that_was_queued() {
    let mut connection = sh("wc -c");
    connection.send(&b"x".repeat(1 << 20));
    connection.close_input();
    connection.send(b"late");
    assert_eq!(next(&mut *connection), line("1048576"));
    assert_eq!(connection.unsent_bytes(), 4);
    assert_eq!(connection.finish(PATIENCE), Ended::Exit(0));
}

#[test]
fn an_agent_that_closed_its_input_is_recorded_not_died_of() {
    let mut connection = sh("exec <&-; echo ready; exec sleep 60");
    assert_eq!(next(&mut *connection), line("ready"));
    // A process that another thread is just starting may have the pipe open until it runs.
    while connection.unsent_bytes() == 0 {
        connection.send(b"\n");
        assert_eq!(connection.receive(Instant::now() + MOMENT / 10), Received::Quiet);
    }
    connection.send(b"one\ntw");
    connection.send(b"o\n");
    assert_eq!(connection.unsent_bytes(), 9);
    assert_eq!(connection.receive(Instant::now() + MOMENT), Received::Quiet);
    let traced = lines_from(&*connection, Side::Client);
    let unsent: Vec<u64> = traced.iter().map(|line| line.unsent).collect();
    assert!(unsent.ends_with(&[1, 4, 2, 2]), "{unsent:?}");
}

#[test]
fn an_agent_that_closes_its_output_and_lives() {
    let mut connection = sh("echo last; exec >&-; exec sleep 60");
    assert_eq!(
        up_to_the_end(&mut *connection),
        [line("last"), Received::Ended(Ended::OutputClosed)]
    );
    assert_eq!(connection.finish(MOMENT), Ended::Stopped { forced: false });
}

#[test]
fn the_deadline_holds_after_the_output_was_closed() {
    let mut connection = sh("exec >&-; exec sleep 60");
    let started = Instant::now();
    while connection.receive(started + MOMENT) != Received::Quiet {
        assert!(started.elapsed() < MOMENT, "only the deadline should end this");
    }
    assert_eq!(next(&mut *connection), Received::Ended(Ended::OutputClosed));
}

#[test]
fn an_exit_is_seen_though_a_grandchild_holds_the_pipes() {
    let mut connection = sh("sleep 60 & echo one; printf two; exit 3");
    let started = Instant::now();
    assert_eq!(
        up_to_the_end(&mut *connection),
        [line("one"), Received::Unterminated(b"two".to_vec()), Received::Ended(Ended::Exit(3))]
    );
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn an_exit_is_seen_though_a_grandchild_floods_the_output() {
    let mut connection = sh("yes & exit 3");
    let received = up_to_the_end(&mut *connection);
    assert_eq!(received.last(), Some(&Received::Ended(Ended::Exit(3))));
}

#[test]
fn what_is_printed_late_can_still_be_received() {
    let mut connection = sh("cat > /dev/null; echo bye; printf now; exit 4");
    connection.send(b"{}\n");
    assert_eq!(connection.finish(PATIENCE), Ended::Exit(4));
    assert_eq!(
        up_to_the_end(&mut *connection),
        [line("bye"), Received::Unterminated(b"now".to_vec()), Received::Ended(Ended::Exit(4))]
    );
}

#[test]
fn an_agent_that_stays_is_asked_and_then_forced() {
    let mut asked = sh("exec sleep 60");
    let started = Instant::now();
    assert_eq!(asked.finish(MOMENT), Ended::Stopped { forced: false });

    let mut forced = sh("trap '' TERM; echo ready; while :; do sleep 60; done");
    assert_eq!(next(&mut *forced), line("ready"));
    assert_eq!(forced.finish(MOMENT), Ended::Stopped { forced: true });
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());

    let mut polite = sh("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 60; done");
    assert_eq!(next(&mut *polite), line("ready"));
    assert_eq!(polite.finish(MOMENT), Ended::Stopped { forced: false });
    assert_eq!(next(&mut *polite), line("bye"));
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let mut connection =
        sh("head -c 300000 /dev/zero | tr '\\0' x >&2; echo the end >&2; echo done; exec cat");
    assert_eq!(next(&mut *connection), line("done"));
    connection.finish(PATIENCE);
    let tail = connection.stderr_tail();
    assert!(tail.ends_with("xxxthe end\n") && tail.len() == 8 << 10, "{} bytes", tail.len());
}

#[test]
fn what_is_there_is_received_after_the_deadline_too() {
    let mut connection = sh("echo one; echo two; exec cat");
    let past = Instant::now();
    assert_eq!(next(&mut *connection), line("one"));
    while connection.receive(past) != line("two") {}
    assert_eq!(connection.receive(past), Received::Quiet);
}

#[test]
fn the_home_is_empty_and_its_own() {
    let script = r#"for v in "$HOME" "$XDG_CONFIG_HOME" "$TMPDIR" "$(pwd -P)" "$GIVEN"; do
        echo "$v"; done; ls -A "$HOME/cwd" "$TMPDIR" | grep -v : | wc -w; touch "$HOME/mine""#;
    let mut command = command("/bin/sh", &["-c", script]);
    command.env = vec![("GIVEN".into(), "given".into())];
    let Home::Temporary(home) = command.home.clone() else { panic!("it is temporary") };
    let path = home.path().to_owned();
    drop(home);

    let mut connection = command.start().expect("there is a shell");
    let here = |below: &str| line(path.join(below).as_os_str().as_encoded_bytes());
    assert_eq!(
        up_to_the_end(&mut *connection),
        [
            line(path.as_os_str().as_encoded_bytes()),
            here(".config"),
            here("tmp"),
            here("cwd"),
            line("given"),
            line("0"),
            Received::Ended(Ended::Exit(0))
        ]
    );
    drop(command);
    assert!(path.join("mine").exists(), "the connection still uses it");
    drop(connection);
    assert!(!path.exists(), "nobody uses it any more");
}

#[test]
fn with_the_real_home_nothing_changes() {
    let script = r#"echo "$HOME"; pwd -P"#;
    let command = ChildCommand::new("/bin/sh", Home::Real).args(["-c", script]);
    let mut connection = command.start().expect("there is a shell");
    let ours = std::env::current_dir().and_then(|path| path.canonicalize()).expect("we are here");
    let path = |path: &Path| line(path.as_os_str().as_encoded_bytes());
    assert_eq!(
        next(&mut *connection),
        path(Path::new(&std::env::var_os("HOME").unwrap_or_default()))
    );
    assert_eq!(next(&mut *connection), path(&ours));
}

#[test]
fn files_named_from_here_are_found_from_there() {
    // The tests run in the crate's own directory.
    let mut connection = command("cat", &["Cargo.toml"]).start().expect("there is cat");
    assert_eq!(next(&mut *connection), line("[package]"));
}
