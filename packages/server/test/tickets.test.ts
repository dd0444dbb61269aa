// Tickets over HTTP: what an agent on another machine does, what a person does, and what each may not.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
let agent: Caller;
let person: Caller;

beforeEach(async () => {
  front = await openFront();
  agent = front.agent();
  person = front.person();
});
afterEach(() => front.close());

describe("an agent", () => {
  it("[API-CREATE-1] opens a ticket with one request, as itself and nobody else", async () => {
    const made = await agent("POST", "/v1/tickets", { to: "human:alex", kind: "deploy", summary: "Ship it" });
    expect(made).toMatchObject({ status: 201, body: { state: "PENDING", from: "agent:ci", to: "human:alex" } });
    expect(made.headers.get("location")).toBe(`/v1/tickets/${made.body.id}`);
    const other = await agent("POST", "/v1/tickets", { to: "human:alex", from: "agent:boss" });
    expect(other).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });

  it("[API-IDEMPOTENT-1] gets the same ticket for the same key, and a conflict for another request", async () => {
    const send = (summary: string, key = "once") =>
      agent("POST", "/v1/tickets", { to: "human:alex", summary }, { "idempotency-key": key });
    const first = await send("a");
    expect((await send("a")).body.id).toBe(first.body.id);
    expect(await send("b")).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
    expect((await send("b", "twice")).body.id).not.toBe(first.body.id);
    expect(await send("c", "x".repeat(201))).toMatchObject({ status: 400, body: { field: "Idempotency-Key" } });
  });

  it("[API-WAIT-1] waits with one request and gets the person's words", async () => {
    const id = await open(agent);
    const waiting = agent("GET", `/v1/tickets/${id}?wait=20`);
    await person("POST", `/v1/tickets/${id}/intents`, { decision: "reject", comment: "not on a Friday" });
    expect((await waiting).body).toMatchObject({
      state: "REJECTED",
      resolution: { comment: "not on a Friday", actor: { kind: "human", id: "human:alex" }, assurance: "local" },
    });
    expect(await agent("GET", `/v1/tickets/${id}?wait=3600`)).toMatchObject({ status: 200, body: { state: "REJECTED" } });
    expect(await agent("GET", `/v1/tickets/${id}?wait=soon`)).toMatchObject({ status: 400, body: { field: "wait" } });
  });

  it("[API-ETAG-1] is told when nothing has changed", async () => {
    const id = await open(agent);
    const etag = (await agent("GET", `/v1/tickets/${id}`)).headers.get("etag") as string;
    expect((await agent("GET", `/v1/tickets/${id}`, undefined, { "if-none-match": etag })).status).toBe(304);
    await person("POST", `/v1/tickets/${id}/ack`);
    expect((await agent("GET", `/v1/tickets/${id}`, undefined, { "if-none-match": etag })).status).toBe(200);
  });

  it("[API-AGENT-1] never decides, acks, delivers or sees a person's pages", async () => {
    const id = await open(agent);
    for (const [method, path, body] of [
      ["POST", `/v1/tickets/${id}/intents`, { decision: "approve" }],
      ["POST", `/v1/tickets/${id}/ack`, {}],
      ["POST", `/v1/tickets/${id}/deliver`, {}],
      ["POST", `/v1/tickets/${id}/challenges`, { decision: "approve" }],
      ["POST", `/v1/tickets/${id}/extend`, { seconds: 60 }],
      ["GET", "/v1/inbox", undefined],
      ["GET", `/v1/tickets/${id}/history`, undefined],
      ["GET", "/v1/keys", undefined],
      ["POST", "/v1/keys", { agent: "agent:ci" }],
      ["GET", "/v1/people", undefined],
      ["GET", "/v1/policy", undefined],
      ["POST", "/v1/policy/trust", { hash: "x", confirmed: true }],
      ["GET", "/v1/credentials", undefined],
      ["POST", "/v1/credentials/enrolment", { kind: "ssh" }],
      ["POST", "/v1/log/verify", {}],
    ] as const)
      expect(await agent(method, path, body), path).toMatchObject({ status: 403, body: { code: "agent_cannot_decide" } });
    expect((await person("GET", `/v1/tickets/${id}`)).body.state).toBe("PENDING");
  });

  it("[API-AGENT-2] sees its own alone, unless its key reads all", async () => {
    const other = front.agent("agent:other");
    const id = await open(other, { summary: "hush" });
    for (const path of [`/v1/tickets/${id}`, `/v1/events?ticket=${id}`])
      expect(await agent("GET", path), path).toMatchObject({ status: 404, body: { code: "ticket_not_found" } });
    for (const verb of ["cancel", "renew", "heard"])
      expect((await agent("POST", `/v1/tickets/${id}/${verb}`, {})).status).toBe(404);
    expect((await agent("GET", "/v1/tickets")).body.tickets).toEqual([]);
    expect((await agent("GET", "/v1/events")).body.events).toEqual([]);
    const reader = front.agent("agent:watch", ["read_all"]);
    expect((await reader("GET", `/v1/tickets/${id}`)).body.id).toBe(id);
    expect((await reader("GET", "/v1/tickets")).body.tickets).toHaveLength(1);
    expect(await reader("POST", "/v1/tickets", { to: "human:alex" })).toMatchObject({
      status: 403,
      body: { code: "scope_missing" },
    });
  });
});

