use crate::spec::{RuleId, Version, rule};

/// The versions with which a fault shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// In v1 and in v2, with the same rule.
    Always,
    /// With agents of this version only.
    Only(Version),
    /// With agents of both versions.
    Both,
}

/// What is told about a fault.
#[derive(Debug, Clone, Copy)]
pub struct FaultInfo {
    /// Its switch.
    pub fault: Fault,
    /// Its name on the command line.
    pub name: &'static str,
    /// The rule it breaks in v1, where it shows there.
    pub rule_v1: Option<RuleId>,
    /// The rule it breaks in v2, where it shows there.
    pub rule_v2: Option<RuleId>,
    /// Whether it takes an agent of this one version, or of both.
    pub shows: Shows,
    /// What it does.
    pub about: &'static str,
}

impl FaultInfo {
    /// The rule that the fault breaks in `version`.
    pub fn rule(&self, version: Version) -> Option<RuleId> {
        match version {
            Version::V1 => self.rule_v1,
            Version::V2 => self.rule_v2,
        }
    }

    /// The versions that an agent must speak for the fault to show.
    pub fn speaks(&self) -> &'static [Version] {
        match self.shows {
            Shows::Always | Shows::Both => &Version::ALL,
            Shows::Only(Version::V1) => &[Version::V1],
            Shows::Only(Version::V2) => &[Version::V2],
        }
    }

    /// Whether the fault shows with an agent that speaks these versions.
    pub fn shows_with(&self, speaks: &[Version]) -> bool {
        match self.shows {
            Shows::Always => speaks.iter().any(|v| self.rule(*v).is_some()),
            Shows::Only(version) => speaks == [version],
            Shows::Both => speaks.len() == 2,
        }
    }
}

/// A set of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults(u128);

impl Faults {
    /// The set with `fault` added.
    pub const fn with(self, fault: Fault) -> Faults {
        Faults(self.0 | 1 << fault as u128)
    }

    /// Whether `fault` is switched on.
    pub const fn has(self, fault: Fault) -> bool {
        self.0 & 1 << fault as u128 != 0
    }
}

impl Fault {
    /// The fault of that name.
    pub fn find(name: &str) -> Option<Fault> {
        FAULTS.iter().find(|info| info.name == name).map(|info| info.fault)
    }

    /// What is told about it.
    pub fn info(self) -> &'static FaultInfo {
        &FAULTS[self as usize]
    }
}

macro_rules! faults {
    ($($fault:ident $name:literal $v1:tt $v2:tt $shows:expr, $about:literal;)*) => {
        /// One thing that the reference agent can get wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Fault {
            $(#[doc = $about] $fault,)*
        }

        /// Every fault, in the order of the rules that they break.
        pub static FAULTS: &[FaultInfo] = &[
            $(FaultInfo {
                fault: Fault::$fault,
                name: $name,
                rule_v1: faults!(@rule $v1),
                rule_v2: faults!(@rule $v2),
                shows: $shows,
                about: $about,
            },)*
        ];
    };
    (@rule _) => { None };
    (@rule $name:literal) => { Some(const { rule($name) }) };
}

const ANY: Shows = Shows::Always;

