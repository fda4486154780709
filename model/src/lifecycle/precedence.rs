use super::expectation::Expectation;
use super::request::{self, by_rule, by_variant, error};
use super::{Situation, Stage, batch};
use crate::border::{Call, Flaw, Form, Sent};
use crate::spec::{Answer, Code, IdForm, Pattern, RuleId, Version, rule};

/// What the agent owes for one line: the sets of all its flaws, joined as
/// `spec/revisions.md` ("Several flaws in one message") says.
pub fn expect(at: &Situation<'_>, sent: &Sent) -> Expectation {
    let mut whole = expect_text(at, sent);
    for flaw in sent.flaws.iter() {
        whole.mention(flaw.rule(at.version));
    }
    if !sent.flaws.has(Flaw::ByteOrderMark) {
        return whole;
    }
    // FRM-04: refused for the mark, or served as if it were not there.
    let mut marked = by_variant(at, rule("FRM-04"), Flaw::ByteOrderMark.variant());
    marked.answers = substitute(marked.answers, &whole.answers);
    marked.level = marked.level.min(whole.level);
    marked.mention_all(&whole);
    marked
}

fn expect_text(at: &Situation<'_>, sent: &Sent) -> Expectation {
    let plain = match &sent.form {
        Form::NotJson => return not_json(at, sent),
        Form::Request | Form::Invalid => return joined(at, sent),
        Form::Batch(entries) => batch::expect(at, entries, sent.flaws.first()),
        Form::Response if sent.flaws.has(Flaw::MalformedResponse) => by_rule(at, rule("RPC-28")),
        Form::Response => by_rule(at, rule("RPC-27")),
        Form::Notification => notification(at, sent),
    };
    // A parser may refuse these lines as a whole, before it knows what they are.
    [Flaw::DuplicateName, Flaw::Extreme].into_iter().filter(|f| sent.flaws.has(*f)).fold(
        plain,
        |plain, flaw| {
            let mut refusable = by_rule(at, flaw.rule(at.version));
            refusable.level = refusable.level.min(plain.level);
            refusable.answers = plain.answers.clone();
            refusable.extend([Answer::response(Pattern::Error, IdForm::Null)]);
            refusable.mention_all(&plain);
            refusable
        },
    )
}

/// P1: whatever the text was meant to be, it is not JSON.
fn not_json(at: &Situation<'_>, sent: &Sent) -> Expectation {
    let fragment = sent.flaws.has(Flaw::Fragment);
    let flaw = if fragment { Flaw::NotJson } else { sent.flaws.first() };
    by_rule(at, flaw.rule(at.version))
}

/// P31: silence, whatever is wrong, as long as the envelope is sound.
fn notification(at: &Situation<'_>, sent: &Sent) -> Expectation {
    let early = at.stage == Stage::Uninitialized;
    let rules: &[RuleId] = match sent.call {
        Some(Call::Initialize(_)) => const { &[rule("INIT-24"), rule("RPC-06")] },
        Some(Call::Known(method)) => match method.name {
            "session/cancel" => const { &[rule("CAN-06"), rule("CAN-04")] },
            "$/cancel_request" if early && at.version == Version::V2 => {
                const { &[rule("XCR-08"), rule("XCR-02"), rule("XCR-03"), rule("XCR-04")] }
            }
            "$/cancel_request" => const { &[rule("XCR-03"), rule("XCR-04"), rule("XCR-02")] },
            _ => const { &[rule("RPC-06")] },
        },
        Some(Call::Unknown(_)) | None => const { &[rule("RPC-05")] },
    };
    let mut expectation = by_rule(at, rules[0]);
    for rule in &rules[1..] {
        expectation.mention(*rule);
    }
    if early {
        expectation.mention(rule("INIT-03"));
    }
    expectation
}

/// A message with an id, or an object that is no message: the union of the sets of its flaws.
fn joined(at: &Situation<'_>, sent: &Sent) -> Expectation {
    // Without an id no request came early.
    let call = sent.call.as_ref().filter(|_| !sent.flaws.has(Flaw::ScalarParamsNoId));
    let plain = call.map(|call| request::expect(at, call, sent.bare));
    // Where the envelope is broken, nothing that is merely odd decides.
    // A mark is joined to the whole, not to the flaws of the message behind it.
    let flaws = || sent.flaws.iter().filter(|f| *f != Flaw::ByteOrderMark);
    let broken = flaws().any(|f| !f.is_benign());
    let deciding = flaws().filter(|f| !(broken && f.is_benign()) || *f == Flaw::Extreme);
    let rows = deciding.map(|flaw| row(at, flaw, sent, plain.as_ref()));
    let joined = rows.reduce(|mut all, row| {
        all.level = all.level.min(row.level);
        all.mention(row.rule);
        all.extend(row.answers);
        all
    });
    let mut whole = match (joined, plain) {
        (None, Some(plain)) => plain,
        (None, None) => by_rule(at, rule("RPC-09")),
        (Some(mut joined), plain) => {
            if let Some(plain) = plain {
                joined.mention_all(&plain);
            }
            joined
        }
    };
    if sent.form == Form::Request {
        whole.mention(rule("RPC-01"));
    }
    whole
}

/// The set of one flaw, with `served` replaced by what the plain message gets, and what P2, P3,
/// P8 and P13 fix.
fn row(at: &Situation<'_>, flaw: Flaw, sent: &Sent, plain: Option<&Expectation>) -> Expectation {
    let mut row = by_variant(at, flaw.rule(at.version), flaw.variant());
    let Some(plain) = plain else { return row };
    let initialize = matches!(sent.call, Some(Call::Initialize(_)));
    let early = at.stage == Stage::Uninitialized && !initialize;
    // Not implemented, or not advertised: P3 and P13 speak of both.
    let unknown = plain.answers.first() == Some(&error(Code::MethodNotFound));
    if early && flaw == Flaw::NullId && at.version == Version::V2 {
        row.answers =
            vec![Answer::response(Pattern::Code(Code::InvalidRequest.number()), IdForm::Null)]; // P8
        return row;
    }
    if row.answers.contains(&Answer::Served) || early {
        row.level = row.level.min(plain.level);
    }
    if early {
        // P2: what would be served or refused for its params is refused for coming early.
        for answer in &mut row.answers {
            if *answer == any_with_id() || *answer == error(Code::InvalidParams) {
                *answer = Answer::Served;
            }
        }
    } else if unknown && flaw == Flaw::ScalarParams {
        row.answers.push(error(Code::MethodNotFound)); // P3
    } else if unknown && flaw.is_benign() {
        row.answers.retain(|a| *a != error(Code::InvalidParams)); // P13
    }
    row.answers = substitute(row.answers, &plain.answers);
    row
}

const fn any_with_id() -> Answer {
    Answer::response(Pattern::Any, IdForm::Echoed)
}

/// Puts the outcomes of the plain message in the place of `served`.
fn substitute(answers: Vec<Answer>, plain: &[Answer]) -> Vec<Answer> {
    let mut all: Vec<Answer> = Vec::with_capacity(answers.len() + plain.len());
    for answer in answers {
        let these = match &answer {
            Answer::Served => plain,
            other => std::slice::from_ref(other),
        };
        for answer in these {
            if !all.contains(answer) {
                all.push(answer.clone());
            }
        }
    }
    all
}
