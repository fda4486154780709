use super::output::Failure;
use super::{Agent, Fault, Session};
use crate::spec::{
    CLIENT_METHODS, Capability, Code, Kind, Method, Strictness, Type, Version, method, methods,
};
use crate::wire::Json;

/// What the agent advertises in both versions.
const ADVERTISED: [Capability; 6] = [
    Capability::Session,
    Capability::List,
    Capability::Resume,
    Capability::Close,
    Capability::Delete,
    Capability::Load,
];

impl Agent {
    /// Answers one request.
    pub(super) fn request(
        &mut self,
        name: &str,
        params: Option<Json<'_>>,
    ) -> Result<String, Failure> {
        if name == "initialize" {
            return self.initialize(params);
        }
        if self.negotiated.is_none() && !self.has(Fault::ServedBeforeInitialize) {
            return Err(Code::InvalidRequest.into());
        }
        self.ready = self.negotiated.is_some();
        if params.is_some_and(|p| p.elements().is_some()) && self.has(Fault::ArrayParamsFail) {
            return Err(Code::InternalError.into());
        }
        let version = self.negotiating();
        let method = method(version, name)
            .filter(|m| m.kind == Kind::Request)
            .filter(|m| m.gate.is_none_or(|gate| ADVERTISED.contains(&gate)));
        let Some(method) = method else { return self.unknown(name, version) };
        self.check_params(method, params)?;
        self.serve(method.name, params)
    }

    fn unknown(&self, name: &str, version: Version) -> Result<String, Failure> {
        let other = Version::ALL.into_iter().filter(|v| *v != version);
        let of_other =
            other.flat_map(methods).any(|m| m.name == name) && method(version, name).is_none();
        let served = self.has(Fault::ReservedMethodServed) && name.starts_with("rpc.")
            || self.has(Fault::ClientMethodServed) && CLIENT_METHODS.contains(&name)
            || self.has(Fault::OtherVersionServed) && of_other;
        match served {
            true => Ok("{}".to_owned()),
            false if self.has(Fault::ReservedCode) => {
                Err(Failure { code: -32050, message: "No such method", data: None })
            }
            false => Err(Code::MethodNotFound.into()),
        }
    }

    fn check_params(&self, method: &Method, params: Option<Json<'_>>) -> Result<(), Failure> {
        let params = params.filter(|p| !p.is_null());
        let invalid = || Err(Code::InvalidParams.into());
        if params.is_none() && self.has(Fault::AbsentParamsRefused) {
            return invalid();
        }
        if params.is_some_and(|p| p.members().is_none()) {
            return invalid();
        }
        for param in method.params {
            let value = params.and_then(|p| p.get(param.name));
            let ok = match value {
                None => !param.required,
                Some(value) if value.is_null() && !param.required => true,
                // v1: an explicit null list of servers is an empty one.
                Some(value) if value.is_null() && param.of == Type::Array => {
                    param.name == "mcpServers"
                }
                Some(value) => param.strictness == Strictness::Lenient || is_of(value, param.of),
            };
            if !ok {
                return invalid();
            }
        }
        let known = |name: &str| name == "_meta" || method.params.iter().any(|p| p.name == name);
        let mut members = params.and_then(|p| p.members()).into_iter().flatten();
        let unknown = members.any(|(name, _)| !name.to_str().is_some_and(|n| known(&n)));
        if unknown && self.has(Fault::UnknownParamRefused) {
            return invalid();
        }
        Ok(())
    }

