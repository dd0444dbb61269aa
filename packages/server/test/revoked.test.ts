// Access that was taken back: streams, sockets, waits and MCP sessions that are open end at once, and get nothing more.
import { execFile } from "node:child_process";
import { type ClientRequest, request as httpRequest } from "node:http";
import { promisify } from "node:util";
import { type LoggedEvent, ticketIdOf } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { savePolicy } from "../../core/test/confirm-policy.ts";
import { OpenCalls } from "../src/auth/open-calls.ts";
import { identify, type Principal, sessionCookie } from "../src/auth/principal.ts";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
let agent: Caller;
beforeEach(async () => {
  front = await openFront({ real: true });
  agent = front.agent("agent:writer");
});
afterEach(() => front.close());

const run = promisify(execFile);
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
type Headers = Record<string, string>;
/** Something open: `ended` says how it ended, `ticketIds` what it was told of until then. */
type Open = { ended: Promise<string>; ticketIds: Set<string> };

/** A stream of server-sent events that has begun. */
async function stream(headers: Headers): Promise<Open> {
  const response = await fetch(`${front.url}/v1/events/stream`, { headers });
  expect(response.status).toBe(200);
  const ticketIds = new Set<string>();
  const read = async () => {
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      for (const [id] of text.matchAll(/tk_[a-z0-9]{17,}/g)) ticketIds.add(id);
    }
    return "ended";
  };
  return { ended: read(), ticketIds };
}

/** A socket that is subscribed. */
async function socket(headers: Headers): Promise<Open> {
  const line = new WebSocket(`${front.url.replace("http", "ws")}/v1/events/socket`, { headers });
  const ticketIds = new Set<string>();
  const subscribed = Promise.withResolvers<void>();
  line.on("open", () => line.send(JSON.stringify({ type: "subscribe" })));
  line.on("message", (data) => {
    const word = JSON.parse(String(data)) as { type: string; event?: LoggedEvent };
    if (word.type === "subscribed") subscribed.resolve();
    const id = word.event === undefined ? null : ticketIdOf(word.event.payload);
    if (id !== null) ticketIds.add(id);
  });
  const ended = new Promise<string>((resolve) => line.on("close", (code, reason) => resolve(`${code} ${reason}`)));
  await subscribed.promise;
  return { ended, ticketIds };
}

/** Sends a request, and resolves once the server has begun to handle it. Its body may follow later. */
async function send(
  method: string,
  path: string,
  headers: Headers,
): Promise<{ sending: ClientRequest; answered: Promise<string> }> {
  const { hostname, port } = new URL(front.url);
  // The server says "100 Continue" in the same turn in which it hands the request over.
  const sending = httpRequest({ hostname, port, method, path, headers: { ...headers, expect: "100-continue" } });
  const answered = new Promise<string>((resolve) =>
    sending.on("response", async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(`${response.statusCode} ${JSON.parse(text).code}`);
    }),
  );
  sending.flushHeaders();
  await new Promise((resolve) => sending.on("continue", resolve));
  return { sending, answered };
}

/** A wait for a ticket's end. */
async function wait(headers: Headers, id: string): Promise<Open> {
  const { sending, answered } = await send("GET", `/v1/tickets/${id}?wait=50`, headers);
  sending.end();
  return { ended: answered, ticketIds: new Set() };
}

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const accepts = { accept: "application/json, text/event-stream" };

async function mcpSession(headers: Headers): Promise<Headers> {
  const begun = await front.as({ ...headers, ...accepts })("POST", "/mcp", hello);
  expect(begun.status).toBe(200);
  const session = { ...headers, ...accepts, "mcp-session-id": begun.headers.get("mcp-session-id") as string };
  await front.as(session)("POST", "/mcp", { jsonrpc: "2.0", method: "notifications/initialized" });
  return session;
}

/** The stream of an MCP session. A cut line counts as an end. */
async function mcpStream(session: Headers): Promise<Open> {
  const response = await fetch(`${front.url}/mcp`, { headers: session });
  expect(response.status).toBe(200);
  return {
    ended: response.text().then(
      () => "ended",
      () => "ended",
    ),
    ticketIds: new Set(),
  };
}

/** A tool call that waits for a person. */
async function mcpWait(session: Headers, id: string): Promise<Open> {
  const call = { name: "hap_wait", arguments: { ticket_id: id, timeout_seconds: 50 } };
  const response = await fetch(`${front.url}/mcp`, {
    method: "POST",
    headers: { ...session, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call }),
  });
  const ended = response.text().then(
    (text) => (text.includes("result") ? text : "ended"),
    () => "ended",
  );
  return { ended, ticketIds: new Set() };
}

/** Opens a ticket after access ended, and checks that nothing open was told of it. */
async function tellsNothingMore(calls: Open[]): Promise<void> {
  const later = await open(agent);
  expect(calls.map(({ ticketIds }) => ticketIds.has(later))).toEqual(calls.map(() => false));
}

