"""An agent for protocol version 1 on the Python SDK that answers every prompt with
one message. It does the least the SDK asks for: what is wrong on the wire is the SDK's.
"""

import asyncio
import os.path

from acp import PROTOCOL_VERSION, Agent, RequestError, run_agent, update_agent_message_text
from acp.helpers import update_user_message
from acp.schema import (
    AgentCapabilities,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    McpServerStdio,
    NewSessionResponse,
    PromptResponse,
    SessionCapabilities,
    SessionInfo,
    SessionListCapabilities,
)


class Session:
    def __init__(self, cwd):
        self.cwd = cwd
        self.history = []
        self.cancels = 0


class InteropAgent(Agent):
    """What is not overridden here is what the SDK's `Agent` does by itself."""

    def __init__(self):
        self.sessions = {}
        self.sessions_made = 0

    def on_connect(self, conn):
        self.client = conn

    async def initialize(self, protocol_version, **_):
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_info=Implementation(name="acp-interop-python-sdk", version="0.1.0"),
            agent_capabilities=AgentCapabilities(
                load_session=True,
                session_capabilities=SessionCapabilities(list=SessionListCapabilities()),
            ),
        )

    async def new_session(self, cwd, mcp_servers=None, **_):
        require_absolute(cwd)
        require_stdio(mcp_servers)
        self.sessions_made += 1
        session_id = f"session-{self.sessions_made}"
        self.sessions[session_id] = Session(cwd)
        return NewSessionResponse(session_id=session_id)

    async def list_sessions(self, cwd=None, cursor=None, **_):
        if cursor is not None:
            raise RequestError.invalid_params({"reason": "there is one page only"})
        if cwd is not None:
            require_absolute(cwd)
        listed = [
            SessionInfo(session_id=session_id, cwd=session.cwd)
            for session_id, session in self.sessions.items()
            if cwd is None or cwd == session.cwd
        ]
        return ListSessionsResponse(sessions=listed)

    async def load_session(self, cwd, session_id, mcp_servers=None, **_):
        require_absolute(cwd)
        require_stdio(mcp_servers)
        for update in self.known(session_id).history:
            await self.client.session_update(session_id, update)
        return LoadSessionResponse()

    async def prompt(self, session_id, prompt, **_):
        session = self.known(session_id)
        require_baseline(prompt)
        cancels = session.cancels
        message = update_agent_message_text("done")
        session.history.extend(update_user_message(block) for block in prompt)
        session.history.append(message)
        await self.client.session_update(session_id, message)
        await asyncio.sleep(0)  # without it no prompt could ever be cancelled
        reason = "end_turn" if session.cancels == cancels else "cancelled"
        return PromptResponse(stop_reason=reason)

    async def cancel(self, session_id, **_):
        if session_id in self.sessions:
            self.sessions[session_id].cancels += 1

    def known(self, session_id):
        if session_id not in self.sessions:
            raise RequestError(-32002, "Resource not found", {"sessionId": session_id})
        return self.sessions[session_id]


def require_absolute(path):
    if not os.path.isabs(path):
        raise RequestError.invalid_params({"reason": "the path is not absolute"})


def require_stdio(servers):
    """Only stdio servers may be sent unasked; no other transport is advertised."""
    if not all(isinstance(server, McpServerStdio) for server in servers or []):
        raise RequestError.invalid_params({"reason": "this MCP transport is not advertised"})


def require_baseline(prompt):
    """Text and links may be sent unasked; no other content is advertised."""
    if not all(block.type in ("text", "resource_link") for block in prompt):
        raise RequestError.invalid_params({"reason": "this content is not advertised"})


if __name__ == "__main__":
    asyncio.run(run_agent(InteropAgent()))
