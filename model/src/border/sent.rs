use super::flaw::{Flaw, Flaws};
use super::initialize::RequestedVersion;
use super::{Border, IdRef};
use crate::spec::{CLIENT_METHODS, Kind, Method, Version, methods};
use crate::wire::{self, Envelope, Id, Json, Message, NotJson, Text};

/// Lines longer than this many bytes are [`Flaw::Extreme`]: common readers stop at 64 KiB.
const LONG_LINE_BYTES: usize = 65_000;
/// Values nested deeper than this are [`Flaw::Extreme`]: common parsers stop at 128 levels.
const DEEP_LEVELS: usize = 100;
/// String ids longer than this many bytes are [`Flaw::OddId`].
const LONG_ID_BYTES: usize = 64;

/// What a client wrote in one line, as a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// What the line is.
    pub form: Form,
    /// What is wrong or odd about it.
    pub flaws: Flaws,
    /// Its id where one is readable: a string, a number or null.
    pub id: Option<IdRef>,
    /// The id that it gives first, where it gives two (RPC-31).
    pub first_id: Option<IdRef>,
    /// What it asks for; `None` where no method is readable.
    pub call: Option<Call>,
    /// Its params say nothing: absent, null, or without a member that the method knows and that
    /// is not null.
    pub bare: bool,
}

/// What a line of the client's is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Not JSON, or blank.
    NotJson,
    /// JSON that is no valid message.
    Invalid,
    /// A request: method and id.
    Request,
    /// A notification: method, no id.
    Notification,
    /// A response to a request of the agent's, or to none.
    Response,
    /// A batch with at least one entry.
    Batch(Batch),
}

/// What a batch owes, entry by entry (JSON-RPC 2.0 section 6).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    /// The ids of its requests.
    pub requests: Vec<IdRef>,
    /// How many entries are no valid message.
    pub invalid: usize,
    /// Whether it has an entry that is a request of its own right (not only notifications,
    /// responses and invalid entries).
    pub has_initialize: bool,
}

/// What a request or notification asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call {
    /// `initialize`, with what its params say.
    Initialize(RequestedVersion),
    /// Another method of the version at hand.
    Known(&'static Method),
    /// No method of the version at hand.
    Unknown(Unknown),
}

impl Eq for Call {}

/// The kinds of method that an agent does not implement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// A method of the other protocol version.
    OtherVersion,
    /// A method that only clients serve.
    ClientSide,
    /// Empty, or reserved by JSON-RPC (`rpc.`).
    Reserved,
    /// An unknown `$/` method.
    Dollar,
    /// A `_custom` method.
    Custom,
    /// Any other name.
    Plain,
}

impl Border {
    /// Reads one line of a client's (without its newline) as an agent of `version` must.
    pub fn sent(&mut self, line: &[u8], version: Version) -> Sent {
        let (mut sent, json) = match wire::read_message(line) {
            Err(error) => match without_mark(error, line) {
                Some(text) => {
                    let mut inner = self.sent(text, version);
                    inner.flaws.note(Flaw::ByteOrderMark, true);
                    return inner;
                }
                None => (self.not_json(error, line), None),
            },
            Ok(Message::Scalar(json)) => (invalid(Flaw::Scalar), Some(json)),
            Ok(Message::Array(json)) => (self.batch(json, version), Some(json)),
            Ok(Message::Object(envelope, json)) => {
                let mut sent = self.object(&envelope, version);
                if envelope.has_duplicate_member {
                    sent.first_id = self.first_id(json);
                }
                (sent, Some(json))
            }
        };
        sent.flaws
            .note(Flaw::Extreme, line.len() > LONG_LINE_BYTES || json.is_some_and(is_extreme));
        sent.flaws.note(Flaw::Blanks, json.is_some_and(|json| json.text().len() != line.len()));
        sent
    }

    fn not_json(&mut self, error: NotJson, line: &[u8]) -> Sent {
        let flaw = match error {
            NotJson::Blank => Flaw::Blank,
            NotJson::NotUtf8 { .. } => Flaw::NotUtf8,
            NotJson::Trailing { .. } => Flaw::Trailing,
            NotJson::ByteOrderMark => Flaw::ByteOrderMark,
            _ if wire::opens_array(line) => Flaw::BrokenArray,
            NotJson::Unfinished { in_string: false, .. } => Flaw::Fragment,
            NotJson::Unfinished { .. } | NotJson::Syntax { .. } => Flaw::NotJson,
        };
        let mut flaws = Flaws::default().with(flaw);
        // A fragment is first of all a line that is not JSON.
        flaws.note(Flaw::NotJson, flaw == Flaw::Fragment);
        let id = self.careless_id(error, line);
        Sent { form: Form::NotJson, flaws, id, first_id: None, call: None, bare: true }
    }