describe("a person", () => {
  it("[API-DECIDE-1] has every verb", async () => {
    const act = async (verb: string, body: unknown, more = {}) =>
      (await person("POST", `/v1/tickets/${await open(agent, more)}/${verb}`, body)).body.state;
    expect(await act("intents", { decision: "approve", comment: "go" })).toBe("APPROVED");
    expect(await act("intents", { decision: "request_changes" })).toBe("CHANGES_REQUESTED");
    expect(await act("intents", { decision: "answer", answer: "blue" }, { ask: { type: "text" } })).toBe("ANSWERED");
    expect(await act("cancel", { reason: "stop" })).toBe("CANCELED");
    expect(await act("deliver", {})).toBe("DELIVERED");
    expect(await act("ack", { lapse_seconds: 60 })).toBe("ACKED");
    expect(await act("extend", { seconds: 60 })).toBe("PENDING");
    expect(await act("snooze", { seconds: 60 })).toBe("PENDING");
    expect(await act("notes", { text: "hm" })).toBe("PENDING");
    expect(await act("reassign", { to: "human:sam" })).toBe("PENDING");
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[API-DECIDE-2] needs the phrase for a critical yes, and never decides for another", async () => {
    const id = await open(agent, { kind: "run_command", details: { command: "sudo reboot" } });
    expect(await person("POST", `/v1/tickets/${id}/intents`, { decision: "approve" })).toMatchObject({
      status: 403,
      body: { code: "confirmation_needed" },
    });
    expect((await person("GET", `/v1/tickets/${id}/needed`)).body).toEqual({ signature: null, confirmed: true });
    const sams = await open(agent, { to: "human:sam" });
    expect((await person("POST", `/v1/tickets/${sams}/intents`, { decision: "approve" })).body.code).toBe("not_addressee");
  });

  it("[API-AGENT-1] does not do what agents do", async () => {
    const id = await open(agent);
    for (const [path, body] of [
      [`/v1/tickets/${id}/consume`, { call_hash: "x" }],
      [`/v1/tickets/${id}/heard`, {}],
      [`/v1/tickets/${id}/relay`, { answer: 1 }],
      ["/v1/agents", { agent_runtime: "codex" }],
      ["/v1/seen", {}],
      ["/v1/leave", { reason: "x" }],
      ["/v1/policy/decide", { call_hash: "x", input: {} }],
    ] as const)
      expect(await person("POST", path, body), path).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });

  it("[API-ROLE-1] without a role sees what is addressed to them, and nothing else", async () => {
    const sam = front.person("human:sam");
    const [mine, theirs] = [await open(agent, { to: "human:sam" }), await open(agent)];
    expect(((await sam("GET", "/v1/tickets")).body.tickets as { id: string }[]).map(({ id }) => id)).toEqual([mine]);
    for (const path of [`/v1/tickets/${theirs}`, `/v1/tickets/${theirs}/history`, `/v1/events?ticket=${theirs}`])
      expect((await sam("GET", path)).status, path).toBe(404);
    const seen = (await sam("GET", "/v1/events")).body.events as { type: string }[];
    expect(seen.map(({ type }) => type)).toEqual(["ticket.create"]);
    for (const path of ["/v1/keys", "/v1/people"]) expect((await sam("GET", path)).body.code, path).toBe("scope_missing");
    expect(((await person("GET", "/v1/tickets")).body.tickets as unknown[]).length).toBe(2);
  });

  it("[API-PAGE-1] reads lists and the log a page at a time", async () => {
    const ids = [await open(agent), await open(agent), await open(agent)];
    const first = (await person("GET", "/v1/tickets?limit=2&state=open")).body as { tickets: { id: string }[]; next: string };
    const rest = (await person("GET", `/v1/tickets?limit=2&cursor=${first.next}`)).body as {
      tickets: { id: string }[];
      next: null;
    };
    expect([...first.tickets, ...rest.tickets].map(({ id }) => id)).toEqual(ids.reverse());
    expect(rest.next).toBeNull();
    const page = (await person("GET", "/v1/events?limit=3")).body as { events: { seq: number }[]; next: string };
    const more = (await person("GET", `/v1/events?after=${page.next}`)).body as { events: { seq: number }[] };
    expect([...page.events, ...more.events].map(({ seq }) => seq)).toEqual(
      Array.from({ length: front.engine.head().seq }, (_, at) => at + 1),
    );
  });
});

describe("conversations", () => {
  it("[API-CHAT-1] an agent joins through its key, asks under its new name, and hears what people left", async () => {
    const card = (await agent("POST", "/v1/agents", { agent_runtime: "codex", project_dir: "/srv/app" })).body as {
      agent: string;
    };
    const joined: Caller = (method, path, body) => agent(method, path, body, { "hap-agent": card.agent });
    const cue = await joined("POST", "/v1/cues", { to: "human:alex", kind: "cue", summary: "next?", ask: { type: "text" } });
    expect(cue.body.from).toBe(card.agent);
    const sent = await person("POST", `/v1/agents/${card.agent}/messages`, {
      text: "also this",
      attachments: [{ name: "a.txt", data: Buffer.from("hello").toString("base64") }],
    });
    expect(sent.status).toBe(201);
    const { messages } = (await joined("GET", "/v1/messages")).body as { messages: { id: string; text: string }[] };
    expect(messages).toMatchObject([{ text: "also this" }]);
    expect((await joined("GET", `/v1/messages/${messages[0]?.id}/attachments/0`)).body).toEqual({ text: "hello" });
    const taken = await joined("POST", "/v1/messages/take", { ids: [messages[0]?.id], ticket_id: cue.body.id });
    expect(taken.status).toBe(200);
    const other = front.agent("agent:other");
    expect((await other("GET", "/v1/messages", undefined, { "hap-agent": card.agent })).body.code).toBe("scope_missing");
    expect((await other("GET", "/v1/agents?hints=codex")).body.agents).toEqual([]);
  });
});