    fn serve(&mut self, name: &str, params: Option<Json<'_>>) -> Result<String, Failure> {
        let text = |name| {
            let value = params.and_then(|p: Json<'_>| p.get(name)).and_then(|v| v.as_string());
            value.and_then(|t| t.to_str()).map(|t| t.into_owned())
        };
        let empty = || Ok("{}".to_owned());
        match name {
            "session/new" => {
                self.sessions_made += 1;
                let id = format!("session-{}", self.sessions_made);
                let cwd = text("cwd").unwrap_or_default();
                self.sessions.insert(id.clone(), Session { cwd, active: true, messages: 0 });
                Ok(format!(r#"{{"sessionId":"{id}"}}"#))
            }
            "session/list" => self.list(text("cwd"), text("cursor")),
            "session/delete" => {
                self.sessions.remove(&text("sessionId").unwrap_or_default());
                empty()
            }
            "session/load" | "session/resume" => {
                self.session(params)?.active = true;
                empty()
            }
            "session/close" => {
                self.active(params)?.active = false;
                empty()
            }
            "session/prompt" => self.prompt(params),
            "tool_call/cancel" | "terminal/cancel" => {
                self.session(params)?;
                Err(Code::InvalidParams.into())
            }
            // No login methods, modes or config options are offered.
            "authenticate" => Err(Code::InvalidParams.into()),
            _ => Err(Code::MethodNotFound.into()),
        }
    }

    fn list(&self, cwd: Option<String>, cursor: Option<String>) -> Result<String, Failure> {
        if cursor.is_some() {
            return Err(Code::InvalidParams.into()); // one page holds all, so none was issued
        }
        let shown = self.sessions.iter().filter(|(_, s)| cwd.as_ref().is_none_or(|c| *c == s.cwd));
        let entries: Vec<String> = shown
            .map(|(id, s)| format!(r#"{{"sessionId":"{id}","cwd":{}}}"#, quoted(&s.cwd)))
            .collect();
        Ok(format!(r#"{{"sessions":[{}]}}"#, entries.join(",")))
    }

    fn prompt(&mut self, params: Option<Json<'_>>) -> Result<String, Failure> {
        let session = self.active(params)?;
        session.messages += 1;
        let message = session.messages;
        let id = params.and_then(|p| p.get("sessionId")).map_or("null", |id| id.text()).to_owned();
        let update = |update: String| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":{id},"update":{update}}}}}"#
            )
        };
        let said = r#"{"type":"text","text":"done"}"#;
        if self.negotiating() == Version::V1 {
            let chunk = format!(r#"{{"sessionUpdate":"agent_message_chunk","content":{said}}}"#);
            self.out.line(&update(chunk));
            return Ok(r#"{"stopReason":"end_turn"}"#.to_owned());
        }
        let state = |state: &str, more: &str| {
            format!(r#"{{"sessionUpdate":"state_update","state":"{state}"{more}}}"#)
        };
        let user = format!(
            r#"{{"sessionUpdate":"user_message","messageId":"user-{message}","content":[]}}"#
        );
        let agent = format!(
            r#"{{"sessionUpdate":"agent_message","messageId":"agent-{message}","content":[{said}]}}"#
        );
        let idle = state("idle", r#","stopReason":"end_turn""#);
        for line in [user, state("running", ""), agent, idle] {
            self.out.line(&update(line));
        }
        Ok(format!(r#"{{"messageId":"user-{message}"}}"#))
    }

    fn session(&mut self, params: Option<Json<'_>>) -> Result<&mut Session, Failure> {
        let id = params.and_then(|p| p.get("sessionId"));
        let name = id.and_then(|id| id.as_string()).and_then(|t| t.to_str());
        match name.and_then(|name| self.sessions.get_mut(&*name)) {
            Some(session) => Ok(session),
            None => Err(not_found(id)),
        }
    }

    fn active(&mut self, params: Option<Json<'_>>) -> Result<&mut Session, Failure> {
        let session = self.session(params)?;
        if session.active {
            return Ok(session);
        }
        Err(not_found(params.and_then(|p| p.get("sessionId"))))
    }
}

fn not_found(id: Option<Json<'_>>) -> Failure {
    let data = id.map(|id| format!(r#"{{"sessionId":{}}}"#, id.text()));
    Failure { data, ..Code::ResourceNotFound.into() }
}

fn is_of(value: Json<'_>, of: Type) -> bool {
    match of {
        Type::String => value.as_string().is_some(),
        Type::Path => value.as_string().is_some_and(|text| text.starts_with("/")),
        Type::U16 => value.as_number().is_some_and(|n| n.as_u16().is_some()),
        Type::Array => value.elements().is_some(),
        Type::Paths => {
            value.elements().is_some_and(|mut paths| paths.all(|path| is_of(path, Type::Path)))
        }
        Type::Object => value.members().is_some(),
        Type::Any => true,
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
