//! Sequential round trips with a child process: a bare pipe ping-pong against our connection.
//!
//! Both drive the same agent (this program, started with `agent`), in turns within one run, so
//! that the ratio does not depend on how busy the machine is. All run on one core: whether the
//! scheduler happens to put the agent on another decides between 5 and 50 µs.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use acp_harness::{ChildCommand, Connection, Home, Implementation, Received};

const ROUNDS: usize = 30;
const TRIPS_A_ROUND: u32 = 3_000;

const REQUEST: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}
"#;
const REPLY: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"sess_0123456789abcdef"}}
"#;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("agent") {
        return agent();
    }
    let program = std::env::current_exe().expect("this program has a path");

    run_on_one_core();
    let mut child = Command::new(&program)
        .arg("agent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let mut to = child.stdin.take().expect("it is piped");
    let mut from = BufReader::new(child.stdout.take().expect("it is piped"));

    let home = Home::temporary().expect("a temporary directory can be made");
    let command = ChildCommand::new(program.to_str().expect("UTF-8"), home).args(["agent"]);
    let mut connection = command.start().expect("this program can be started");

    bare_round(&mut to, &mut from);
    our_round(&mut *connection);
    let mut bare = Vec::new();
    let mut ours = Vec::new();
    for _ in 0..ROUNDS {
        bare.push(bare_round(&mut to, &mut from));
        ours.push(our_round(&mut *connection));
    }
    let (bare, ours) = (median(bare), median(ours));
    println!("bare pipe:  {:.2} µs a round trip", bare.as_secs_f64() * 1e6);
    println!("connection: {:.2} µs a round trip", ours.as_secs_f64() * 1e6);
    println!("ratio: {:.2}", bare.as_secs_f64() / ours.as_secs_f64());

    drop(to);
    child.wait().expect("it ends when its input does");

    let mut whole = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut connection = command.start().expect("this program can be started");
        connection.send(REQUEST);
        assert!(matches!(connection.receive(started + PATIENCE), Received::Line(_)));
        connection.finish(PATIENCE);
        whole.push(started.elapsed());
    }
    println!("start, one trip, finish: {:.2} ms", median(whole).as_secs_f64() * 1e3);
}

const PATIENCE: Duration = Duration::from_secs(10);

/// Answers every line with the same one, without a buffer on the way out.
fn agent() {
    let mut from = std::io::stdin().lock();
    let mut to = std::io::stdout().lock();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        for _ in buffer[..count].iter().filter(|byte| **byte == b'\n') {
            if to.write_all(REPLY).is_err() {
                return;
            }
        }
    }
}

/// So will the agents that are started later.
fn run_on_one_core() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let ours = sched_getaffinity(None).expect("our cores are known");
        let mut one = CpuSet::new();
        one.set((0..CpuSet::MAX_CPU).find(|core| ours.is_set(*core)).expect("we run on a core"));
        sched_setaffinity(None, &one).expect("we may run on one of our cores");
    }
}

fn bare_round(to: &mut ChildStdin, from: &mut BufReader<ChildStdout>) -> Duration {
    let mut line = String::new();
    let started = Instant::now();
    for _ in 0..TRIPS_A_ROUND {
        to.write_all(REQUEST).expect("the agent reads");
        line.clear();
        from.read_line(&mut line).expect("the agent writes");
        assert_eq!(line.as_bytes(), REPLY);
    }
    started.elapsed() / TRIPS_A_ROUND
}

fn our_round(connection: &mut dyn Connection) -> Duration {
    let started = Instant::now();
    for _ in 0..TRIPS_A_ROUND {
        connection.send(REQUEST);
        match connection.receive(Instant::now() + PATIENCE) {
            Received::Line(line) => assert_eq!(line, REPLY.trim_ascii_end()),
            other => panic!("no reply but {other:?}"),
        }
    }
    started.elapsed() / TRIPS_A_ROUND
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
