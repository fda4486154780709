use crate::border::{Facts, Kind};
use crate::spec::{Answer, IdForm, Level, Pattern, RESERVED, RuleId};

/// What the protocol allows an agent to do about one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The rule that decides: the most specific one.
    pub rule: RuleId,
    /// More general rules, and those of further flaws.
    pub also: Vec<RuleId>,
    /// The weakest of the levels of the rules that decide together.
    pub level: Level,
    /// The allowed outcomes, the preferred one first.
    pub answers: Vec<Answer>,
}

/// One response as the expectation sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Result or error.
    pub kind: Kind,
    /// Whether the response's id is the request's, or null.
    pub id: IdEcho,
    /// What else is known of it.
    pub facts: Facts,
}

/// How the id of a response relates to the message it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdEcho {
    /// The request's id.
    Echoed,
    /// JSON null, where the request's id is another or unreadable.
    Null,
    /// Another id, or none that is legal.
    Other,
    /// The request's id is null, and so is the response's.
    EchoedNull,
}

impl Expectation {
    /// Whether having no response is allowed.
    pub fn allows_silence(&self) -> bool {
        self.answers.contains(&Answer::Silent)
    }

    /// Whether one array of responses is allowed.
    pub fn allows_array(&self) -> bool {
        self.answers.contains(&Answer::Array)
    }

    /// Whether no response at all is allowed.
    pub fn allows_only_silence(&self) -> bool {
        self.answers.iter().all(|a| *a == Answer::Silent)
    }

    /// Whether a response with id null is allowed.
    pub fn allows_null_id(&self) -> bool {
        self.answers.iter().any(|answer| match answer {
            Answer::Response { id, .. } => *id != IdForm::Echoed,
            _ => false,
        })
    }

    /// Whether the expectation allows `outcome`.
    pub fn allows(&self, outcome: &Outcome) -> bool {
        self.answers.iter().any(|answer| allows(answer, outcome))
    }

    /// Adds outcomes that are not there yet.
    pub(super) fn extend(&mut self, answers: impl IntoIterator<Item = Answer>) {
        for answer in answers {
            if !self.answers.contains(&answer) {
                self.answers.push(answer);
            }
        }
    }

    /// Lists every rule of another expectation beside the deciding one.
    pub(super) fn mention_all(&mut self, other: &Expectation) {
        self.mention(other.rule);
        for rule in &other.also {
            self.mention(*rule);
        }
    }

    /// Adds a rule to those listed beside the deciding one.
    pub(super) fn mention(&mut self, rule: RuleId) {
        if rule != self.rule && !self.also.contains(&rule) {
            self.also.push(rule);
        }
    }
}

fn allows(answer: &Answer, outcome: &Outcome) -> bool {
    let Answer::Response { pattern, id, facts, .. } = answer else { return false };
    let kind = match (pattern, outcome.kind) {
        (Pattern::Any, _) => true,
        (Pattern::Result, kind) => kind == Kind::Result,
        (Pattern::Error, kind) => kind != Kind::Result,
        (Pattern::OwnError, Kind::Error(code)) => !RESERVED.contains(&code),
        (Pattern::OwnError, Kind::Result) => false,
        (Pattern::Code(wanted), Kind::Error(code)) => *wanted == code,
        (Pattern::Code(_), Kind::Result) => false,
        (Pattern::Not(code), kind) => kind != Kind::Error(*code),
    };
    let id = match id {
        IdForm::Echoed => matches!(outcome.id, IdEcho::Echoed | IdEcho::EchoedNull),
        IdForm::Null => matches!(outcome.id, IdEcho::Null | IdEcho::EchoedNull),
        IdForm::EchoedOrNull => outcome.id != IdEcho::Other,
    };
    kind && id && facts.iter().all(|fact| outcome.facts.holds(fact))
}
