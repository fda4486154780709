use super::output::Failure;
use super::{Agent, Fault, Flow};
use crate::spec::{Code, Kind, Version, method};
use crate::wire::{Envelope, Json, Message, NotJson, parse, read_message};

fn object<'a>(json: &Json<'a>) -> Option<Envelope<'a>> {
    Envelope::read(*json)
}

/// How deep `deep-nesting-ends-agent` still reads.
const SHALLOW_LEVELS: usize = 500;
/// How long a line `long-line-unanswered` still reads.
const SHORT_LINE_BYTES: usize = 1 << 16;

impl Agent {
    pub(super) fn take(&mut self, line: &[u8]) -> Flow {
        if self.deaf || self.has(Fault::LongLineUnanswered) && line.len() > SHORT_LINE_BYTES {
            return Flow::Continue;
        }
        if self.has(Fault::PrettyPrintedAssembled) {
            self.held.extend_from_slice(line);
            if let Err(NotJson::Unfinished { in_string: false, .. }) = parse(&self.held) {
                return Flow::Continue;
            }
            let whole = std::mem::take(&mut self.held);
            return self.text(&whole);
        }
        self.text(line)
    }

    fn text(&mut self, line: &[u8]) -> Flow {
        let message = match read_message(line) {
            Err(error) => return self.not_json(error, line),
            Ok(message) => message,
        };
        let padded = message.json().text().len() != line.len();
        if padded && self.has(Fault::CarriageReturnRefused) {
            self.out.refuse(Code::ParseError);
            return Flow::Continue;
        }
        match message {
            Message::Scalar(_) => self.scalar(),
            Message::Array(json) => self.array(json),
            Message::Object(_, json)
                if self.has(Fault::DeepNestingEndsAgent) && json.depth() > SHALLOW_LEVELS =>
            {
                Flow::Exit(134)
            }
            Message::Object(envelope, _) => {
                self.object(&envelope);
                Flow::Continue
            }
        }
    }

    fn not_json(&mut self, error: NotJson, line: &[u8]) -> Flow {
        let array = crate::wire::opens_array(line);
        match error {
            NotJson::NotUtf8 { .. } if self.has(Fault::InvalidUtf8EndsAgent) => {
                return Flow::Exit(1);
            }
            NotJson::Trailing { at } if self.has(Fault::TrailingTextIgnored) => {
                return self.text(&line[..at]);
            }
            _ => {}
        }
        self.malformed();
        let plain = matches!(error, NotJson::Syntax { .. } | NotJson::Unfinished { .. }) && !array;
        match () {
            () if error == NotJson::Blank => {}
            () if plain && self.has(Fault::ParseErrorEndsAgent) => return Flow::Exit(0),
            () if plain && self.has(Fault::ParseErrorUnanswered) => {}
            () if plain && self.has(Fault::ParseErrorAsInvalidRequest) => {
                self.out.refuse(Code::InvalidRequest);
            }
            () if array && self.has(Fault::BrokenBatchAsInvalidRequest) => {
                self.out.refuse(Code::InvalidRequest);
            }
            () => self.out.refuse(Code::ParseError),
        }
        Flow::Continue
    }

    fn malformed(&mut self) {
        if self.has(Fault::MalformedMessageInitializes) && self.negotiated.is_none() {
            self.negotiated = self.setup.speaks.last().copied();
        }
    }

    fn scalar(&mut self) -> Flow {
        self.malformed();
        match () {
            () if self.has(Fault::ScalarEndsAgent) => return Flow::Exit(1),
            () if self.has(Fault::ScalarUnanswered) => {}
            () if self.has(Fault::ScalarAsParseError) => self.out.refuse(Code::ParseError),
            () => self.out.refuse(Code::InvalidRequest),
        }
        Flow::Continue
    }