faults! {
    LogLineOnStdout "log-line-on-stdout" "FRM-01" "FRM-01" ANY, "prints a log line before its first response";
    RawNewlineInString "raw-newline-in-string" "FRM-02" "FRM-02" ANY, "puts a raw newline into a string of its initialize result";
    ParseErrorUnanswered "parse-error-unanswered" "FRM-03" "FRM-03" ANY, "says nothing to a line that is not JSON";
    ParseErrorAsInvalidRequest "parse-error-as-invalid-request" "FRM-03" "FRM-03" ANY, "answers -32600 to a line that is not JSON";
    ParseErrorEndsAgent "parse-error-ends-agent" "FRM-03" "FRM-03" ANY, "exits with code 0 on a line that is not JSON";
    TrailingTextIgnored "trailing-text-ignored" "FRM-04" "FRM-04" ANY, "serves the first of two JSON values on a line";
    CarriageReturnRefused "carriage-return-refused" "FRM-06" "FRM-06" ANY, "answers -32700 to a message with blanks around it";
    InvalidUtf8EndsAgent "invalid-utf8-ends-agent" "FRM-07" "FRM-07" ANY, "exits with code 1 on a line that is not UTF-8";
    DeepNestingEndsAgent "deep-nesting-ends-agent" "FRM-10" "FRM-10" ANY, "exits on a message nested deeper than 500 levels";
    LongLineUnanswered "long-line-unanswered" "FRM-10" "FRM-10" ANY, "drops lines longer than 64 KiB";
    PrettyPrintedAssembled "pretty-printed-assembled" "FRM-11" "FRM-11" ANY, "waits for the rest of a message that is spread over lines";
    NumberIdsBecomeStrings "number-ids-become-strings" "RPC-01" "RPC-01" ANY, "answers the number 7 with the string id 7";
    ResponseTwice "response-twice" "RPC-01" "RPC-01" ANY, "answers an unknown method twice";
    JsonrpcLeftOut "jsonrpc-left-out" "RPC-02" "RPC-02" ANY, "leaves the jsonrpc member out of its responses";
    ResultAndError "result-and-error" "RPC-02" "RPC-02" ANY, "adds a null result to its errors";
    ErrorCodeAsString "error-code-as-string" "RPC-03" "RPC-03" ANY, "writes error codes as strings";
    CancelAnswered "cancel-answered" "RPC-04" "RPC-04" ANY, "answers the notification session/cancel";
    UnknownNotificationAnswered "unknown-notification-answered" "RPC-05" "RPC-05" ANY, "answers unknown notifications with -32601 and id null";
    RequestAsNotificationAnswered "request-as-notification-answered" "RPC-06" "RPC-06" ANY, "answers a request method that came without an id";
    NotificationWithIdUnanswered "notification-with-id-unanswered" "RPC-07" "RPC-07" ANY, "says nothing to session/cancel sent with an id";
    ScalarUnanswered "scalar-unanswered" "RPC-08" "RPC-08" ANY, "says nothing to a number, a string or null";
    ScalarAsParseError "scalar-as-parse-error" "RPC-08" "RPC-08" ANY, "answers -32700 to a number, a string or null";
    ScalarEndsAgent "scalar-ends-agent" "RPC-08" "RPC-08" ANY, "exits on a number, a string or null";
    EmptyObjectAsParseError "empty-object-as-parse-error" "RPC-09" "RPC-09" ANY, "answers -32700 to an object without method and id";
    JsonrpcUnchecked "jsonrpc-unchecked" "RPC-10" "RPC-10" ANY, "serves messages whose jsonrpc member is missing or wrong";
    MissingMethodUnanswered "missing-method-unanswered" "RPC-11" "RPC-11" ANY, "says nothing to an id without a method";
    InvalidTakenForNotification "invalid-taken-for-notification" "RPC-12" "RPC-12" ANY, "says nothing to an invalid message without an id";
    ScalarParamsServed "scalar-params-served" "RPC-13" "RPC-13" ANY, "takes scalar params for none and answers with a result";
    ScalarParamsWithoutIdAnswered "scalar-params-without-id-answered" "RPC-14" "RPC-14" ANY, "answers -32602 to a notification with scalar params";
    AbsentParamsRefused "absent-params-refused" "RPC-16" "RPC-16" ANY, "answers -32602 where params are optional and absent";
    ArrayParamsFail "array-params-fail" "RPC-17" "RPC-17" ANY, "answers -32603 to params that are an array";
    NullIdTakenForNotification "null-id-taken-for-notification" "RPC-19" "RPC-18" ANY, "says nothing to a request with id null";
    IllegalIdServed "illegal-id-served" "RPC-20" "RPC-20" ANY, "serves requests whose id is a boolean, an object or an array";
    FractionalIdTruncated "fractional-id-truncated" "RPC-20" "RPC-20" ANY, "answers id 1.5 with id 1";
    HugeIdRounded "huge-id-rounded" "RPC-22" "RPC-22" ANY, "keeps ids in a double and so changes large ones";
    EmptyIdUnanswered "empty-id-unanswered" "RPC-23" "RPC-23" ANY, "takes the empty id for none";
    ReusedIdUnanswered "reused-id-unanswered" "RPC-25" "RPC-25" ANY, "drops a request whose id was used before";
    UnknownResponseAnswered "unknown-response-answered" "RPC-27" "RPC-27" ANY, "answers a response that it never asked for with an error";
    MalformedResponseAnswered "malformed-response-answered" "RPC-28" "RPC-28" ANY, "answers a malformed response with its own id";
    ReservedMethodServed "reserved-method-served" "RPC-32" "RPC-32" ANY, "serves rpc. methods";
    ClientMethodServed "client-method-served" "RPC-33" "RPC-33" ANY, "answers client-side methods with a result";
    DollarRequestUnanswered "dollar-request-unanswered" "RPC-34" "RPC-34" ANY, "says nothing to an unknown $/ request";
    UnknownParamRefused "unknown-param-refused" "RPC-35" "RPC-35" ANY, "answers -32602 to an unknown member in params";
    EmptyBatchAnsweredWithArray "empty-batch-answered-with-array" "BAT-01" "BAT-01" ANY, "answers [] with []";
    BrokenBatchAsInvalidRequest "broken-batch-as-invalid-request" "BAT-02" "BAT-02" ANY, "answers -32600 to an array that is not JSON";
    BatchUnanswered "batch-unanswered" "BAT-04" "BAT-03" ANY, "says nothing to a batch of requests";
    BatchAnsweredLineByLine "batch-answered-line-by-line" "BAT-04" "BAT-03" ANY, "answers the requests of a batch in lines of their own";
    BatchEntryDropped "batch-entry-dropped" "BAT-04" "BAT-05" ANY, "answers a batch with an array that leaves invalid entries out";
    NotificationBatchAnswered "notification-batch-answered" "BAT-04" "BAT-06" ANY, "answers a batch of notifications with []";
    ResponseBatchAnswered "response-batch-answered" "BAT-04" "BAT-07" ANY, "answers a batch of responses with -32603";
    NestedBatchUnanswered "nested-batch-unanswered" "BAT-09" "BAT-09" ANY, "says nothing to an array in an array";
    BatchStopsServing "batch-stops-serving" "BAT-10" "BAT-10" ANY, "answers nothing any more once a batch came";
    ResponsesInArrays "responses-in-arrays" _ "BAT-11" ANY, "wraps every response in an array";
    ServedBeforeInitialize "served-before-initialize" "INIT-02" "INIT-01" ANY, "serves requests before initialize";
    EarlyRequestUnanswered "early-request-unanswered" "INIT-02" "INIT-01" ANY, "says nothing to requests before initialize";
    EarlyNotificationAnswered "early-notification-answered" "INIT-03" "INIT-03" ANY, "answers -32600 to notifications before initialize";
    MalformedMessageInitializes "malformed-message-initializes" "INIT-04" "INIT-04" ANY, "counts as initialized after a malformed message";
    InfoLeftOut "info-left-out" _ "INIT-05" ANY, "leaves info out of its initialize result";
    VersionLeftOut "version-left-out" "INIT-06" _ ANY, "leaves protocolVersion out of its initialize result";
    AnswersNextVersion "answers-next-version" "INIT-07" "INIT-07" ANY, "answers a supported version with the next one";
    HigherVersionRefused "higher-version-refused" _ "INIT-08" ANY, "refuses versions above its own with -32022";
    LowerVersionAnswered "lower-version-answered" _ "INIT-09" Shows::Only(Version::V2), "answers a version below its own with its own";
    OtherVersionRefused "other-version-refused" "INIT-10" _ Shows::Only(Version::V1), "refuses versions other than 1 with -32602";
    LowestVersionPicked "lowest-version-picked" "INIT-11" "INIT-11" Shows::Both, "answers versions above 2 with 1 although it speaks 2";
    VersionTypeUnchecked "version-type-unchecked" "INIT-12" "INIT-12" ANY, "takes any protocolVersion that is no number for its own";
    ClientInfoUnchecked "client-info-unchecked" _ "INIT-13" ANY, "accepts version 2 without info";
    MalformedCapabilitiesFail "malformed-capabilities-fail" "INIT-14" "INIT-14" ANY, "answers -32603 to capabilities that are no object";
    TerminalLoginUnasked "terminal-login-unasked" "INIT-16" "INIT-16" ANY, "offers a terminal login that the client did not enable";
    RepeatedInitializeFails "repeated-initialize-fails" _ "INIT-17" ANY, "answers -32603 to a second initialize";
    FailedInitializeIsFinal "failed-initialize-is-final" "INIT-23" "INIT-23" ANY, "refuses every initialize after a failed one";
    InitializeNotificationAnswered "initialize-notification-answered" "INIT-24" "INIT-24" ANY, "answers initialize although it has no id";
    InitializeNotificationInitializes "initialize-notification-initializes" "INIT-24" "INIT-24" ANY, "is initialized by a notification";
    MembersOfOtherVersion "members-of-other-version" "INIT-25" "INIT-25" ANY, "answers initialize with the members of the other version";
    OtherVersionServed "other-version-served" "INIT-26" "INIT-26" ANY, "serves methods of the other version";
    UnknownMethodUnanswered "unknown-method-unanswered" "ERR-01" "ERR-01" ANY, "says nothing to requests for methods it does not have";
    ReservedCode "reserved-code" "ERR-05" "ERR-05" ANY, "answers unknown methods with the reserved code -32050";
}