    /// The id that a careless agent may answer to: it reads the first value of the line, or puts
    /// a sign in the place of what is not UTF-8.
    fn careless_id(&mut self, error: NotJson, line: &[u8]) -> Option<IdRef> {
        let lossy;
        let text = match error {
            NotJson::Trailing { at } => &line[..at],
            NotJson::NotUtf8 { .. } => {
                lossy = String::from_utf8_lossy(line);
                lossy.as_bytes()
            }
            _ => return None,
        };
        let Ok(Message::Object(envelope, _)) = wire::read_message(text) else { return None };
        let id = envelope.id.map(Id::of).filter(|id| !matches!(id, Id::Other(_) | Id::Null));
        id.map(|id| self.intern(id))
    }

    fn object(&mut self, envelope: &Envelope<'_>, version: Version) -> Sent {
        let mut flaws = Flaws::default();
        let duplicate = envelope.has_duplicate_member
            || envelope.params.is_some_and(|p| p.has_duplicate_names());
        flaws.note(Flaw::DuplicateName, duplicate);
        flaws.note(Flaw::UnknownMember, envelope.has_unknown_member);

        let answers = envelope.result.is_some() || envelope.error.is_some();
        if envelope.method.is_none() && answers {
            flaws.note(Flaw::MalformedResponse, !is_response(envelope));
            let id = envelope.id.map(|id| self.intern(Id::of(id)));
            return Sent {
                form: Form::Response,
                flaws,
                id,
                first_id: None,
                call: None,
                bare: true,
            };
        }

        flaws.note(Flaw::MethodAndAnswer, answers);
        flaws.note(Flaw::NotJsonRpc2, !envelope.is_jsonrpc_2());
        let id = envelope.id.map(Id::of).filter(|id| !matches!(id, Id::Other(_)));
        let readable = id.as_ref().is_some_and(|id| *id != Id::Null);
        let id = id.map(|id| self.intern(id));

        let name = envelope.method.and_then(|m| m.as_string());
        match (envelope.method.is_some(), name, readable) {
            (_, Some(_), _) => id_flaws(envelope.id, &mut flaws),
            (false, None, false) => flaws.note(Flaw::Nothing, true),
            (_, None, true) => flaws.note(Flaw::NoMethod, true),
            (true, None, false) => flaws.note(Flaw::NoMethodNoId, true),
        }
        let call = name.map(|name| read_call(name, envelope.params, version));
        let bare = params_flaws(envelope, call.as_ref(), &mut flaws);

        let form = match envelope.id {
            _ if flaws.iter().any(Flaw::invalidates) => Form::Invalid,
            Some(_) => Form::Request,
            None => Form::Notification,
        };
        Sent { form, flaws, id, first_id: None, call, bare }
    }

    fn first_id(&mut self, json: Json<'_>) -> Option<IdRef> {
        let (_, id) = json.members()?.find(|(name, _)| name.is("id"))?;
        match Id::of(id) {
            Id::Other(_) => None,
            id => Some(self.intern(id)),
        }
    }

    fn batch(&mut self, json: Json<'_>, version: Version) -> Sent {
        let mut batch = Batch::default();
        let (mut nested, mut lifecycle) = (false, false);
        let (mut requests, mut notifications, mut responses) = (0, 0, 0);
        let entries = json.elements().into_iter().flatten();
        let mut count = 0;
        for entry in entries {
            count += 1;
            let Some(envelope) = Envelope::read(entry) else {
                nested |= entry.elements().is_some();
                batch.invalid += 1;
                continue;
            };
            let sent = self.object(&envelope, version);
            lifecycle |= sent.call.is_some_and(|call| is_lifecycle(&call));
            batch.has_initialize |= matches!(sent.call, Some(Call::Initialize(_)));
            match sent.form {
                Form::Request => {
                    requests += 1;
                    batch.requests.extend(sent.id);
                }
                Form::Notification => notifications += 1,
                Form::Response => responses += 1,
                _ => batch.invalid += 1,
            }
        }
        let flaw = match () {
            () if count == 0 => return invalid(Flaw::EmptyBatch),
            () if nested => Flaw::NestedBatch,
            () if lifecycle => Flaw::LifecycleBatch,
            () if requests == count => Flaw::RequestBatch,
            () if notifications == count => Flaw::NotificationBatch,
            () if responses == count => Flaw::ResponseBatch,
            () => Flaw::MixedBatch,
        };
        let flaws = Flaws::default().with(flaw);
        Sent { form: Form::Batch(batch), flaws, id: None, first_id: None, call: None, bare: true }
    }
}

/// The line without a byte order mark before or behind it, where that is all that is wrong.
fn without_mark(error: NotJson, line: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    match error {
        NotJson::ByteOrderMark => line.strip_prefix(MARK),
        // A mark before nothing.
        _ if line.strip_prefix(MARK).is_some_and(|rest| rest.trim_ascii().is_empty()) => {
            line.strip_prefix(MARK)
        }
        NotJson::Trailing { at } if line[at..].trim_ascii() == MARK => Some(&line[..at]),
        _ => None,
    }
}

