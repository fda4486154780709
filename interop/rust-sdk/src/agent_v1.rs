use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use agent_client_protocol::{
    Agent, Client, Error, HandleDispatchFrom, Result, on_receive_notification, on_receive_request,
    v1::{self, ConnectionTo, Responder, schema},
};

use crate::turn::let_others_go_first;

/// An agent for protocol version 1 that answers every prompt with one message.
///
/// Sessions live in memory: new, list, load, resume, close, delete, prompt and cancel.
pub fn agent_v1() -> v1::Builder<Agent, impl HandleDispatchFrom<Client>> {
    let agent = AgentV1::default();
    Agent
        .v1()
        .name("acp-interop-rust-sdk-v1")
        .on_receive_request(
            async |request: schema::InitializeRequest, responder: Responder<_>, _connection| {
                responder.respond(initialize(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, _connection| {
                    responder.respond_with_result(agent.new_session(request))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, _connection| {
                    responder.respond_with_result(agent.list_sessions(&request))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, connection| {
                    responder.respond_with_result(agent.load_session(&request, &connection))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, _connection| {
                    responder.respond_with_result(agent.resume_session(&request))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, _connection| {
                    responder.respond_with_result(agent.close_session(&request))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, _connection| {
                    responder.respond_with_result(agent.delete_session(&request))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder, connection| {
                    agent.prompt(request, responder, &connection)
                }
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: schema::CancelNotification, _connection| {
                agent.cancel(&request.session_id)
            },
            on_receive_notification!(),
        )
}

fn initialize(request: &schema::InitializeRequest) -> schema::InitializeResponse {
    let sessions = schema::SessionCapabilities::new()
        .list(schema::SessionListCapabilities::new())
        .resume(schema::SessionResumeCapabilities::new())
        .close(schema::SessionCloseCapabilities::new())
        .delete(schema::SessionDeleteCapabilities::new());
    schema::InitializeResponse::new(request.protocol_version)
        .agent_info(schema::Implementation::new(
            "acp-interop-rust-sdk-v1",
            env!("CARGO_PKG_VERSION"),
        ))
        .agent_capabilities(
            schema::AgentCapabilities::new().load_session(true).session_capabilities(sessions),
        )
}

#[derive(Clone, Default)]
struct AgentV1 {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    sessions: BTreeMap<String, Session>,
    sessions_made: u64,
    turns_begun: u64,
}

struct Session {
    cwd: PathBuf,
    active: bool,
    history: Vec<schema::SessionUpdate>,
    /// The prompts that are not answered yet, by turn.
    turns: BTreeMap<u64, Responder<schema::PromptResponse>>,
}

impl AgentV1 {
    fn new_session(
        &self,
        request: schema::NewSessionRequest,
    ) -> Result<schema::NewSessionResponse> {
        require_absolute(&request.cwd)?;
        require_stdio(&request.mcp_servers)?;
        let mut state = self.state();
        state.sessions_made += 1;
        let session_id = format!("session-{}", state.sessions_made);
        let session =
            Session { cwd: request.cwd, active: true, history: Vec::new(), turns: BTreeMap::new() };
        state.sessions.insert(session_id.clone(), session);
        Ok(schema::NewSessionResponse::new(session_id))
    }

    fn list_sessions(
        &self,
        request: &schema::ListSessionsRequest,
    ) -> Result<schema::ListSessionsResponse> {
        if request.cursor.is_some() {
            return Err(invalid_params("there is one page only"));
        }
        if let Some(cwd) = &request.cwd {
            require_absolute(cwd)?;
        }
        let sessions = self
            .state()
            .sessions
            .iter()
            .filter(|(_, session)| request.cwd.as_ref().is_none_or(|cwd| *cwd == session.cwd))
            .map(|(id, session)| schema::SessionInfo::new(id.clone(), session.cwd.clone()))
            .collect::<Vec<_>>();
        Ok(schema::ListSessionsResponse::new(sessions))
    }

    fn load_session(
        &self,
        request: &schema::LoadSessionRequest,
        connection: &ConnectionTo<Client>,
    ) -> Result<schema::LoadSessionResponse> {
        require_absolute(&request.cwd)?;
        require_stdio(&request.mcp_servers)?;
        let mut state = self.state();
        let session = state.known(&request.session_id)?;
        for update in &session.history {
            send_update(connection, &request.session_id, update.clone())?;
        }
        session.active = true;
        Ok(schema::LoadSessionResponse::new())
    }

    fn resume_session(
        &self,
        request: &schema::ResumeSessionRequest,
    ) -> Result<schema::ResumeSessionResponse> {
        require_absolute(&request.cwd)?;
        require_stdio(&request.mcp_servers)?;
        self.state().known(&request.session_id)?.active = true;
        Ok(schema::ResumeSessionResponse::new())
    }

    fn close_session(
        &self,
        request: &schema::CloseSessionRequest,
    ) -> Result<schema::CloseSessionResponse> {
        let mut state = self.state();
        let session = state.active(&request.session_id)?;
        session.cancel()?;
        session.active = false;
        Ok(schema::CloseSessionResponse::new())
    }

    fn delete_session(
        &self,
        request: &schema::DeleteSessionRequest,
    ) -> Result<schema::DeleteSessionResponse> {
        let removed = self.state().sessions.remove(request.session_id.0.as_ref());
        if let Some(mut session) = removed {
            session.cancel()?;
        }
        Ok(schema::DeleteSessionResponse::new())
    }

    fn prompt(
        &self,
        request: schema::PromptRequest,
        responder: Responder<schema::PromptResponse>,
        connection: &ConnectionTo<Client>,
    ) -> Result<()> {
        let mut state = self.state();
        state.turns_begun += 1;
        let turn = state.turns_begun;
        let session = match state.active(&request.session_id) {
            Ok(session) => session,
            Err(error) => return responder.respond_with_error(error),
        };
        if let Err(error) = require_baseline(&request.prompt) {
            return responder.respond_with_error(error);
        }
        for block in request.prompt {
            let chunk = schema::ContentChunk::new(block);
            session.history.push(schema::SessionUpdate::UserMessageChunk(chunk));
        }
        let answer = schema::ContentChunk::new("done".into());
        let update = schema::SessionUpdate::AgentMessageChunk(answer);
        session.history.push(update.clone());
        send_update(connection, &request.session_id, update)?;
        session.turns.insert(turn, responder);

        let agent = self.clone();
        connection.spawn(async move {
            let_others_go_first().await;
            agent.end_turn(&request.session_id, turn)
        })
    }

    fn end_turn(&self, session_id: &schema::SessionId, turn: u64) -> Result<()> {
        let mut state = self.state();
        let responder = state
            .sessions
            .get_mut(session_id.0.as_ref())
            .and_then(|session| session.turns.remove(&turn));
        match responder {
            Some(responder) => {
                responder.respond(schema::PromptResponse::new(schema::StopReason::EndTurn))
            }
            None => Ok(()), // cancelled, and answered then
        }
    }

    fn cancel(&self, session_id: &schema::SessionId) -> Result<()> {
        match self.state().active(session_id) {
            Ok(session) => session.cancel(),
            Err(_) => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a handler panicked")
    }
}

impl State {
    fn known(&mut self, session_id: &schema::SessionId) -> Result<&mut Session> {
        self.sessions
            .get_mut(session_id.0.as_ref())
            .ok_or_else(|| schema::Error::session_not_found(session_id.clone()).into())
    }

    fn active(&mut self, session_id: &schema::SessionId) -> Result<&mut Session> {
        let session = self.known(session_id)?;
        if session.active {
            Ok(session)
        } else {
            Err(schema::Error::session_not_found(session_id.clone()).into())
        }
    }
}

impl Session {
    fn cancel(&mut self) -> Result<()> {
        for (_, responder) in std::mem::take(&mut self.turns) {
            responder.respond(schema::PromptResponse::new(schema::StopReason::Cancelled))?;
        }
        Ok(())
    }
}

fn send_update(
    connection: &ConnectionTo<Client>,
    session_id: &schema::SessionId,
    update: schema::SessionUpdate,
) -> Result<()> {
    connection.send_notification(schema::SessionNotification::new(session_id.clone(), update))
}

fn require_absolute(path: &Path) -> Result<()> {
    if path.is_absolute() { Ok(()) } else { Err(invalid_params("the path is not absolute")) }
}

/// Only stdio servers may be sent unasked; no other transport is advertised.
fn require_stdio(servers: &[schema::McpServer]) -> Result<()> {
    let stdio = |server: &schema::McpServer| matches!(server, schema::McpServer::Stdio(_));
    if servers.iter().all(stdio) {
        Ok(())
    } else {
        Err(invalid_params("this MCP transport is not advertised"))
    }
}

/// Text and links may be sent unasked; no other content is advertised.
fn require_baseline(prompt: &[schema::ContentBlock]) -> Result<()> {
    use schema::ContentBlock::{ResourceLink, Text};
    if prompt.iter().all(|block| matches!(block, Text(_) | ResourceLink(_))) {
        Ok(())
    } else {
        Err(invalid_params("this content is not advertised"))
    }
}

fn invalid_params(reason: &str) -> Error {
    Error::invalid_params().data(reason)
}
