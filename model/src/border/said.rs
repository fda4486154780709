use super::initialize::is_implementation;
use super::{Border, IdRef};
use crate::profile::BatchKind;
use crate::spec::{Code, RESERVED, RuleId, Version, rule};
use crate::wire::{Envelope, Id, Json, Message, NotJson, read_message};

/// What an agent printed in one line, as a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A response.
    Response(Answered),
    /// A batch of responses: what each entry is, `None` for an entry that is none.
    Array(Vec<Option<Answered>>),
    /// An array of requests and notifications of the agent's to its client, with the ids of the
    /// requests.
    Messages(Vec<IdRef>),
    /// A request of the agent's to its client.
    Request {
        /// The id that the client must answer with.
        id: IdRef,
    },
    /// A notification.
    Notification,
    /// No message.
    Garbage(Garbage),
}

/// Why a line of the agent's is no message (FRM-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Garbage {
    /// Empty, or only blanks.
    Blank,
    /// Not UTF-8.
    NotUtf8,
    /// Not JSON, as log lines are.
    NotJson,
    /// Ends inside a string: a raw newline stands in it (FRM-02).
    CutInString,
    /// Longer than the harness reads.
    Overlong,
    /// JSON, but no request, notification or response.
    NotMessage,
}

/// One response of the agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The id that it carries.
    pub id: SaidId,
    /// Result or error.
    pub kind: Kind,
    /// What else is known of it.
    pub facts: Facts,
}

/// The id of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SaidId {
    /// A string, a number or null.
    Is(IdRef),
    /// No id at all, or one of an illegal type.
    None,
}

/// What kind of response it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It has a result.
    Result,
    /// It has an error with this code (0 where the code is unreadable).
    Error(i64),
}

/// Facts about a response, drawn from open data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Facts {
    /// `result.protocolVersion`, where it is an unsigned 16-bit integer.
    pub protocol_version: Option<u16>,
    /// The response breaks RPC-02: `jsonrpc` is not 2.0, or not exactly one of result and error.
    pub misshapen: bool,
    /// The error breaks RPC-03: no integer code, or no string message.
    pub misshapen_error: bool,
    /// The error's message is empty.
    pub empty_message: bool,
    /// `result.info` is an object with the strings `name` and `version`.
    pub info: bool,
    /// The result lacks or garbles members of its version (INIT-25).
    pub misshapen_initialize: bool,
    /// `authMethods` has an entry of type `terminal`.
    pub terminal_login: bool,
    /// `result.sessions` is an array.
    pub sessions: bool,
    /// `data.requested` is an integer and `data.supported` a list of integers.
    pub versions: bool,
}

impl Facts {
    /// Whether the fact of that name holds, as named in the rule table.
    pub fn holds(&self, name: &str) -> bool {
        match name {
            "info" => self.info,
            "sessions" => self.sessions,
            "versions" => self.versions,
            "protocolVersion=1" => self.protocol_version == Some(1),
            "protocolVersion=2" => self.protocol_version == Some(2),
            _ => false,
        }
    }
}

/// What a line of the agent's answers to the request with the string id `id`; `None` where it
/// is no response to it.
pub fn answer_to(line: &[u8], id: &str) -> Option<Kind> {
    let same_id = |e: &Envelope<'_>| e.id.and_then(|i| i.as_string()).is_some_and(|t| t.is(id));
    let envelope = messages(line).find(same_id)?;
    match Border::new().message(&envelope) {
        Said::Response(answer) => Some(answer.kind),
        _ => None,
    }
}

/// The message of a line, or those of the array that it is.
pub(super) fn messages(line: &[u8]) -> impl Iterator<Item = Envelope<'_>> {
    let (one, many) = match read_message(line) {
        Ok(Message::Object(envelope, _)) => (Some(envelope), None),
        Ok(Message::Array(json)) => (None, json.elements()),
        _ => (None, None),
    };
    one.into_iter().chain(many.into_iter().flatten().filter_map(Envelope::read))
}

/// How an agent that printed `line` after a batch of requests takes batches.
pub fn batch_kind(line: &[u8]) -> Option<BatchKind> {
    let refused = Kind::Error(Code::InvalidRequest.number());
    match Border::new().said(line) {
        Said::Array(_) => Some(BatchKind::Array),
        Said::Response(answer)
            if answer.id == SaidId::Is(IdRef::NULL) && answer.kind == refused =>
        {
            Some(BatchKind::Refused)
        }
        _ => None,
    }
}

impl Answered {
    /// Rules that the response breaks by itself, whatever it answers.
    pub fn broken_rules(&self, version: Version) -> impl Iterator<Item = RuleId> {
        let reserved = match self.kind {
            Kind::Error(code) => RESERVED.contains(&code) && Code::from_number(code).is_none(),
            Kind::Result => false,
        };
        let not_in_v1 = self.kind == Kind::Error(Code::UnsupportedProtocolVersion.number())
            && version == Version::V1;
        let broken = [
            (self.facts.misshapen, rule("RPC-02")),
            (self.facts.misshapen_error, rule("RPC-03")),
            (reserved && !self.facts.misshapen_error, rule("ERR-05")),
            (not_in_v1, rule("ERR-06")),
            (self.facts.empty_message, rule("ERR-07")),
        ];
        broken.into_iter().filter(|(broken, _)| *broken).map(|(_, rule)| rule)
    }
}

