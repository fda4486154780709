use super::expectation::Expectation;
use super::{Situation, Stage, initialize};
use crate::border::{Call, Unknown};
use crate::spec::{
    Answer, Capability, Code, IdForm, Kind, Level, Method, Pattern, RuleId, Version, rule,
};

/// What a well-formed request for `call` owes.
pub(super) fn expect(at: &Situation<'_>, call: &Call, bare: bool) -> Expectation {
    if let Call::Initialize(requested) = call {
        return initialize::expect(at, requested);
    }
    if at.stage == Stage::Uninitialized {
        let mut early = by_rule(at, by(at.version, rule("INIT-02"), rule("INIT-01")));
        if let Call::Known(method) = call
            && matches!(method.name, "authenticate" | "auth/login" | "auth/logout")
        {
            early.mention(rule("AUTH-21"));
        }
        if matches!(call, Call::Known(method) if method.kind == Kind::Notification) {
            early.mention(rule("RPC-07"));
        }
        if at.initializing {
            // INIT-22: sent before the answer to initialize was read.
            early.rule = rule("INIT-22");
            early.level = Level::Info;
            early.extend([any_response()]);
        }
        return early;
    }
    match call {
        Call::Initialize(_) => unreachable!("handled above"),
        Call::Unknown(unknown) => unimplemented_method(at, *unknown),
        Call::Known(method) if method.kind == Kind::Notification => by_rule(at, rule("RPC-07")),
        Call::Known(method) => match missing_capability(at, method) {
            Some(rule) => not_found(at, rule),
            None => served(at, method, bare),
        },
    }
}

/// The expectation that the table states for `rule`, without a variant.
pub(super) fn by_rule(at: &Situation<'_>, rule: RuleId) -> Expectation {
    by_variant(at, rule, "")
}

/// The expectation that the table states for `rule` and a variant of the stimulus.
pub(super) fn by_variant(at: &Situation<'_>, rule: RuleId, variant: &str) -> Expectation {
    let row = rule.get();
    Expectation {
        rule,
        also: Vec::new(),
        level: row.level(at.version).unwrap_or(Level::Info),
        answers: row.allowed(at.version, at.revision).set(variant).to_vec(),
    }
}

/// One response of any kind, with the request's id.
pub(super) const fn any_response() -> Answer {
    Answer::response(Pattern::Any, IdForm::Echoed)
}

/// An error of this code, with the request's id.
pub(super) const fn error(code: Code) -> Answer {
    Answer::response(Pattern::Code(code.number()), IdForm::Echoed)
}

const fn by(version: Version, v1: RuleId, v2: RuleId) -> RuleId {
    match version {
        Version::V1 => v1,
        Version::V2 => v2,
    }
}

fn unimplemented_method(at: &Situation<'_>, unknown: Unknown) -> Expectation {
    let mut expectation = not_found(
        at,
        match unknown {
            Unknown::OtherVersion => rule("INIT-26"),
            Unknown::ClientSide => rule("RPC-33"),
            Unknown::Reserved => rule("RPC-32"),
            Unknown::Dollar => rule("RPC-34"),
            Unknown::Custom => rule("EXT-01"),
            Unknown::Plain => rule("ERR-01"),
        },
    );
    if unknown == Unknown::Custom {
        expectation.mention(rule("CAP-14"));
    }
    expectation.mention(rule("ERR-01"));
    expectation
}

/// -32601; in v1 an agent with a login may ask for it first (P16).
fn not_found(at: &Situation<'_>, rule: RuleId) -> Expectation {
    let mut expectation = by_rule(at, rule);
    if at.version == Version::V1 && at.profile.capabilities.has(Capability::Auth) {
        expectation.extend([error(Code::AuthenticationRequired)]);
    }
    expectation
}

fn missing_capability(at: &Situation<'_>, method: &Method) -> Option<RuleId> {
    let gate = method.gate.filter(|gate| !at.profile.capabilities.has(*gate))?;
    Some(match (at.version, gate) {
        (Version::V1, Capability::Logout) => rule("AUTH-04"),
        (Version::V1, _) => rule("CAP-02"),
        (Version::V2, Capability::Auth) => rule("AUTH-02"),
        (Version::V2, Capability::Session) => rule("CAP-04"),
        (Version::V2, _) => rule("CAP-01"),
    })
}

fn served(at: &Situation<'_>, method: &Method, bare: bool) -> Expectation {
    let plain_list = method.name == "session/list" && bare;
    let mut expectation = by_rule(at, if plain_list { rule("SES-40") } else { rule("RPC-01") });
    if at.profile.capabilities.has(Capability::Auth) {
        expectation.extend([error(Code::AuthenticationRequired)]);
    }
    expectation
}
