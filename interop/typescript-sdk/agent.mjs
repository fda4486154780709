// An agent for protocol version 1 on the TypeScript SDK that answers every prompt with
// one message. It does the least the SDK asks for: what is wrong on the wire is the SDK's.

import { isAbsolute } from "node:path";
import { Readable, Writable } from "node:stream";
import { setImmediate as letOthersGoFirst } from "node:timers/promises";

import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";

const sessions = new Map();
let sessionsMade = 0;

function known(sessionId) {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.sessionNotFound(sessionId);
  return session;
}

function active(sessionId) {
  const session = known(sessionId);
  if (!session.active) throw RequestError.sessionNotFound(sessionId);
  return session;
}

// Every turn that began before ends as cancelled.
function cancelTurns(session) {
  session.cancels += 1;
}

function requireAbsolute(path) {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ reason: "the path is not absolute" });
}

// A stdio server has no `type`. Only those may be sent unasked; no other transport is advertised.
function requireStdio(servers) {
  if (servers.some((server) => "type" in server)) {
    throw RequestError.invalidParams({ reason: "this MCP transport is not advertised" });
  }
}

// Text and links may be sent unasked; no other content is advertised.
function requireBaseline(prompt) {
  if (prompt.some(({ type }) => type !== "text" && type !== "resource_link")) {
    throw RequestError.invalidParams({ reason: "this content is not advertised" });
  }
}

agent({ name: "acp-interop-typescript-sdk" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "acp-interop-typescript-sdk", version: "0.1.0" },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    requireAbsolute(params.cwd);
    requireStdio(params.mcpServers);
    sessionsMade += 1;
    const sessionId = `session-${sessionsMade}`;
    sessions.set(sessionId, { cwd: params.cwd, active: true, history: [], cancels: 0 });
    return { sessionId };
  })
  .onRequest(methods.agent.session.list, ({ params }) => {
    if (params.cursor != null) throw RequestError.invalidParams({ reason: "there is one page only" });
    if (params.cwd != null) requireAbsolute(params.cwd);
    const listed = [...sessions].filter(([, { cwd }]) => params.cwd == null || params.cwd === cwd);
    return { sessions: listed.map(([sessionId, { cwd }]) => ({ sessionId, cwd })) };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    requireAbsolute(params.cwd);
    requireStdio(params.mcpServers);
    const session = known(params.sessionId);
    for (const update of session.history) {
      await client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
    }
    session.active = true;
    return {};
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    requireAbsolute(params.cwd);
    requireStdio(params.mcpServers ?? []);
    known(params.sessionId).active = true;
    return {};
  })
  .onRequest(methods.agent.session.close, ({ params }) => {
    const session = active(params.sessionId);
    session.active = false;
    cancelTurns(session);
    return {};
  })
  .onRequest(methods.agent.session.delete, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session) cancelTurns(session);
    sessions.delete(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const session = active(params.sessionId);
    requireBaseline(params.prompt);
    const { cancels } = session;
    const message = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "done" } };
    for (const content of params.prompt) {
      session.history.push({ sessionUpdate: "user_message_chunk", content });
    }
    session.history.push(message);
    await client.notify(methods.client.session.update, { sessionId: params.sessionId, update: message });
    await letOthersGoFirst(); // without it no prompt could ever be cancelled
    return { stopReason: session.cancels === cancels ? "end_turn" : "cancelled" };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session) cancelTurns(session);
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