    /// Batches are refused as a whole, as the official SDKs do: one -32600, nothing executed.
    fn array(&mut self, json: Json<'_>) -> Flow {
        let entries: Vec<Json<'_>> = json.elements().into_iter().flatten().collect();
        self.deaf = self.has(Fault::BatchStopsServing);

        let request =
            |e: &Json<'_>| object(e).is_some_and(|e| e.method.is_some() && e.id.is_some());
        let all = |wanted: &dyn Fn(&Envelope<'_>) -> bool| {
            !entries.is_empty() && entries.iter().all(|e| object(e).is_some_and(|e| wanted(&e)))
        };
        let nested = entries.iter().any(|e| e.elements().is_some());
        let mixed = entries.iter().any(request) && !entries.iter().all(request);
        match () {
            () if entries.is_empty() && self.has(Fault::EmptyBatchAnsweredWithArray) => {
                self.out.line("[]");
            }
            () if nested && self.has(Fault::NestedBatchUnanswered) => {}
            () if self.has(Fault::BatchUnanswered) && entries.iter().any(request) => {}
            () if self.has(Fault::BatchAnsweredLineByLine) && entries.iter().any(request) => {
                entries.iter().filter_map(object).for_each(|e| self.object(&e));
            }
            () if mixed && self.has(Fault::BatchEntryDropped) => {
                self.out.begin_batch();
                let requests = entries.iter().filter(|e| request(e)).filter_map(object);
                requests.for_each(|e| self.object(&e));
                self.out.end_batch();
            }
            () if all(&|e| e.method.is_some() && e.id.is_none())
                && self.has(Fault::NotificationBatchAnswered) =>
            {
                self.out.line("[]");
            }
            () if all(&|e| e.method.is_none() && (e.result.is_some() || e.error.is_some()))
                && self.has(Fault::ResponseBatchAnswered) =>
            {
                self.out.refuse(Code::InternalError);
            }
            () => self.out.refuse(Code::InvalidRequest),
        }
        Flow::Continue
    }

    fn object(&mut self, envelope: &Envelope<'_>) {
        let answers = envelope.result.is_some() || envelope.error.is_some();
        if envelope.method.is_none() && answers {
            return self.response(envelope);
        }
        let id = envelope.id.map(|id| id.text());
        let name = envelope.method.and_then(|m| m.as_string());
        let params = envelope.params;
        let scalar =
            params.is_some_and(|p| !p.is_null() && p.elements().is_none() && p.members().is_none());
        let versioned = envelope.is_jsonrpc_2() || self.has(Fault::JsonrpcUnchecked);
        let sound = name.is_some() && versioned && !answers && self.is_legal(envelope.id);
        match (name.and_then(|n| n.to_str()), id) {
            (Some(name), _) if sound && !scalar => self.message(&name, id, params),
            (Some(name), Some(_)) if sound && self.has(Fault::ScalarParamsServed) => {
                let result = if name == "initialize" { None } else { Some("{}".to_owned()) };
                let refused = Failure::from(Code::InvalidRequest);
                self.out.answer(id.unwrap_or("null"), result.ok_or(refused));
            }
            (Some(_), None) if sound && self.has(Fault::ScalarParamsWithoutIdAnswered) => {
                self.out.refuse(Code::InvalidParams);
            }
            _ => self.invalid(envelope),
        }
    }

    fn invalid(&mut self, envelope: &Envelope<'_>) {
        self.malformed();
        let (has_id, has_method) = (envelope.id.is_some(), envelope.method.is_some());
        let named = envelope.method.is_some_and(|m| m.as_string().is_some());
        let code = if !has_id && !has_method && self.has(Fault::EmptyObjectAsParseError) {
            Code::ParseError
        } else {
            Code::InvalidRequest
        };
        let silent = has_id && !named && self.has(Fault::MissingMethodUnanswered)
            || !has_id && has_method && !named && self.has(Fault::InvalidTakenForNotification);
        if !silent {
            self.out.refuse(code);
        }
    }

