use super::expectation::Expectation;
use super::request::{by_rule, by_variant, error};
use super::{Situation, Stage};
use crate::border::RequestedVersion;
use crate::spec::{Answer, Code, IdForm, Level, Pattern, Version, rule};

/// What an `initialize` request owes.
pub(super) fn expect(at: &Situation<'_>, asked: &RequestedVersion) -> Expectation {
    let mut expectation = match at.stage {
        Stage::Uninitialized => first(at, asked),
        stage => repeated(at, stage, asked),
    };
    if asked.malformed_lenient && asked.version.is_some() {
        // INIT-14: taken as absent, or refused.
        let lenient = by_rule(at, rule("INIT-14"));
        expectation.mention(expectation.rule);
        expectation.also.insert(0, expectation.rule);
        expectation.rule = lenient.rule;
        expectation.level = expectation.level.min(lenient.level);
        expectation.extend([error(Code::InvalidParams)]);
    }
    expectation
}

fn first(at: &Situation<'_>, asked: &RequestedVersion) -> Expectation {
    let Some(version) = asked.version else { return by_rule(at, rule("INIT-12")) };
    let mut expectation = negotiated(at, version, asked.has_info);
    if asked.integral_float {
        let float = by_variant(at, rule("INIT-12"), "integral-float");
        expectation.mention(rule("INIT-12"));
        expectation.level = expectation.level.min(float.level);
        expectation.extend(float.answers);
    }
    if at.locked && at.profile.speaks_both() {
        // INIT-27: the connection may be one of v1 already.
        expectation.mention(rule("INIT-27"));
        expectation.extend([result_of(Version::V1)]);
    }
    if at.initializing {
        // INIT-21: another initialize is unanswered.
        expectation.level = Level::Info;
        expectation.extend([error(Code::InvalidRequest)]);
    }
    expectation
}

fn negotiated(at: &Situation<'_>, version: u16, has_info: bool) -> Expectation {
    let (both, v2_only) = (at.profile.speaks_both(), at.profile.speaks == [Version::V2]);
    let mut expectation = match version {
        2 if (both || v2_only) && !has_info => return by_rule(at, rule("INIT-13")),
        0 if both => by_variant(at, rule("INIT-11"), "req-0"),
        // The rows of the version asked for have no level in the other.
        1 if both && at.version == Version::V2 => by_variant(at, rule("INIT-11"), "req-1"),
        2 if both && at.version == Version::V1 => by_variant(at, rule("INIT-11"), "req-2+"),
        3.. if both => by_variant(at, rule("INIT-11"), "req-2+"),
        2 if both || v2_only => by_rule(at, rule("INIT-05")),
        0 | 1 if v2_only => {
            let mut too_low = by_rule(at, rule("INIT-09"));
            too_low.mention(rule("ERR-04"));
            if !has_info {
                too_low.extend([error(Code::InvalidParams)]); // P10
            }
            return too_low;
        }
        _ if v2_only => {
            let mut above = by_rule(at, rule("INIT-08"));
            above.answers = vec![result_of(Version::V2)];
            return above;
        }
        1 => by_rule(at, rule("INIT-06")),
        _ => return by_rule(at, rule("INIT-10")),
    };
    if both {
        expectation.mention(rule("INIT-11"));
    }
    match version {
        0 => {}
        1 | 2 => expectation.mention(rule("INIT-07")),
        3.. => expectation.mention(rule("INIT-08")),
    }
    expectation
}

fn repeated(at: &Situation<'_>, stage: Stage, asked: &RequestedVersion) -> Expectation {
    let well_formed = asked.version.is_some() && !asked.integral_float;
    if at.version == Version::V1 {
        let mut again = by_rule(at, rule("INIT-20"));
        if !well_formed {
            again.extend([error(Code::InvalidParams)]); // P12
        }
        return again;
    }
    let too_low = asked.version.is_some_and(|v| v < 2) && !at.profile.speaks(Version::V1);
    let served = well_formed && !too_low && (asked.version != Some(2) || asked.has_info);
    match stage {
        Stage::Fresh if served => by_rule(at, rule("INIT-17")),
        Stage::Fresh if well_formed && too_low => {
            let mut refused = by_variant(at, rule("INIT-09"), "F");
            if !asked.has_info {
                refused.extend([error(Code::InvalidParams)]); // P10
            }
            refused
        }
        _ if served => by_rule(at, rule("INIT-18")),
        _ => {
            let mut failing = by_rule(at, rule("INIT-19"));
            if asked.integral_float {
                failing.extend([Answer::response(Pattern::Result, IdForm::Echoed)]);
            }
            failing
        }
    }
}

fn result_of(version: Version) -> Answer {
    Answer::Response {
        pattern: Pattern::Result,
        id: IdForm::Echoed,
        facts: vec![match version {
            Version::V1 => "protocolVersion=1",
            Version::V2 => "protocolVersion=2",
        }],
        after: None,
    }
}