describe("[ACCESS-END-1] access that is taken back ends what is open", () => {
  it("of a key that is revoked: stream, socket, wait, MCP session and MCP call", async () => {
    const { id: keyId, key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const headers = bearer(key);
    const own = await open(front.as(headers));
    const session = await mcpSession(headers);
    const calls = [await stream(headers), await socket(headers), await wait(headers, own)];
    const mcp = [await mcpStream(session), await mcpWait(session, own)];
    front.engine.revokeKey(keyId, "human:alex");
    expect(await Promise.all(calls.map(({ ended }) => ended))).toEqual(["ended", "1008 key_invalid", "401 key_invalid"]);
    expect(await Promise.all(mcp.map(({ ended }) => ended))).toEqual(["ended", "ended"]);
    await tellsNothingMore(calls);
    expect((await front.as(session)("POST", "/mcp", { ...hello, method: "tools/list" })).status).toBe(401);
    // The session does not come back with another key of the same agent.
    const other = bearer(front.engine.createKey({ agent: "agent:ci" }, "human:alex").key);
    expect((await front.as({ ...session, ...other })("POST", "/mcp", { ...hello, method: "tools/list" })).status).toBe(404);
  });

  it("of a sign-in that is signed out, and leaves the person's other sign-ins alone", async () => {
    const id = await open(agent);
    const signIn = () => bearer(front.engine.signIn("human:alex", "token", "code").secret);
    const [gone, kept] = [signIn(), signIn()];
    const calls = [await stream(gone), await socket(gone), await wait(gone, id)];
    const other = await stream(kept);
    expect((await front.as(gone)("POST", "/v1/logout")).status).toBe(204);
    expect(await Promise.all(calls.map(({ ended }) => ended))).toEqual(["ended", "1008 login_needed", "401 login_needed"]);
    await tellsNothingMore(calls);
    await expect.poll(() => other.ticketIds.size).toBeGreaterThan(0);
  });

  it("of a cookie, everywhere, and of a person who is deleted", async () => {
    const id = await open(agent, { to: "human:sam" });
    const cookie = () => ({ cookie: `hap=${front.engine.signIn("human:sam", "cookie", "passkey").secret}`, origin: front.url });
    for (const end of ["everywhere", "deleted"]) {
      const headers = cookie();
      const calls = [await stream(headers), await socket(headers), await wait(headers, id)];
      if (end === "everywhere") await front.as(headers)("POST", "/v1/logout", { everywhere: true });
      else {
        const { phrase } = front.engine.issueDeletionPhrase("human:sam", "human:alex");
        front.engine.deletePerson("human:sam", "human:alex", { mentions: "erase", phrase });
      }
      expect((await Promise.all(calls.map(({ ended }) => ended))).slice(0, 2), end).toEqual(["ended", "1008 login_needed"]);
      await tellsNothingMore(calls);
    }
  });

  it("when another process takes it back", async () => {
    const { id: keyId, key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const byKey = [await stream(bearer(key)), await socket(bearer(key))];
    const token = bearer(front.engine.signIn("human:sam", "token", "code").secret);
    const byToken = [await stream(token), await socket(token)];
    const other = new URL("./fixtures/revoke.ts", import.meta.url).pathname;
    await run(process.execPath, [other, front.path, "key", keyId]);
    expect(await Promise.all(byKey.map(({ ended }) => ended))).toEqual(["ended", "1008 key_invalid"]);
    await run(process.execPath, [other, front.path, "person", "human:sam"]);
    expect(await Promise.all(byToken.map(({ ended }) => ended))).toEqual(["ended", "1008 login_needed"]);
    await tellsNothingMore([...byKey, ...byToken]);
  });

  it("of a key or sign-in that expires", async () => {
    const still = await openFront();
    const { engine, world } = still;
    const calls = new OpenCalls(engine, 1);
    const key = engine.createKey({ agent: "agent:ci", expiresInSeconds: 60 }, "human:alex");
    const { secret } = engine.signIn("human:alex", "cookie", "code");
    const ended = [{ authorization: `Bearer ${key.key}` }, { cookie: `hap=${secret}` }].map((given) => {
      const principal = identify(
        engine,
        { get: (name) => (given as Headers)[name] ?? null },
        sessionCookie(null, false),
      ) as Principal;
      return new Promise<string>((resolve) => calls.watch(principal, ({ code }) => resolve(code)));
    });
    world.advance(61_000);
    expect(await ended[0]).toBe("key_invalid");
    world.advance(12 * 3_600_000);
    expect(await ended[1]).toBe("login_needed");
    calls.close();
    await still.close();
  });

  it("of a person whose role was taken away", async () => {
    const [calls, ended] = [new OpenCalls(front.engine), Promise.withResolvers<string>()];
    const { secret } = front.engine.signIn("human:alex", "token", "code");
    const principal = identify(
      front.engine,
      { get: (name) => (name === "authorization" ? `Bearer ${secret}` : null) },
      sessionCookie(null, false),
    );
    expect(principal).toMatchObject({ role: "owner" });
    calls.watch(principal as Principal, ({ code }) => ended.resolve(code));
    savePolicy(front.engine, {
      by: "human:alex",
      text: JSON.stringify({ version: 1, roles: { owner: ["human:sam"] } }),
      replaces: null,
    });
    expect(await ended.promise).toBe("scope_missing");
    calls.close();
  });

  it("of a request whose body was still on its way", async () => {
    const id = await open(agent);
    const { secret } = front.engine.signIn("human:alex", "token", "code");
    const headers = { ...bearer(secret), "content-type": "application/json" };
    const { sending, answered } = await send("POST", `/v1/tickets/${id}/intents`, headers);
    front.engine.signOut({ person: "human:alex" });
    sending.end(JSON.stringify({ decision: "approve" }));
    expect(await answered).toBe("401 login_needed");
    expect(front.engine.getTicket(id).state).not.toBe("APPROVED");
  });
});