    /// The agent asks its client for nothing, so every response is one that it never asked for.
    fn response(&mut self, envelope: &Envelope<'_>) {
        let both = envelope.result.is_some() && envelope.error.is_some();
        let malformed = both || envelope.id.is_none() || !envelope.is_jsonrpc_2();
        let id = envelope.id.map_or("null", |id| id.text());
        if !malformed && self.has(Fault::UnknownResponseAnswered)
            || malformed && self.has(Fault::MalformedResponseAnswered)
        {
            self.out.answer(id, Err(Code::InvalidRequest.into()));
        }
    }

    fn is_legal(&self, id: Option<Json<'_>>) -> bool {
        let Some(id) = id else { return true };
        if let Some(number) = id.as_number() {
            let whole = !number.has_fraction_or_exponent() && number.fits_i64();
            return whole
                || self.has(Fault::FractionalIdTruncated)
                || self.has(Fault::HugeIdRounded) && number.is_integral();
        }
        id.as_string().is_some()
            || id.is_null() && self.negotiating() == Version::V1
            || id.is_null() && self.has(Fault::NullIdTakenForNotification)
            || !id.is_null() && self.has(Fault::IllegalIdServed)
    }

    /// The version in force, or before initialization the highest that is spoken.
    pub(super) fn negotiating(&self) -> Version {
        self.negotiated.or(self.setup.speaks.last().copied()).unwrap_or(Version::V2)
    }

    /// A sound request or notification.
    fn message(&mut self, name: &str, id: Option<&str>, params: Option<Json<'_>>) {
        let id = match id {
            Some("null") if self.has(Fault::NullIdTakenForNotification) => None,
            Some(r#""""#) if self.has(Fault::EmptyIdUnanswered) => None,
            id => id,
        };
        let known = method(self.negotiating(), name);
        let Some(id) = id else { return self.notification(name, params) };
        if self.has(Fault::ReusedIdUnanswered) {
            if self.answered.iter().any(|a| a == id) {
                return;
            }
            self.answered.push(id.to_owned());
        }
        if self.negotiated.is_none()
            && name != "initialize"
            && self.has(Fault::EarlyRequestUnanswered)
        {
            return;
        }
        let notification = known.is_some_and(|m| m.kind == Kind::Notification);
        let dollar = name.starts_with("$/") && !notification;
        if notification && self.has(Fault::NotificationWithIdUnanswered)
            || dollar && self.has(Fault::DollarRequestUnanswered)
        {
            return;
        }
        let outcome = self.request(name, params);
        let unknown = matches!(&outcome, Err(f) if f.code == Code::MethodNotFound.number());
        if unknown && self.has(Fault::UnknownMethodUnanswered) {
            return;
        }
        if unknown && self.has(Fault::ResponseTwice) {
            self.out.answer(id, outcome.clone());
        }
        self.out.answer(id, outcome);
    }

    fn notification(&mut self, name: &str, params: Option<Json<'_>>) {
        let known = method(self.negotiating(), name);
        let is_request = known.is_some_and(|m| m.kind == Kind::Request);
        let empty = || Ok("{}".to_owned());
        if self.negotiated.is_none() && self.has(Fault::EarlyNotificationAnswered) {
            self.out.refuse(Code::InvalidRequest);
        } else if name == "session/cancel" && self.has(Fault::CancelAnswered) {
            self.out.answer("null", empty());
        } else if known.is_none() && self.has(Fault::UnknownNotificationAnswered) {
            self.out.refuse(Code::MethodNotFound);
        } else if is_request
            && name != "initialize"
            && self.has(Fault::RequestAsNotificationAnswered)
        {
            self.out.answer("null", empty());
        } else if name == "initialize" {
            if self.has(Fault::InitializeNotificationInitializes) {
                let _ = self.initialize(params);
            } else if self.has(Fault::InitializeNotificationAnswered) {
                let before = self.clone();
                let outcome = self.initialize(params);
                *self = before;
                self.out.answer("null", outcome);
            }
        }
    }
}
