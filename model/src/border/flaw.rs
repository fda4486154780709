use crate::spec::{RuleId, Variant, Version, rule};

/// What is wrong, or merely odd, with one message of the client's.
///
/// In the order in which a reader meets them: bytes, JSON, envelope, params. Where several
/// are present the first decides which rule a finding names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flaw {
    /// Nothing but blanks.
    Blank,
    /// Not UTF-8.
    NotUtf8,
    /// A byte order mark before a whole JSON text.
    ByteOrderMark,
    /// A whole JSON text and something behind it.
    Trailing,
    /// Opens an array and is not JSON.
    BrokenArray,
    /// Ends inside a value, as the first line of a pretty-printed message does.
    Fragment,
    /// Any other text that is not JSON.
    NotJson,
    /// Neither object nor array.
    Scalar,
    /// `[]`.
    EmptyBatch,
    /// An array in an array.
    NestedBatch,
    /// A batch that holds `initialize`, login, or what makes or takes up a session.
    LifecycleBatch,
    /// A batch of responses.
    ResponseBatch,
    /// A batch of notifications.
    NotificationBatch,
    /// A batch with invalid entries or notifications among requests.
    MixedBatch,
    /// A batch of requests.
    RequestBatch,
    /// An object without method, result and error, and without an id.
    Nothing,
    /// The method is missing or no string; the id is readable.
    NoMethod,
    /// The method is no string, and there is no id.
    NoMethodNoId,
    /// `jsonrpc` is missing or not `"2.0"`.
    NotJsonRpc2,
    /// The id is null.
    NullId,
    /// The id is a number with a fraction.
    FractionalId,
    /// The id is a boolean, an object or an array.
    IllegalId,
    /// The id is an integer beyond 64 bits.
    HugeId,
    /// The id is an integer written with a fraction or an exponent.
    IntegralFloatId,
    /// Scalar params in a request.
    ScalarParams,
    /// Scalar params without an id.
    ScalarParamsNoId,
    /// A method together with a result or an error.
    MethodAndAnswer,
    /// A response without its shape.
    MalformedResponse,
    /// The same name twice in the message or in its params.
    DuplicateName,
    /// Very long, deeply nested, a lone surrogate, or a number beyond a double.
    Extreme,
    /// Params are an array.
    ArrayParams,
    /// Params are null.
    NullParams,
    /// Params are left out where all members are optional.
    NoParams,
    /// A legal id that is easily mishandled: empty, negative, long, not ASCII.
    OddId,
    /// An unknown member beside `method`.
    UnknownMember,
    /// An unknown member in params.
    UnknownParam,
    /// A `_meta` in params.
    Meta,
    /// A `_meta` in params that is neither object nor null.
    MalformedMeta,
    /// Blanks around the message, or a CR before the newline.
    Blanks,
}

impl Flaw {
    /// The rule that this flaw exercises in `version`.
    pub const fn rule(self, version: Version) -> RuleId {
        const fn by(version: Version, v1: RuleId, v2: RuleId) -> RuleId {
            match version {
                Version::V1 => v1,
                Version::V2 => v2,
            }
        }
        // v1 has one row for every batch with an entry (BAT-04).
        const BATCH_1: RuleId = rule("BAT-04");
        match self {
            Flaw::Blank => rule("FRM-05"),
            Flaw::NotUtf8 => rule("FRM-07"),
            Flaw::ByteOrderMark | Flaw::Trailing => rule("FRM-04"),
            Flaw::BrokenArray => rule("BAT-02"),
            Flaw::Fragment => rule("FRM-11"),
            Flaw::NotJson => rule("FRM-03"),
            Flaw::Scalar => rule("RPC-08"),
            Flaw::EmptyBatch => rule("BAT-01"),
            Flaw::NestedBatch => rule("BAT-09"),
            Flaw::LifecycleBatch => by(version, BATCH_1, rule("BAT-08")),
            Flaw::ResponseBatch => by(version, BATCH_1, rule("BAT-07")),
            Flaw::NotificationBatch => by(version, BATCH_1, rule("BAT-06")),
            Flaw::MixedBatch => by(version, BATCH_1, rule("BAT-05")),
            Flaw::RequestBatch => by(version, BATCH_1, rule("BAT-03")),
            Flaw::Nothing => rule("RPC-09"),
            Flaw::NoMethod => rule("RPC-11"),
            Flaw::NoMethodNoId => rule("RPC-12"),
            Flaw::NotJsonRpc2 => rule("RPC-10"),
            Flaw::NullId => by(version, rule("RPC-19"), rule("RPC-18")),
            Flaw::FractionalId | Flaw::IllegalId => rule("RPC-20"),
            Flaw::HugeId => rule("RPC-22"),
            Flaw::IntegralFloatId => rule("RPC-21"),
            Flaw::ScalarParams => rule("RPC-13"),
            Flaw::ScalarParamsNoId => rule("RPC-14"),
            Flaw::MethodAndAnswer => rule("RPC-29"),
            Flaw::MalformedResponse => rule("RPC-28"),
            Flaw::DuplicateName => rule("RPC-31"),
            Flaw::Extreme => rule("FRM-10"),
            Flaw::ArrayParams => rule("RPC-17"),
            Flaw::NullParams => rule("RPC-15"),
            Flaw::NoParams => rule("RPC-16"),
            Flaw::OddId => rule("RPC-23"),
            Flaw::UnknownMember => rule("RPC-30"),
            Flaw::UnknownParam => rule("RPC-35"),
            Flaw::Meta | Flaw::MalformedMeta => rule("EXT-02"),
            Flaw::Blanks => rule("FRM-06"),
        }
    }

