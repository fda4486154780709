//! An agent in this process behaves as one in another.

use std::time::{Duration, Instant};

use acp_harness::{
    AgentFlow, Connection, Ended, Entry, Implementation, InProcess, LineAgent, LineEnd, Received,
    Side,
};

/// Does what the line says.
struct Obedient;

impl LineAgent for Obedient {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> AgentFlow {
        match line {
            b"nothing" => {}
            b"two" => out.extend_from_slice(b"one\ntwo\n"),
            b"half" => out.extend_from_slice(b"half a"),
            b"exit" => {
                out.extend_from_slice(b"bye\nunfinished");
                return AgentFlow::Exit(3);
            }
            // Without the panic hook, which would write to the standard error of the tests.
            b"panic" => std::panic::resume_unwind(Box::new("could not")),
            _ => {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        }
        AgentFlow::Continue
    }

    fn end_of_input(&mut self, out: &mut Vec<u8>) -> i32 {
        out.extend_from_slice(b"end\n");
        5
    }
}

fn start() -> Box<dyn Connection> {
    let agent = InProcess::new("obedient", || Box::new(Obedient));
    assert_eq!(agent.name(), "obedient");
    agent.start().expect("nothing can fail")
}

fn line(text: &str) -> Received {
    Received::Line(text.as_bytes().to_vec())
}

fn all(connection: &mut dyn Connection) -> Vec<Received> {
    let mut received = Vec::new();
    loop {
        match connection.receive(Instant::now()) {
            Received::Quiet => return received,
            ended @ Received::Ended(_) => {
                received.push(ended);
                return received;
            }
            other => received.push(other),
        }
    }
}

/// The trace in short: `>` sent, `<` received.
fn told(connection: &dyn Connection) -> Vec<String> {
    let entry = |entry: &Entry| match entry {
        Entry::Line(line) => {
            let side = if line.from == Side::Client { '>' } else { '<' };
            let end = if line.end == LineEnd::None { " (no newline)" } else { "" };
            let unsent = if line.unsent > 0 { " (unsent)" } else { "" };
            format!("{side} {}{end}{unsent}", String::from_utf8_lossy(&line.bytes))
        }
        Entry::Ended { ended, .. } => format!("{ended:?}"),
    };
    connection.trace().entries().iter().map(entry).collect()
}

#[test]
fn it_answers_and_is_quiet_at_once() {
    let mut connection = start();
    assert_eq!(all(&mut *connection), []);
    connection.send(b"hello\nnothing\ntwo\n");
    connection.send(b"he");
    assert_eq!(all(&mut *connection), [line("hello"), line("one"), line("two")]);
    connection.send(b"llo\n");
    let far = Instant::now() + Duration::from_secs(3600);
    assert_eq!(connection.receive(far), line("hello"));
    assert_eq!(connection.receive(far), Received::Quiet);
}

#[test]
fn lines_sent_together_are_all_sent_before_the_first_answer() {
    let mut connection = start();
    connection.send(b"a\n");
    connection.send(b"b\n");
    assert_eq!(connection.receive(Instant::now()), line("a"));
    connection.send(b"c\n");
    assert_eq!(all(&mut *connection), [line("b"), line("c")]);
    assert_eq!(told(&*connection), ["> a", "> b", "< a", "> c", "< b", "< c"]);
}

#[test]
fn after_its_exit_nothing_is_sent() {
    let mut connection = start();
    connection.send(b"exit\nnever read\n");
    let ended = Received::Ended(Ended::Exit(3));
    let rest = Received::Unterminated(b"unfinished".to_vec());
    assert_eq!(all(&mut *connection), [line("bye"), rest, ended.clone()]);
    connection.send(b"late\n");
    assert_eq!(connection.unsent_bytes(), 5);
    assert_eq!(connection.receive(Instant::now()), ended);
    assert_eq!(connection.finish(Duration::ZERO), Ended::Exit(3));
    assert_eq!(
        told(&*connection),
        [
            "> exit",
            "> never read",
            "< bye",
            "< unfinished (no newline)",
            "Exit(3)",
            "> late (unsent)"
        ]
    );
}

#[test]
fn a_panic_is_exit_101() {
    let mut connection = start();
    connection.send(b"half\npanic\n");
    let rest = Received::Unterminated(b"half a".to_vec());
    assert_eq!(all(&mut *connection), [rest, Received::Ended(Ended::Exit(101))]);
    assert_eq!(connection.stderr_tail(), "panicked: could not");
}

#[test]
fn its_input_can_end_within_a_line() {
    let mut connection = start();
    connection.send(b"last");
    connection.close_input();
    connection.send(b"late\n");
    assert_eq!(all(&mut *connection), [line("last"), line("end"), Received::Ended(Ended::Exit(5))]);
    assert_eq!(
        told(&*connection),
        ["> last (no newline)", "> late (unsent)", "< last", "< end", "Exit(5)"]
    );
}

#[test]
fn what_it_prints_while_it_is_finished_can_be_received() {
    let mut connection = start();
    connection.send(b"two\nhello\n");
    assert_eq!(connection.finish(Duration::ZERO), Ended::Exit(5));
    assert_eq!(
        all(&mut *connection),
        [line("one"), line("two"), line("hello"), line("end"), Received::Ended(Ended::Exit(5))]
    );
}
