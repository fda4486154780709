//! What an agent prints does not fill our memory. Alone in its process, which is measured.

#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use acp_harness::{ChildCommand, Connection, Ended, Home, Implementation, Received};

/// Far less than these agents print in the time they get; what the limits add up to is 40 MiB.
const MEMORY_MAX_KIB: u64 = 128 << 10;

const MOMENT: Duration = Duration::from_millis(200);

fn sh(script: &str) -> Box<dyn Connection> {
    let home = Home::temporary().expect("a temporary directory can be made");
    let command = ChildCommand::new("/bin/sh", home).args(["-c", script]);
    command.start().expect("there is a shell")
}

/// The most memory that this process ever had.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is told");
    peak.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

#[test]
fn floods_are_bounded() {
    // Nobody receives.
    let mut flood = sh("exec yes 'a line that is printed without end'");
    assert!(matches!(flood.receive(Instant::now() + 50 * MOMENT), Received::Line(_)));
    assert_eq!(flood.finish(MOMENT), Ended::Stopped { forced: false });
    let mut bytes = 0;
    while let Received::Line(line) = flood.receive(Instant::now()) {
        bytes += line.len();
    }
    assert!((1 << 19..3 << 20).contains(&bytes), "{bytes} bytes were kept");

    // Everything is received.
    let mut flood = sh("exec yes ''");
    let until = Instant::now() + MOMENT;
    while Instant::now() < until {
        assert_eq!(flood.receive(until), Received::Line(Vec::new()));
    }
    drop(flood);

    // One line.
    let mut endless = sh("exec tr '\\0' a < /dev/zero");
    let Received::Overlong(head) = endless.receive(Instant::now() + 50 * MOMENT) else {
        panic!("a line was longer than the limit");
    };
    assert_eq!(head, b"a".repeat(64 << 10));
    assert_eq!(endless.receive(Instant::now() + MOMENT), Received::Quiet);
    let traced = endless.trace().lines().next().expect("it was recorded");
    assert_eq!(traced.cut_from, Some((8 << 20) + 1));
    assert_eq!(traced.bytes.len(), 256);
    drop(endless);

    // Standard error.
    let mut loud = sh("exec yes >&2");
    assert_eq!(loud.receive(Instant::now() + MOMENT), Received::Quiet);
    assert!(loud.stderr_tail().len() <= 8 << 10);
    drop(loud);

    assert!(peak_kib() < MEMORY_MAX_KIB, "{} KiB", peak_kib());
}
