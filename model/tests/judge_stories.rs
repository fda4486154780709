//! Stories about the judge: given this conversation, the judge says that. Written from
//! `spec/levels.tsv`, `spec/revisions.md` and `spec/rules.md` by hand, not from the code.
//!
//! A [`Cell`] is one stimulus in one or more states of the connection, with replies that must be
//! accepted and replies that must be found. Each reply is a conversation of its own, told in
//! several orders. A [`Tale`] is a whole conversation.
//!
//! # The language of the conversations
//!
//! One action a line (or between ` ; `). Ids and params are JSON without spaces.
//!
//! | action | means |
//! |---|---|
//! | `ask ID METHOD [PARAMS]` | the client sends a request; PARAMS default to `{}`, `-` is none |
//! | `tell METHOD [PARAMS]` | the client sends a notification |
//! | `> BYTES` | the client sends exactly this line |
//! | `probe [ID]` | the client asks whether the agent still serves |
//! | `ok ID [RESULT]` | the agent answers with a result, by default `{}` |
//! | `err ID CODE [DATA]` | the agent answers with an error |
//! | `< BYTES` | the agent prints exactly this line |
//! | `quiet` | all that was sent has had its time |
//! | `exit CODE` | the agent exits |
//! | `hello` | the handshake of the story's version |
//! | `batches are arrays`, `batches are refused`, `login is advertised` | what the profile knows |
//!
//! `@I9` are good params of an initialize for version 9 (`@I1` in the manner of v1), `@J1` those
//! for version 1 that a v2 agent can read too, `@R1` and `@R2` good results. `«ff»` is the byte
//! 0xff, `«a*3»` is `aaa`.

use acp_model::judge::{End, Finding, Observer};
use acp_model::profile::{BatchKind, Profile};
use acp_model::spec::{Capability, Level, Revision, Version};

/// Under what a story is judged: `1` is version 1 under either revision, `e` version 2 under
/// errors-page, `s` version 2 under schema-1.20.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    V1(Revision),
    E,
    S,
}

impl Mode {
    fn all(who: &str) -> Vec<Mode> {
        let mut modes = Vec::new();
        for letter in who.chars() {
            match letter {
                '1' => modes.extend(Revision::ALL.map(Mode::V1)),
                'e' => modes.push(Mode::E),
                's' => modes.push(Mode::S),
                _ => panic!("no mode {letter}"),
            }
        }
        modes
    }

    fn letter(self) -> char {
        match self {
            Mode::V1(_) => '1',
            Mode::E => 'e',
            Mode::S => 's',
        }
    }

    fn version(self) -> Version {
        if self.letter() == '1' { Version::V1 } else { Version::V2 }
    }

    fn revision(self) -> Revision {
        match self {
            Mode::V1(revision) => revision,
            Mode::E => Revision::ErrorsPage,
            Mode::S => Revision::Schema1_20,
        }
    }
}

/// Which agents a story is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agent {
    /// Agents of one version and agents of both.
    Any,
    /// Agents that speak only the version of the story.
    One,
    /// Agents that speak both versions.
    Both,
}
use Agent::{Any, Both, One};

/// A finding above info: rule, or several that would do; level; words in what was seen.
type Find = (&'static str, &'static str, &'static str);

/// One stimulus, in states (`U` uninitialized, `F` just initialized, `R` initialized and served).
struct Cell {
    /// The rule, or several that would do, separated by `|`.
    rule: &'static str,
    who: &'static str,
    at: &'static str,
    agent: Agent,
    send: &'static str,
    /// Replies without any finding above info.
    good: &'static [&'static str],
    /// Replies with exactly one finding above info: reply, level, words in what was seen.
    bad: &'static [Find],
}

const fn cell(
    rule: &'static str,
    who: &'static str,
    at: &'static str,
    send: &'static str,
    good: &'static [&'static str],
    bad: &'static [Find],
) -> Cell {
    Cell { rule, who, at, agent: Any, send, good, bad }
}

const fn of(agent: Agent, cell: Cell) -> Cell {
    Cell { agent, ..cell }
}

/// A whole conversation and every finding above info: rule, level, words in what was seen.
struct Tale {
    name: &'static str,
    who: &'static str,
    agent: Agent,
    talk: &'static str,
    finds: &'static [Find],
}

const fn tale(
    name: &'static str,
    who: &'static str,
    agent: Agent,
    talk: &'static str,
    finds: &'static [Find],
) -> Tale {
    Tale { name, who, agent, talk, finds }
}

const NONE: &str = "no response";
const MORE: &str = "one response too many";