impl Border {
    /// Reads one line of the agent's (without its newline).
    pub fn said(&mut self, line: &[u8]) -> Said {
        let garbage = |why| Said::Garbage(why);
        match read_message(line) {
            Err(NotJson::Blank) => garbage(Garbage::Blank),
            Err(NotJson::NotUtf8 { .. }) => garbage(Garbage::NotUtf8),
            Err(NotJson::Unfinished { in_string: true, .. }) => garbage(Garbage::CutInString),
            Err(_) => garbage(Garbage::NotJson),
            Ok(Message::Scalar(_)) => garbage(Garbage::NotMessage),
            Ok(Message::Array(json)) => match self.asked(json) {
                Some(ids) => Said::Messages(ids),
                None => Said::Array(self.answers(json)),
            },
            Ok(Message::Object(envelope, _)) => self.message(&envelope),
        }
    }

    /// The ids of the requests, where all entries are requests and notifications.
    fn asked(&mut self, json: Json<'_>) -> Option<Vec<IdRef>> {
        let mut ids = Vec::new();
        let mut entries = json.elements()?.peekable();
        entries.peek()?;
        for entry in entries {
            match self.message(&Envelope::read(entry)?) {
                Said::Request { id } => ids.push(id),
                Said::Notification => {}
                _ => return None,
            }
        }
        Some(ids)
    }

    fn answers(&mut self, json: Json<'_>) -> Vec<Option<Answered>> {
        let entries = json.elements().into_iter().flatten();
        let answer = |entry| match self.message(&Envelope::read(entry)?) {
            Said::Response(answer) => Some(answer),
            _ => None,
        };
        entries.map(answer).collect()
    }

    fn message(&mut self, envelope: &Envelope<'_>) -> Said {
        let has_method = envelope.method.is_some_and(|m| m.as_string().is_some());
        let answers = envelope.result.is_some() || envelope.error.is_some();
        match (has_method, answers) {
            (true, false) if envelope.is_jsonrpc_2() => match envelope.id {
                Some(id) => match self.id(id) {
                    SaidId::Is(id) if id != IdRef::NULL => Said::Request { id },
                    _ => Said::Garbage(Garbage::NotMessage),
                },
                None => Said::Notification,
            },
            (false, true) => Said::Response(self.response(envelope)),
            _ => Said::Garbage(Garbage::NotMessage),
        }
    }

    fn id(&mut self, id: Json<'_>) -> SaidId {
        match Id::of(id) {
            Id::Other(_) => SaidId::None,
            id => SaidId::Is(self.intern(id)),
        }
    }

    fn response(&mut self, envelope: &Envelope<'_>) -> Answered {
        let both = envelope.result.is_some() && envelope.error.is_some();
        let mut facts = Facts { misshapen: both || !envelope.is_jsonrpc_2(), ..Facts::default() };
        // A null beside a result is one fault (RPC-02), not an error of the wrong shape too.
        let error = envelope.error.filter(|error| !(both && error.is_null()));
        let kind = match (error, envelope.result) {
            (Some(error), _) => Kind::Error(error_facts(error, &mut facts)),
            (None, result) => {
                result_facts(result, &mut facts);
                Kind::Result
            }
        };
        let id = envelope.id.map_or(SaidId::None, |id| self.id(id));
        Answered { id, kind, facts }
    }
}

fn error_facts(error: Json<'_>, facts: &mut Facts) -> i64 {
    let code = error.get("code").and_then(|c| c.as_number());
    // Clients decode the code as an integer type, which 1.0 is not.
    let code = code.filter(|c| !c.has_fraction_or_exponent()).and_then(|c| c.as_i64());
    let message = error.get("message").and_then(|m| m.as_string());
    facts.misshapen_error = code.is_none() || message.is_none();
    facts.empty_message = message.is_some_and(|m| m.is_empty());
    let integer = |v: Json<'_>| v.as_number().is_some_and(|n| n.is_integral());
    facts.versions = error.get("data").is_some_and(|data| {
        data.get("requested").is_some_and(integer)
            && data
                .get("supported")
                .and_then(|s| s.elements())
                .is_some_and(|list| list.into_iter().all(integer))
    });
    code.unwrap_or(0)
}

fn result_facts(result: Option<Json<'_>>, facts: &mut Facts) {
    let get = |name| result.and_then(|r: Json<'_>| r.get(name));
    facts.sessions = get("sessions").is_some_and(|s| s.elements().is_some());
    let version = get("protocolVersion").and_then(|v| v.as_number());
    facts.protocol_version = version.and_then(|v| v.as_u16());
    facts.info = get("info").is_some_and(is_implementation);
    let entries = || get("authMethods").and_then(|m| m.elements()).into_iter().flatten();
    let terminal = |entry: Json<'_>| {
        entry.get("type").and_then(|t| t.as_string()).is_some_and(|t| t.is("terminal"))
    };
    facts.terminal_login = entries().any(terminal);

    // INIT-25: the members of the negotiated version, and not those of the other one only.
    let missing_or_object = |name| get(name).is_none_or(|v| v.is_null() || v.members().is_some());
    let array = get("authMethods").is_none_or(|v| v.is_null() || v.elements().is_some());
    let shape = match facts.protocol_version {
        Some(1) => {
            let other_only = get("capabilities").is_some() && get("agentCapabilities").is_none();
            missing_or_object("agentCapabilities") && missing_or_object("agentInfo") && !other_only
        }
        Some(2) => {
            let other = get("agentCapabilities").is_some() || get("agentInfo").is_some();
            missing_or_object("capabilities") && facts.info && !other
        }
        _ => true,
    };
    facts.misshapen_initialize = version.is_some() && !(shape && array);
}