const _: () = assert!(Fault::ReservedCode as usize <= 127, "Faults holds 128 bits");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_named_once_and_breaks_a_rule_of_its_version() {
        for info in FAULTS {
            assert_eq!(Fault::find(info.name), Some(info.fault), "{} stands twice", info.name);
            assert_eq!(info.fault.info().name, info.name);
            for version in Version::ALL {
                if let Some(rule) = info.rule(version) {
                    assert!(rule.get().level(version).is_some(), "{}: {rule}", info.name);
                }
            }
        }
    }

    /// Rules of the areas judged so far that no fault of one agent alone can break.
    const WITHOUT_FAULT: &[(&str, &str)] =
        &[("RPC-26", "needs a live turn"), ("INIT-15", "needs a live turn")];

    #[test]
    fn every_binding_rule_of_framing_envelopes_batches_and_initialize_has_a_fault() {
        use crate::spec::{Level, rules};
        let areas = ["framing", "envelope", "batch", "initialize"];
        for rule in rules().iter().filter(|r| areas.contains(&r.area)) {
            for version in Version::ALL {
                let binding = rule.level(version).is_some_and(|l| l > Level::Info);
                let excused = WITHOUT_FAULT.iter().any(|(name, _)| *name == rule.name);
                let broken = FAULTS.iter().any(|f| f.rule(version) == Some(rule.id));
                assert!(!binding || broken || excused, "{} in v{version} has no fault", rule.name);
            }
        }
    }
}
