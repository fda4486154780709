use std::{
    collections::{BTreeMap, VecDeque},
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
};

use agent_client_protocol::{
    Agent, Client, Error, HandleDispatchFrom, Result, on_receive_notification, on_receive_request,
    v2::{self, ConnectionTo, Responder, schema},
};

use crate::turn::let_others_go_first;

/// An agent for protocol version 2 that answers every prompt with one message.
///
/// Sessions live in memory: new, list, resume, close, delete, prompt and cancel. A
/// prompt that meets running work is held until that work ends.
pub fn agent_v2() -> v2::Builder<Agent, impl HandleDispatchFrom<Client>> {
    let agent = AgentV2::default();
    Agent
        .v2()
        .name("acp-interop-rust-sdk-v2")
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
                    responder.respond_with_result(agent.resume_session(&request, &connection))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, connection| {
                    responder.respond_with_result(agent.close_session(&request, &connection))
                }
            },
            on_receive_request!(),
        )
        .on_receive_request(
            {
                let agent = agent.clone();
                async move |request, responder: Responder<_>, connection| {
                    responder.respond_with_result(agent.delete_session(&request, &connection))
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
            async move |request: schema::CancelSessionNotification, connection| {
                agent.cancel(&request.session_id, &connection)
            },
            on_receive_notification!(),
        )
}

fn initialize(request: &schema::InitializeRequest) -> schema::InitializeResponse {
    let sessions =
        schema::SessionCapabilities::new().delete(schema::SessionDeleteCapabilities::new());
    schema::InitializeResponse::new(
        request.protocol_version,
        schema::Implementation::new("acp-interop-rust-sdk-v2", env!("CARGO_PKG_VERSION")),
    )
    .capabilities(schema::AgentCapabilities::new().session(sessions))
}

#[derive(Clone, Default)]
struct AgentV2 {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    sessions: BTreeMap<String, Session>,
    sessions_made: u64,
    messages_made: u64,
    turns_begun: u64,
}

struct Session {
    cwd: schema::AbsolutePath,
    active: bool,
    history: Vec<schema::SessionUpdate>,
    running_turn: Option<u64>,
    held: VecDeque<Prompt>,
}

struct Prompt {
    request: schema::PromptRequest,
    responder: Responder<schema::PromptResponse>,
}

impl AgentV2 {
    fn new_session(
        &self,
        request: schema::NewSessionRequest,
    ) -> Result<schema::NewSessionResponse> {
        require_absolute(&request.cwd)?;
        require_none(&request.mcp_servers)?;
        let mut state = self.state();
        state.sessions_made += 1;
        let session_id = format!("session-{}", state.sessions_made);
        let session = Session {
            cwd: request.cwd,
            active: true,
            history: Vec::new(),
            running_turn: None,
            held: VecDeque::new(),
        };
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

    fn resume_session(
        &self,
        request: &schema::ResumeSessionRequest,
        connection: &ConnectionTo<Client>,
    ) -> Result<schema::ResumeSessionResponse> {
        require_absolute(&request.cwd)?;
        require_none(&request.mcp_servers)?;
        let mut state = self.state();
        let session = state.known(&request.session_id)?;
        let replayed = match &request.replay_from {
            None => &[],
            Some(schema::ReplayFrom::Start(_)) => session.history.as_slice(),
            Some(_) => return Err(invalid_params("this replay is not supported")),
        };
        for update in replayed {
            send_update(connection, &request.session_id, update.clone())?;
        }
        session.active = true;
        let now = match session.running_turn {
            Some(_) => running(),
            None => schema::StateUpdate::Idle(schema::IdleStateUpdate::new()),
        };
        send_state(connection, &request.session_id, now)?;
        Ok(schema::ResumeSessionResponse::new())
    }

    fn close_session(
        &self,
        request: &schema::CloseSessionRequest,
        connection: &ConnectionTo<Client>,
    ) -> Result<schema::CloseSessionResponse> {
        let mut state = self.state();
        let session = state.active(&request.session_id)?;
        session.cancel(&request.session_id, connection)?;
        session.active = false;
        Ok(schema::CloseSessionResponse::new())
    }

    fn delete_session(
        &self,
        request: &schema::DeleteSessionRequest,
        connection: &ConnectionTo<Client>,
    ) -> Result<schema::DeleteSessionResponse> {
        let removed = self.state().sessions.remove(request.session_id.0.as_ref());
        if let Some(mut session) = removed {
            session.cancel(&request.session_id, connection)?;
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
        let session = match state.active(&request.session_id) {
            Ok(session) => session,
            Err(error) => return responder.respond_with_error(error),
        };
        if let Err(error) = require_baseline(&request.prompt) {
            return responder.respond_with_error(error);
        }
        let prompt = Prompt { request, responder };
        if session.running_turn.is_some() {
            session.held.push_back(prompt);
            return Ok(());
        }
        self.begin_turn(&mut state, prompt, connection)
    }

    fn begin_turn(
        &self,
        state: &mut State,
        prompt: Prompt,
        connection: &ConnectionTo<Client>,
    ) -> Result<()> {
        state.turns_begun += 1;
        let turn = state.turns_begun;
        let message_id = state.next_message_id();
        let session_id = prompt.request.session_id;
        let session = state.known(&session_id)?;
        session.running_turn = Some(turn);
        prompt.responder.respond(schema::PromptResponse::new(message_id.clone()))?;
        let message = schema::UserMessage::new(message_id).content(prompt.request.prompt);
        let update = schema::SessionUpdate::UserMessage(message);
        session.history.push(update.clone());
        send_update(connection, &session_id, update)?;
        send_state(connection, &session_id, running())?;

        let agent = self.clone();
        let client = connection.clone();
        connection.spawn(async move {
            let_others_go_first().await;
            agent.end_turn(&session_id, turn, &client)
        })
    }

    fn end_turn(
        &self,
        session_id: &schema::SessionId,
        turn: u64,
        connection: &ConnectionTo<Client>,
    ) -> Result<()> {
        let mut state = self.state();
        let message_id = state.next_message_id();
        let Ok(session) = state.active(session_id) else {
            return Ok(()); // closed or deleted, and cancelled then
        };
        if session.running_turn != Some(turn) {
            return Ok(()); // cancelled, and said then
        }
        let message = schema::AgentMessage::new(message_id).content(vec!["done".into()]);
        let update = schema::SessionUpdate::AgentMessage(message);
        session.history.push(update.clone());
        send_update(connection, session_id, update)?;
        session.running_turn = None;
        send_state(connection, session_id, idle(schema::StopReason::EndTurn))?;
        match session.held.pop_front() {
            Some(prompt) => self.begin_turn(&mut state, prompt, connection),
            None => Ok(()),
        }
    }

    fn cancel(
        &self,
        session_id: &schema::SessionId,
        connection: &ConnectionTo<Client>,
    ) -> Result<()> {
        match self.state().active(session_id) {
            Ok(session) => session.cancel(session_id, connection),
            Err(_) => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a handler panicked")
    }
}

impl State {
    fn next_message_id(&mut self) -> schema::MessageId {
        self.messages_made += 1;
        schema::MessageId::new(format!("message-{}", self.messages_made))
    }

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
    fn cancel(
        &mut self,
        session_id: &schema::SessionId,
        connection: &ConnectionTo<Client>,
    ) -> Result<()> {
        for prompt in self.held.drain(..) {
            prompt.responder.respond_with_error(Error::request_cancelled())?;
        }
        match self.running_turn.take() {
            Some(_) => send_state(connection, session_id, idle(schema::StopReason::Cancelled)),
            None => Ok(()),
        }
    }
}

fn running() -> schema::StateUpdate {
    schema::StateUpdate::Running(schema::RunningStateUpdate::new())
}

fn idle(reason: schema::StopReason) -> schema::StateUpdate {
    schema::StateUpdate::Idle(schema::IdleStateUpdate::new().stop_reason(reason))
}

fn send_state(
    connection: &ConnectionTo<Client>,
    session_id: &schema::SessionId,
    state: schema::StateUpdate,
) -> Result<()> {
    send_update(connection, session_id, schema::SessionUpdate::StateUpdate(state))
}

fn send_update(
    connection: &ConnectionTo<Client>,
    session_id: &schema::SessionId,
    update: schema::SessionUpdate,
) -> Result<()> {
    connection.send_notification(schema::UpdateSessionNotification::new(session_id.clone(), update))
}

fn require_absolute(path: &schema::AbsolutePath) -> Result<()> {
    if AsRef::<Path>::as_ref(path).is_absolute() {
        Ok(())
    } else {
        Err(invalid_params("the path is not absolute"))
    }
}

/// No MCP transport is advertised.
fn require_none(servers: &[schema::McpServer]) -> Result<()> {
    if servers.is_empty() {
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