#[path = "judge_stories/batch.rs"]
mod batch;
#[path = "judge_stories/envelope.rs"]
mod envelope;
#[path = "judge_stories/framing.rs"]
mod framing;
#[path = "judge_stories/initialize.rs"]
mod initialize;
#[path = "judge_stories/tales.rs"]
mod tales;

fn profile(version: Version, both: bool) -> Profile {
    let capabilities = [Capability::Session, Capability::List].into_iter().collect();
    let mut profile = Profile { capabilities, ..Profile::of(version) };
    if both {
        profile.speaks = Version::ALL.to_vec();
    }
    profile
}

fn good_initialize(version: &str, readable_by_both: bool) -> String {
    if version == "1" && !readable_by_both {
        return r#"{"protocolVersion":1,"clientCapabilities":{}}"#.to_owned();
    }
    format!(
        r#"{{"protocolVersion":{version},"info":{{"name":"c","version":"1"}},"capabilities":{{}}}}"#
    )
}

const RESULT_1: &str = r#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"list":{}}},"authMethods":[]}"#;
const RESULT_2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;

/// Expands `@I2`, `@J1`, `@R2`.
fn expand(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('@');
    out.push_str(parts.next().unwrap_or(""));
    for part in parts {
        let digits = part[1..].chars().take_while(char::is_ascii_digit).count();
        let number = &part[1..1 + digits];
        match &part[..1] {
            "I" => out.push_str(&good_initialize(number, false)),
            "J" => out.push_str(&good_initialize(number, true)),
            "R" if number == "1" => out.push_str(RESULT_1),
            "R" => out.push_str(RESULT_2),
            _ => panic!("no macro @{part}"),
        }
        out.push_str(&part[1 + digits..]);
    }
    out
}

