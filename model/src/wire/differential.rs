//! A second opinion: wherever `serde_json` disagrees on what is JSON, or on what it
//! says, the reason has a name.

use serde_json::Value;

use super::{Json, Kind, parse, read_message};

/// Starting points for the mutator.
const SEEDS: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":2}}"#,
    r#"{"jsonrpc":"2.0","id":"a\u0069\/","method":"session\/list","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":-1.50e+3,"result":{"a":[true,false,null,{"":[]}]}}"#,
    r#"[1,-0,0.5,1e400,1e-400,9007199254740993,18446744073709551616,100e-2]"#,
    r#"["\ud83d\ude00","\ud800","é€😀","\"\\\/\b\f\n\r\t\u0000"]"#,
    r#" { "a" : 1 , "b" : { "a" : [ ] } , "a" : "2" } "#,
    r#"[[[[[[[[[[{"a":{"a":{"a":{"a":[1,2,[3]]}}}}]]]]]]]]]]"#,
    r#""plain text that is longer than a machine word, twice""#,
];

/// What a mutation writes over, or puts between, the bytes of a seed.
const PARTS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"0",
    b"1",
    b"-",
    b"+",
    b".",
    b"e",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\0",
    b"\x1f",
    b"\x7f",
    b"\x80",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xff",
    b"\xef\xbb\xbf",
    b"u",
    b"\\u",
    b"\\ud800",
    b"\\udc00",
    b"\\u0061",
    b"null",
    b"true",
    b"e999",
    b"1e309",
    b"00",
    b"\"a\":",
    b",1",
    b"[]",
    b"{}",
    b"/",
    b"'",
];

/// xorshift64: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn mutate(line: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(line.len() + 1);
    let rest = line.len() - at;
    match numbers.below(6) {
        0 => line.truncate(at),
        1 => drop(line.drain(at..at + numbers.below(rest.min(4) + 1))),
        2 => line.extend_from_within(at..at + numbers.below(rest + 1)),
        3 => {
            let levels = numbers.below(140);
            line.splice(0..0, vec![b'['; levels]);
            line.resize(line.len() + levels, b']');
        }
        operation => {
            let part = PARTS[numbers.below(PARTS.len())];
            let replaced = if operation == 4 { 0 } else { part.len().min(rest) };
            line.splice(at..at + replaced, part.iter().copied());
        }
    }
}

/// The reasons for which `serde_json` refuses what RFC 8259 allows.
#[derive(Default, Debug)]
struct Refused {
    depth: usize,
    lone_surrogate: usize,
    number_beyond_double: usize,
}

impl Refused {
    /// Whether there is a reason; counts it.
    fn explains(&mut self, json: Json<'_>) -> bool {
        let depth = json.depth() >= 128;
        let lone_surrogate = json.has_lone_surrogate();
        let number_beyond_double = json.has_number_beyond_double();
        self.depth += usize::from(depth);
        self.lone_surrogate += usize::from(lone_surrogate);
        self.number_beyond_double += usize::from(number_beyond_double);
        depth || lone_surrogate || number_beyond_double
    }
}

/// Whether both read the same value. Numbers are compared only as far as `serde_json`
/// keeps them.
fn same(json: Json<'_>, value: &Value) -> bool {
    match value {
        Value::Null => json.is_null(),
        Value::Bool(value) => json.as_bool() == Some(*value),
        Value::Number(value) => json.as_number().is_some_and(|number| {
            let as_written = !number.has_fraction_or_exponent() && number.text() != "-0";
            !as_written || (value.as_i64(), value.as_u64()) == (number.as_i64(), number.as_u64())
        }),
        Value::String(value) => {
            let text = json.as_string();
            text.is_some_and(|text| text.is(value) && text.to_str().as_deref() == Some(value))
        }
        Value::Array(values) => json.elements().is_some_and(|elements| {
            let elements: Vec<_> = elements.collect();
            elements.len() == values.len()
                && elements.into_iter().zip(values).all(|(element, value)| same(element, value))
        }),
        Value::Object(values) => {
            json.kind() == Kind::Object
                && values
                    .iter()
                    .all(|(name, value)| json.get(name).is_some_and(|member| same(member, value)))
                && json.members().is_some_and(|mut members| {
                    members.all(|(name, _)| values.contains_key(&*name.to_str().unwrap()))
                })
                && json.has_duplicate_names() == (json.members().unwrap().count() > values.len())
        }
    }
}

#[test]
fn serde_json_differs_for_named_reasons_only() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut rejected, mut refused) = (0, 0, Refused::default());
    for round in 0..100_000 {
        let mut line = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..=numbers.below(3) {
            mutate(&mut line, &mut numbers);
        }
        let shown = || String::from_utf8_lossy(&line).into_owned();
        let message = read_message(&line).map(|message| message.json().text());
        assert_eq!(message, parse(&line).map(|json| json.text()), "{}", shown());
        match (parse(&line), serde_json::from_slice::<Value>(&line)) {
            (Ok(json), Ok(value)) => {
                assert!(same(json, &value), "read differently: {}", shown());
                assert!(!refused.explains(json), "should have been refused: {}", shown());
                accepted += 1;
            }
            (Ok(json), Err(error)) => {
                assert!(refused.explains(json), "serde_json: {error}: {}", shown());
            }
            (Err(_), Err(_)) => rejected += 1,
            (Err(error), Ok(_)) => panic!("only serde_json takes this: {error}: {}", shown()),
        }
    }
    // The mutator really gets everywhere.
    assert!(accepted > 10_000 && rejected > 10_000, "{accepted} accepted, {rejected} rejected");
    let Refused { depth, lone_surrogate, number_beyond_double } = refused;
    assert!(depth > 500 && lone_surrogate > 500 && number_beyond_double > 500, "{refused:?}");
}