fn invalid(flaw: Flaw) -> Sent {
    Sent {
        form: Form::Invalid,
        flaws: Flaws::default().with(flaw),
        id: None,
        first_id: None,
        call: None,
        bare: true,
    }
}

fn id_flaws(id: Option<Json<'_>>, flaws: &mut Flaws) {
    let Some(id) = id else { return };
    if id.is_null() {
        flaws.note(Flaw::NullId, true);
    } else if let Some(text) = id.as_string() {
        let odd = text.is_empty()
            || text.raw().len() > LONG_ID_BYTES
            || text.is_escaped()
            || !text.raw().is_ascii();
        flaws.note(Flaw::OddId, odd);
    } else if let Some(number) = id.as_number() {
        if !number.is_integral() {
            flaws.note(Flaw::FractionalId, true);
        } else if number.has_fraction_or_exponent() || number.text() == "-0" {
            flaws.note(Flaw::IntegralFloatId, true);
        } else if !number.fits_i64() {
            flaws.note(Flaw::HugeId, true);
        } else {
            flaws.note(Flaw::OddId, number.text().starts_with('-') || number.text() == "0");
        }
    } else {
        flaws.note(Flaw::IllegalId, true);
    }
}

/// Notes what is odd about params, and tells whether they say nothing.
fn params_flaws(envelope: &Envelope<'_>, call: Option<&Call>, flaws: &mut Flaws) -> bool {
    let (method, has_id) = match call {
        Some(Call::Known(method)) => (Some(method), envelope.id.is_some()),
        _ => (None, envelope.id.is_some()),
    };
    let Some(params) = envelope.params else {
        let optional = method.is_some_and(|m| m.kind == Kind::Request && m.takes_no_params());
        flaws.note(Flaw::NoParams, optional && has_id);
        return true;
    };
    let Some(members) = params.members() else {
        let null = params.is_null();
        let scalar = !null && params.elements().is_none();
        flaws.note(Flaw::NullParams, null);
        flaws.note(Flaw::ArrayParams, !null && !scalar);
        flaws.note(Flaw::ScalarParams, scalar && has_id);
        flaws.note(Flaw::ScalarParamsNoId, scalar && !has_id);
        return null || params.elements().is_some_and(|mut list| list.next().is_none());
    };
    let mut bare = true;
    for (name, value) in members {
        let known = method.is_some_and(|m| m.params.iter().any(|p| name.is(p.name)));
        if name.is("_meta") {
            let sound = value.is_null() || value.members().is_some();
            flaws.note(if sound { Flaw::Meta } else { Flaw::MalformedMeta }, method.is_some());
        } else {
            flaws.note(Flaw::UnknownParam, method.is_some() && !known);
            bare &= !known || value.is_null();
        }
    }
    bare
}

fn is_response(envelope: &Envelope<'_>) -> bool {
    let id = match envelope.id {
        Some(id) => {
            id.is_null() && envelope.error.is_some()
                || !matches!(Id::of(id), Id::Null | Id::Other(_))
        }
        None => false,
    };
    let error = envelope.error.is_none_or(|error| {
        let code = error.get("code").and_then(|c| c.as_number());
        code.is_some_and(|c| c.is_integral())
            && error.get("message").is_some_and(|m| m.as_string().is_some())
    });
    id && error && envelope.is_jsonrpc_2() && envelope.result.is_some() != envelope.error.is_some()
}

fn is_extreme(json: Json<'_>) -> bool {
    json.depth() > DEEP_LEVELS || json.has_lone_surrogate() || json.has_number_beyond_double()
}

fn is_lifecycle(call: &Call) -> bool {
    const NAMES: [&str; 6] = [
        "authenticate",
        "auth/login",
        "session/new",
        "session/load",
        "session/resume",
        "session/prompt",
    ];
    match call {
        Call::Initialize(_) => true,
        Call::Known(method) => NAMES.contains(&method.name),
        Call::Unknown(_) => false,
    }
}

fn read_call(name: Text<'_>, params: Option<Json<'_>>, version: Version) -> Call {
    if name.is("initialize") {
        return Call::Initialize(RequestedVersion::read(params));
    }
    if let Some(known) = methods(version).iter().find(|m| name.is(m.name)) {
        return Call::Known(known);
    }
    let other = Version::ALL.into_iter().flat_map(methods).any(|m| name.is(m.name));
    Call::Unknown(match () {
        () if other => Unknown::OtherVersion,
        () if CLIENT_METHODS.iter().any(|m| name.is(m)) => Unknown::ClientSide,
        () if name.is_empty() || name.starts_with("rpc.") => Unknown::Reserved,
        () if name.starts_with("$/") => Unknown::Dollar,
        () if name.starts_with("_") => Unknown::Custom,
        () => Unknown::Plain,
    })
}