/// The bytes of a line: `«ff»` is a byte, `«a*3»` is `aaa`.
fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('«') {
        out.extend_from_slice(before.as_bytes());
        let (inside, after) = after.split_once('»').unwrap();
        match inside.split_once('*') {
            Some((what, times)) => out.extend(what.repeat(times.parse().unwrap()).bytes()),
            None => {
                let pairs = inside.as_bytes().chunks(2);
                out.extend(pairs.map(|pair| {
                    u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()
                }));
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn hello(version: Version) -> String {
    expand(&format!("ask \"hello\" initialize @I{version} ; ok \"hello\" @R{version}"))
}

/// One action of a conversation.
enum Action {
    Sent(Vec<u8>, bool),
    Said(Vec<u8>),
    Quiet,
    Exit(i32),
}

fn read(talk: &str, version: Version) -> Vec<Action> {
    let talk = talk.replace("hello\n", &format!("{}\n", hello(version)));
    let talk = expand(&talk);
    let lines = talk.split('\n').flat_map(|line| line.split(" ; "));
    let mut actions = Vec::new();
    for line in lines {
        let line = line.trim_start_matches(' ');
        if let Some(raw) = line.strip_prefix("> ") {
            actions.push(Action::Sent(bytes(raw), false));
            continue;
        }
        if let Some(raw) = line.strip_prefix("< ") {
            actions.push(Action::Said(bytes(raw)));
            continue;
        }
        let mut words = line.trim_end().splitn(4, ' ');
        let (verb, one) = (words.next().unwrap_or(""), words.next());
        let (two, three) = (words.next(), words.next());
        let json = |body: String| bytes(&format!(r#"{{"jsonrpc":"2.0",{body}}}"#));
        let params = |params: Option<&str>| match params {
            None => r#","params":{}"#.to_owned(),
            Some("-") => String::new(),
            Some(params) => format!(r#","params":{params}"#),
        };
        actions.push(match verb {
            "" | "batches" | "login" => continue,
            "ask" => {
                let (id, method, params) = (one.unwrap(), two.unwrap(), params(three));
                Action::Sent(json(format!(r#""id":{id},"method":"{method}"{params}"#)), false)
            }
            "tell" => {
                let (method, params) = (one.unwrap(), params(two));
                Action::Sent(json(format!(r#""method":"{method}"{params}"#)), false)
            }
            "probe" => {
                let id = one.unwrap_or("\"p\"");
                Action::Sent(json(format!(r#""id":{id},"method":"_acp_check/probe""#)), true)
            }
            "ok" => Action::Said(json(format!(
                r#""id":{},"result":{}"#,
                one.unwrap(),
                [two, three].into_iter().flatten().collect::<Vec<_>>().join(" ").as_str().or("{}")
            ))),
            "err" => {
                let data = three.map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
                Action::Said(json(format!(
                    r#""id":{},"error":{{"code":{},"message":"no"{data}}}"#,
                    one.unwrap(),
                    two.unwrap()
                )))
            }
            "quiet" => Action::Quiet,
            "exit" => Action::Exit(one.unwrap().parse().unwrap()),
            _ => panic!("no action `{line}`"),
        });
    }
    actions
}

trait Or {
    fn or<'a>(&'a self, other: &'a str) -> &'a str;
}

impl Or for str {
    fn or<'a>(&'a self, other: &'a str) -> &'a str {
        if self.is_empty() { other } else { self }
    }
}

/// The level for a mode: a name, or one by mode as in `1:should e:must s:must`. `fails` is
/// derived or must: where nothing comes, the tables name both.
fn level(text: &'static str, mode: Mode) -> Option<&'static str> {
    let name = match text.contains(':') {
        true => {
            let mut parts = text.split(' ').filter_map(|part| part.split_once(':'));
            parts.find(|(modes, _)| modes.contains(mode.letter()))?.1
        }
        false => text,
    };
    let names = ["info", "should", "derived", "must", "fails"];
    assert!(names.contains(&name), "no level {name}");
    Some(name)
}

/// The one check: tells `talk` to an observer; the findings above info are exactly `finds`.
fn check(mode: Mode, both: bool, talk: &str, finds: &[Find]) -> Result<(), String> {
    let mut profile = profile(mode.version(), both);
    profile.batch = match talk {
        _ if talk.contains("batches are arrays") => Some(BatchKind::Array),
        _ if talk.contains("batches are refused") => Some(BatchKind::Refused),
        _ => None,
    };
    if talk.contains("login is advertised") {
        profile.capabilities = profile.capabilities.with(Capability::Auth);
    }
    let mut observer = Observer::new(profile, mode.revision());
    let mut log = String::new();
    for (step, action) in read(talk, mode.version()).into_iter().enumerate() {
        match action {
            Action::Sent(line, probe) => {
                let head = String::from_utf8_lossy(&line[..line.len().min(160)]).into_owned();
                log += &format!("      {} {head}\n", if probe { "?" } else { ">" });
                observer.sent(step, &line, probe);
            }
            Action::Said(line) => {
                let head = String::from_utf8_lossy(&line[..line.len().min(160)]).into_owned();
                log += &format!("      < {head}\n");
                observer.said(&line);
            }
            Action::Quiet => {
                log += "      quiet\n";
                observer.quiet();
            }
            Action::Exit(code) => {
                log += "      exit\n";
                observer.ended(End::Exit(code));
            }
        }
    }
    let got: Vec<_> = observer.findings().iter().filter(|f| f.level > Level::Info).collect();
    let expected: Vec<_> = finds
        .iter()
        .filter_map(|(rule, text, seen)| Some((*rule, level(text, mode)?, *seen)))
        .filter(|(_, level, _)| *level != "info")
        .collect();
    let fits = |f: &Finding, (rule, level, seen): &(&str, &str, &str)| {
        let named =
            |name: &str| f.rule.name() == name || f.also.iter().any(|also| also.name() == name);
        let level_fits = match *level {
            "fails" => f.level >= Level::Derived,
            level => f.level.name() == level,
        };
        (*rule == "*" || rule.split('|').any(named))
            && level_fits
            && f.seen.to_string().contains(seen)
    };
    let same = got.len() == expected.len()
        && got.iter().zip(&expected).all(|(finding, expected)| fits(finding, expected));
    if same {
        return Ok(());
    }
    let got: Vec<_> = got
        .iter()
        .map(|f| format!("{} {:?} {} ({})", f.rule.name(), f.also, f.level, f.seen))
        .collect();
    Err(format!(
        "v{} {}{}: expected {expected:?}, got {got:?}\n{log}",
        mode.version(),
        mode.revision(),
        if both { ", agent of both" } else { "" }
    ))
}

fn agents(agent: Agent) -> &'static [bool] {
    match agent {
        Any => &[false, true],
        One => &[false],
        Both => &[true],
    }
}

/// Every conversation that a cell stands for: the talk and what is found.
fn conversations(cell: &Cell, version: Version, both: bool) -> Vec<(String, Option<Find>)> {
    let mut all = Vec::new();
    for state in cell.at.chars() {
        let prelude = match state {
            'U' => String::new(),
            'F' => "hello\n".to_owned(),
            'R' => "hello\nask \"r\" _vendor/first\nerr \"r\" -32601\n".to_owned(),
            _ => panic!("no state {state}"),
        };
        let send = cell.send;
        // Which version's rule an early request breaks shows with the negotiation.
        let negotiates = both && state == 'U' && !send.contains("initialize");
        let end = if negotiates { "\nhello\nquiet" } else { "\nquiet" };
        let code = |reply: &str| {
            let initialized =
                send.contains("initialize") && (reply.contains("ok 7") || reply.contains("@R"));
            if state == 'U' && !initialized { -32600 } else { -32601 }
        };
        for reply in cell.good {
            let served = format!("err \"p\" {}", code(reply));
            let noise = format!(
                "< {{\"jsonrpc\":\"2.0\",\"method\":\"_vendor/log\",\"params\":{{}}}}\r\n\
                 < {{\"id\":7,\"params\":{{}},\"method\":\"_vendor/ask\",\"jsonrpc\":\"2.0\"}}\n\
                 > {{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}\n\
                 {reply}"
            );
            let mut orders = vec![format!("{send}\n{reply}\nprobe\n{served}")];
            if !reply.is_empty() {
                orders.push(format!("{send}\nprobe\n{reply}\n{served}"));
                orders.push(format!("{send}\nprobe\n{served}\n{reply}"));
                orders.push(format!("{send}\n{noise}\nprobe\n{served}"));
            }
            all.extend(orders.into_iter().map(|talk| (format!("{prelude}{talk}{end}"), None)));
        }
        for (reply, level, seen) in cell.bad {
            let served = format!("err \"p\" {}", code(reply));
            let find = Some((cell.rule, *level, *seen));
            if reply.contains("exit") {
                all.push((format!("{prelude}{send}\n{reply}"), find));
                continue;
            }
            if *reply == "hang" {
                all.push((format!("{prelude}{send}\nprobe\nquiet"), find));
                continue;
            }
            all.push((format!("{prelude}{send}\n{reply}\nprobe\n{served}{end}"), find));
            let mut orders = Vec::new();
            if !reply.is_empty() {
                orders.push(format!("{send}\nprobe\n{reply}\n{served}"));
                orders.push(format!("{send}\nprobe\n{served}\n{reply}"));
            }
            // The second might be for the probe, which is refused alike: at least RPC-01.
            let alike = state == 'U' && reply.ends_with("; err null -32600");
            let find_late = if alike { Some(("RPC-01", *level, "")) } else { find };
            if let Some((first, rest)) = reply.split_once(" ; ") {
                orders.push(format!("{send}\n{first}\nprobe\n{rest}\n{served}"));
            }
            all.extend(orders.into_iter().map(|talk| (format!("{prelude}{talk}{end}"), find_late)));
        }
    }
    all.into_iter().map(|(talk, find)| (talk.replace("@V", &version.to_string()), find)).collect()
}

fn check_cells(cells: &[Cell], at_least: usize) {
    let (mut told, mut wrong) = (0, Vec::new());
    for cell in cells {
        for mode in Mode::all(cell.who) {
            for both in agents(cell.agent) {
                for (talk, find) in conversations(cell, mode.version(), *both) {
                    told += 1;
                    let finds: Vec<_> = find.into_iter().collect();
                    if let Err(why) = check(mode, *both, &talk, &finds) {
                        wrong.push(format!("{} {why}", cell.rule));
                    }
                }
            }
        }
    }
    report(told, at_least, &wrong);
}

fn check_tales(tales: &[Tale], at_least: usize) {
    let (mut told, mut wrong) = (0, Vec::new());
    for tale in tales {
        for mode in Mode::all(tale.who) {
            for both in agents(tale.agent) {
                told += 1;
                let talk = tale.talk.replace("@V", &mode.version().to_string());
                if let Err(why) = check(mode, *both, &talk, tale.finds) {
                    wrong.push(format!("{}: {why}", tale.name));
                }
            }
        }
    }
    report(told, at_least, &wrong);
}

fn report(told: usize, at_least: usize, wrong: &[String]) {
    println!("{told} conversations, {} wrong", wrong.len());
    assert!(told >= at_least, "only {told} conversations were told");
    assert!(wrong.is_empty(), "{} of {told} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn framing_is_judged_as_the_tables_say() {
    check_cells(framing::CELLS, 28_000);
}

#[test]
fn envelopes_are_judged_as_the_tables_say() {
    check_cells(envelope::CELLS, 50_000);
}

#[test]
fn batches_are_judged_as_the_tables_say() {
    check_cells(batch::CELLS, 5_500);
}

#[test]
fn initialize_is_judged_as_the_tables_say() {
    check_cells(initialize::CELLS, 9_000);
}

#[test]
fn conversations_are_judged_as_the_tables_say() {
    check_tales(tales::TALES, 650);
}
