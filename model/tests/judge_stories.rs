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
//!
//! `@I9` are good params of an initialize for version 9 (`@I1` in the manner of v1), `@J1` those
//! for version 1 that a v2 agent can read too, `@R1` and `@R2` good results. `«ff»` is the byte
//! 0xff, `«a*3»` is `aaa`.

use acp_model::judge::{End, Observer};
use acp_model::profile::Profile;
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
    bad: &'static [(&'static str, &'static str, &'static str)],
}

const fn cell(
    rule: &'static str,
    who: &'static str,
    at: &'static str,
    send: &'static str,
    good: &'static [&'static str],
    bad: &'static [(&'static str, &'static str, &'static str)],
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
    finds: &'static [(&'static str, &'static str, &'static str)],
}

const fn tale(
    name: &'static str,
    who: &'static str,
    agent: Agent,
    talk: &'static str,
    finds: &'static [(&'static str, &'static str, &'static str)],
) -> Tale {
    Tale { name, who, agent, talk, finds }
}

const NONE: &str = "no response";
const MORE: &str = "one response too many";

include!("judge_stories/framing.rs");
include!("judge_stories/envelope.rs");
include!("judge_stories/batch.rs");
include!("judge_stories/initialize.rs");
include!("judge_stories/tales.rs");
