//! How fast a line becomes a message, beside `serde_json` on the same line.
//!
//! `cargo bench -p acp-model --bench wire` prints the ratio of the two first: the time
//! of `read_message` by the time of `serde_json::from_slice::<Value>`, so less is better
//! and 1.00 is the most that design.md allows.

use std::hint::black_box;
use std::time::{Duration, Instant};

use acp_model::wire::{Message, read_message};
use divan::Bencher;
use divan::counter::BytesCount;
use serde_json::Value;

/// A prompt of 300 bytes.
const LINE: &[u8] = br#"{"jsonrpc":"2.0","id":42,"method":"session/prompt","params":{"sessionId":"sess_7f3a9c2e41b","prompt":[{"type":"text","text":"Please look at src/main.rs and tell me why the \"parse\" test fails.\nThen fix it."},{"type":"resource_link","uri":"file:///home/user/project/src/main.rs","name":"main.rs"}]}}"#;

/// A message of 100 kB, most of it one string.
fn long_line() -> Vec<u8> {
    let text = r"All of this is plain text, with a line break at its end.\n".repeat(1700);
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"sessionId":"a","text":"{text}"}}}}"#
    )
    .into_bytes()
}

fn main() {
    assert_eq!(LINE.len(), 300);
    print_ratio();
    divan::main();
}

/// What a message costs: the envelope, then a look at the id, method and params.
fn wire(line: &[u8]) -> (u64, usize, usize) {
    let Ok(Message::Object(envelope, _)) = read_message(line) else {
        unreachable!("the line is an object");
    };
    let id = envelope.id.and_then(|id| id.as_number()).and_then(|id| id.as_u64());
    let method = envelope.method.and_then(|method| method.as_string()).map(|text| text.raw());
    let session = envelope.params.and_then(|params| params.get("sessionId"));
    let session = session.and_then(|session| session.as_string()).map(|text| text.raw());
    (id.unwrap_or(0), method.map_or(0, str::len), session.map_or(0, str::len))
}

fn serde(line: &[u8]) -> (u64, usize, usize) {
    let value: Value = serde_json::from_slice(line).expect("the line is JSON");
    let method = value["method"].as_str().map_or(0, str::len);
    let session = value["params"]["sessionId"].as_str().map_or(0, str::len);
    (value["id"].as_u64().unwrap_or(0), method, session)
}

/// Both take turns, so that what disturbs the machine disturbs both.
fn print_ratio() {
    const ROUNDS: usize = 31;
    const CALLS: u32 = 5_000;
    let time = |read: fn(&[u8]) -> (u64, usize, usize)| -> Duration {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(read(black_box(LINE)));
        }
        start.elapsed() / CALLS
    };
    assert_eq!(wire(LINE), serde(LINE));
    let mut rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let (wire, serde) = (time(wire), time(serde));
            (wire.as_secs_f64() / serde.as_secs_f64(), wire, serde)
        })
        .collect();
    rounds.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let (ratio, wire, serde) = rounds[ROUNDS / 2];
    println!("wire {wire:?}, serde_json {serde:?}, median of {ROUNDS} rounds");
    println!("wire/serde_json ratio: {ratio:.2}");
}

#[divan::bench]
fn wire_300_bytes(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::of_slice(LINE)).bench(|| wire(black_box(LINE)));
}

#[divan::bench]
fn serde_json_300_bytes(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::of_slice(LINE)).bench(|| serde(black_box(LINE)));
}

#[divan::bench]
fn wire_100_kilobytes(bencher: Bencher<'_, '_>) {
    let line = long_line();
    bencher.counter(BytesCount::of_slice(&line)).bench(|| wire(black_box(&line)));
}

#[divan::bench]
fn serde_json_100_kilobytes(bencher: Bencher<'_, '_>) {
    let line = long_line();
    bencher.counter(BytesCount::of_slice(&line)).bench(|| serde(black_box(&line)));
}