    /// The variant of the rule's set that holds for this flaw.
    pub const fn variant(self) -> Variant {
        match self {
            Flaw::ByteOrderMark => "bom",
            Flaw::FractionalId => "fraction",
            Flaw::MalformedMeta => "malformed",
            _ => "",
        }
    }

    /// Whether the flaw leaves the message a request object all the same, so that it may be
    /// served as the plain one would be.
    pub const fn is_benign(self) -> bool {
        self as u8 >= Flaw::Extreme as u8
    }

    /// Whether an object with this flaw is no valid request object at all.
    pub const fn invalidates(self) -> bool {
        matches!(
            self,
            Flaw::Nothing
                | Flaw::NoMethod
                | Flaw::NoMethodNoId
                | Flaw::NotJsonRpc2
                | Flaw::IllegalId
                | Flaw::ScalarParams
                | Flaw::ScalarParamsNoId
                | Flaw::MethodAndAnswer
        )
    }

    /// Whether the flaw is about the id alone.
    pub const fn is_about_id(self) -> bool {
        matches!(
            self,
            Flaw::NullId
                | Flaw::FractionalId
                | Flaw::IllegalId
                | Flaw::HugeId
                | Flaw::IntegralFloatId
                | Flaw::OddId
        )
    }
}

/// The flaws of one message, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flaws(u64);

impl Flaws {
    /// The set with `flaw` added.
    pub const fn with(self, flaw: Flaw) -> Flaws {
        Flaws(self.0 | 1 << flaw as u64)
    }

    /// Adds `flaw` where `present`.
    pub(super) fn note(&mut self, flaw: Flaw, present: bool) {
        if present {
            *self = self.with(flaw);
        }
    }

    /// Whether `flaw` is among them.
    pub const fn has(self, flaw: Flaw) -> bool {
        self.0 & 1 << flaw as u64 != 0
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The deciding one; a message without flaws counts as one that is not JSON.
    pub fn first(self) -> Flaw {
        self.iter().next().unwrap_or(Flaw::NotJson)
    }

    /// The flaws, the deciding one first.
    pub fn iter(self) -> impl Iterator<Item = Flaw> {
        ALL.into_iter().filter(move |f| self.has(*f))
    }
}

const ALL: [Flaw; 39] = [
    Flaw::Blank,
    Flaw::NotUtf8,
    Flaw::ByteOrderMark,
    Flaw::Trailing,
    Flaw::BrokenArray,
    Flaw::Fragment,
    Flaw::NotJson,
    Flaw::Scalar,
    Flaw::EmptyBatch,
    Flaw::NestedBatch,
    Flaw::LifecycleBatch,
    Flaw::ResponseBatch,
    Flaw::NotificationBatch,
    Flaw::MixedBatch,
    Flaw::RequestBatch,
    Flaw::Nothing,
    Flaw::NoMethod,
    Flaw::NoMethodNoId,
    Flaw::NotJsonRpc2,
    Flaw::NullId,
    Flaw::FractionalId,
    Flaw::IllegalId,
    Flaw::HugeId,
    Flaw::IntegralFloatId,
    Flaw::ScalarParams,
    Flaw::ScalarParamsNoId,
    Flaw::MethodAndAnswer,
    Flaw::MalformedResponse,
    Flaw::DuplicateName,
    Flaw::Extreme,
    Flaw::ArrayParams,
    Flaw::NullParams,
    Flaw::NoParams,
    Flaw::OddId,
    Flaw::UnknownMember,
    Flaw::UnknownParam,
    Flaw::Meta,
    Flaw::MalformedMeta,
    Flaw::Blanks,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_every_flaw_in_order() {
        for (index, flaw) in ALL.iter().enumerate() {
            assert_eq!(*flaw as usize, index);
        }
        assert_eq!(ALL.len() - 1, Flaw::Blanks as usize);
    }

    #[test]
    fn every_flaw_has_a_rule_that_applies_in_its_version() {
        for version in Version::ALL {
            for flaw in ALL {
                let rule = flaw.rule(version);
                assert!(rule.get().level(version).is_some(), "{flaw:?} in v{version}: {rule}");
            }
        }
    }
}
