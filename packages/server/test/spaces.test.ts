// One server, many spaces: a key, sign-in, cursor or id of one opens nothing in another, on any operation, stream or socket.
import { once } from "node:events";
import { agentOperations, type Operation, personOperations, serverOperations } from "@hap/protocol/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { HapEngine } from "../../core/src/index.ts";
import { archiveSpace, createSpace, limitSpace, openPostgres } from "../../core/src/store/postgres/index.ts";
import { TestServer } from "../../core/test/postgres/test-server.ts";
import { type Caller, type Front, open, openFront } from "./front.ts";

let postgres: TestServer;
let url: string;
let front: Front;
/** A second way into team-b: as its operator has by `HAP_SPACE=team-b hap ...`. */
let teamB: HapEngine;
const inB = { key: "", secret: "", cookie: "", ticket: "", cursor: "" };
const inHome = { key: "", secret: "", cookie: "", ticket: "", cursor: "" };

const bearer = (secret: string) => front.as({ authorization: `Bearer ${secret}` });
const operations = Object.values({ ...agentOperations, ...personOperations, ...serverOperations }) as Operation[];
const engineOf = (space: string) =>
  HapEngine.open({ store: () => openPostgres({ url, space, poolSize: 1 }), humanId: "human:alex", home: front.folder });

function fill(engine: HapEngine, into: typeof inB): void {
  into.key = engine.createKey({ agent: "agent:ci", scopes: ["create", "read_own", "read_all"] }, "human:alex").key;
  into.secret = engine.signIn("human:alex", "token", "code").secret;
  into.cookie = engine.signIn("human:alex", "cookie", "code").secret;
  into.ticket = engine.createTicket({ from: "agent:ci", to: "human:alex", summary: `Secret of ${engine.head().seq}` }).id;
  into.cursor = engine.cursor() as string;
}

beforeAll(async () => {
  postgres = await TestServer.start();
  url = await postgres.database();
  front = await openFront({ real: true, database: { url, space: "default" }, mostSpaces: 2 });
  for (const space of ["team-b", "team-c", "team-d"]) await createSpace(url, space);
  teamB = await engineOf("team-b");
  fill(teamB, inB);
  fill(front.engine, inHome);
});

afterAll(async () => {
  teamB?.dispose();
  await front?.close();
  await postgres?.stop();
});

describe("a request reaches its space", () => {
  it("by its path, by its key, or by both [SPACE-ROUTE-1]", async () => {
    expect(inB.key).toMatch(/^hap_team-b\./);
    for (const [ask, path] of [
      [bearer(inB.key), "/v1/tickets"],
      [bearer(inB.key), "/s/team-b/v1/tickets"],
      [bearer(inB.secret), "/s/team-b/v1/tickets"],
      [front.as({ cookie: `hap.team-b=${inB.cookie}` }), "/s/team-b/v1/tickets"],
    ] as [Caller, string][]) {
      const { status, body } = await ask("GET", path);
      expect([status, (body.tickets as { id: string }[]).map(({ id }) => id)]).toEqual([200, [inB.ticket]]);
    }
    const { body } = await bearer(inHome.key)("GET", "/s/default/v1/tickets");
    expect((body.tickets as { id: string }[]).map(({ id }) => id)).toEqual([inHome.ticket]);
  });

  it("with addresses of its own [SPACE-ROUTE-1]", async () => {
    const made = await bearer(inB.key)("POST", "/v1/tickets", { to: "human:alex", summary: "please" });
    expect(made.headers.get("location")).toBe(`/s/team-b/v1/tickets/${made.body.id}`);
    const me = await bearer(inB.secret)("GET", "/s/team-b/v1/me");
    expect(me.body.place).toBe(`${front.url}/s/team-b`);
    const { code } = teamB.issueCode({ purpose: "login", person: "human:alex" });
    const signedIn = await front.anyone("POST", "/s/team-b/v1/login/code", { code });
    expect(signedIn.headers.get("set-cookie")).toMatch(/^hap\.team-b=/);
  });

  it("or is told that there is no such space, and not for ever [SPACE-ROUTE-2]", async () => {
    expect(await front.anyone("GET", "/s/nowhere/v1/login")).toMatchObject({ status: 404, body: { code: "space_not_found" } });
    for (const path of ["/s/", "/s/Team-B/v1/me", "/s/team%2Db/v1/me", "/s/../v1/me%2f", "/s/team-b%2f..%2fdefault/v1/me"]) {
      const { status } = await bearer(inB.secret)("GET", path);
      expect([path, [401, 404].includes(status)]).toEqual([path, true]);
    }
  });
});

describe("what belongs to one space opens nothing in another", () => {
  const fakeBody = (operation: Operation) => (operation.method === "GET" || operation.method === "DELETE" ? undefined : {});
  const pathOf = ({ path }: Operation, ticket: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "id" ? ticket : "x"));

  it("on every operation, with every kind of credential [SPACE-ISOLATION-1]", async () => {
    const closed = operations.filter(({ who }) => who !== "anyone");
    expect(closed.length).toBeGreaterThan(60);
    const wrong: [string, Record<string, string>, string][] = [
      ["a key of home in b", { authorization: `Bearer ${inHome.key}` }, "/s/team-b"],
      ["a key of b in home", { authorization: `Bearer ${inB.key}` }, "/s/default"],
      ["a key of b that names home", { authorization: `Bearer ${inB.key.replace("hap_team-b.", "hap_")}` }, ""],
      ["a key of home that names b", { authorization: `Bearer ${inHome.key.replace("hap_", "hap_team-b.")}` }, ""],
      ["a token of home in b", { authorization: `Bearer ${inHome.secret}` }, "/s/team-b"],
      ["a token of b in home", { authorization: `Bearer ${inB.secret}` }, ""],
      ["a cookie of home in b", { cookie: `hap=${inHome.cookie}; hap.team-b=${inHome.cookie}` }, "/s/team-b"],
      ["a cookie of b in home", { cookie: `hap=${inB.cookie}; hap.team-b=${inB.cookie}` }, ""],
    ];
    for (const [what, headers, base] of wrong) {
      const origin = { origin: front.url };
      const answers: [string, number, string | undefined][] = [];
      for (const operation of closed) {
        const target = base === "/s/team-b" ? inB.ticket : inHome.ticket;
        const path = base + pathOf(operation, target);
        const { status, body } = await front.as({ ...headers, ...origin })(operation.method, path, fakeBody(operation));
        answers.push([`${what}: ${operation.method} ${operation.path}`, status, body.code]);
      }
      // Some of them were slowed down as guesses; none was let in.
      expect(answers.filter(([, status]) => status !== 401 && status !== 429)).toEqual([]);
    }
  }, 120_000);

  it("on sockets, streams and MCP [SPACE-ISOLATION-1]", async () => {
    const tried = await openFront({ real: true, database: { url, space: "default" } });
    try {
      const socket = async (path: string, secret: string) => {
        const headers = { authorization: `Bearer ${secret}` };
        const client = new WebSocket(`${tried.url.replace("http", "ws")}${path}/v1/events/socket`, { headers });
        const [event] = await Promise.race([
          once(client, "message"),
          once(client, "unexpected-response").then(([, response]) => [response.statusCode]),
        ]);
        client.terminate();
        return typeof event === "number" ? event : JSON.parse(String(event)).type;
      };
      expect(await socket("/s/team-b", inB.secret)).toBe("connection.ready");
      expect(await socket("", inB.key)).toBe("connection.ready");
      expect(await socket("", inB.secret)).toBe(401);
      expect(await socket("/s/team-b", inHome.secret)).toBe(401);
      expect(await socket("/s/nowhere", inHome.secret)).toBe(404);
      const ask = (secret: string) =>
        tried.as({ authorization: `Bearer ${secret}`, accept: "application/json, text/event-stream" });
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      };
      expect((await ask(inHome.key)("POST", "/s/team-b/mcp", hello)).status).toBe(401);
      const begun = await ask(inB.key)("POST", "/mcp", hello);
      expect(begun.status).toBe(200);
      const session = begun.headers.get("mcp-session-id");
      if (session !== null) {
        const stolen = await ask(inHome.key)(
          "POST",
          "/mcp",
          { jsonrpc: "2.0", id: 2, method: "tools/list" },
          { "mcp-session-id": session },
        );
        expect(stolen.status).toBeGreaterThanOrEqual(400);
      }
    } finally {
      await tried.close();
    }
  });

  it("by ids and cursors of the other [SPACE-ISOLATION-2]", async () => {
    const ask = bearer(inB.secret);
    expect(await ask("GET", `/s/team-b/v1/tickets/${inHome.ticket}`)).toMatchObject({ status: 404 });
    expect(await ask("POST", `/s/team-b/v1/tickets/${inHome.ticket}/intents`, { decision: "approve" })).toMatchObject({
      status: 404,
    });
    expect(await ask("GET", `/s/team-b/v1/events?after=${inHome.cursor}`)).toMatchObject({
      status: 409,
      body: { code: "cursor_forked" },
    });
    expect(await ask("GET", `/s/team-b/v1/tickets?cursor=${inHome.cursor}`)).not.toMatchObject({ status: 200 });
    expect(front.engine.getTicket(inHome.ticket).state).toBe("PENDING");
  });

  it("and its events, people and keys are its own [SPACE-ISOLATION-2]", async () => {
    await open(bearer(inHome.key), { summary: "Only for home" });
    const { body } = await bearer(inB.secret)("GET", "/s/team-b/v1/events?limit=100");
    expect(JSON.stringify(body)).toContain(inB.ticket);
    expect(JSON.stringify(body)).not.toContain(inHome.ticket);
    expect(JSON.stringify(body)).not.toContain("Only for home");
  });
});

describe("a server's open spaces", () => {
  it("are bounded: an idle one makes room, one in use does not [SPACE-BOUND-1]", async () => {
    const small = await openFront({ real: true, database: { url, space: "default" }, mostSpaces: 2 });
    const stream = await fetch(`${small.url}/s/team-b/v1/events/stream`, { headers: { authorization: `Bearer ${inB.secret}` } });
    for (const space of ["team-c", "team-d", "team-c"])
      expect(await small.anyone("GET", `/s/${space}/v1/login`)).toMatchObject({ status: 200 });
    // team-b has an open stream, and there is room for one more: it was never closed.
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const heard = (async () => {
      for (let text = ""; ; ) {
        const { value, done } = await reader.read();
        text += new TextDecoder().decode(value);
        if (done || text.includes("ticket.create")) return text;
      }
    })();
    teamB.createTicket({ from: "agent:ci", to: "human:alex", summary: "Wake" });
    expect(await heard).toContain("ticket.create");
    await reader.cancel();
    await small.close();
  });

  it("have their leases applied, also where nobody waits [LEASE-SPACES-1]", async () => {
    const other = await engineOf("team-d");
    const ask = {
      from: "agent:ci",
      to: "human:alex",
      summary: "Soon",
      lease: { ttl_seconds: 1, on_timeout: "auto_reject" as const },
    };
    const { id } = await other.later(() => other.createTicket(ask));
    await other.later(() => other.deliver(id));
    other.dispose();
    const state = async () => {
      const [row] = (await postgres.run(url, `SELECT state FROM hap.tickets WHERE space='team-d' AND id='${id}'`)) as {
        state: string;
      }[];
      return row?.state;
    };
    await expect.poll(state, { timeout: 20_000 }).toBe("EXPIRED");
  });

  it("take no more than their limits, and tell callers when to come back [SPACE-LIMIT-1]", async () => {
    const { open_tickets: open } = await limitSpace(url, "team-d", { open_tickets: 1, requests_per_minute: 4 });
    expect(open).toBe(1);
    const teamD = await engineOf("team-d");
    const { key } = teamD.createKey({ agent: "agent:ci" }, "human:alex");
    try {
      const ask = () => bearer(key)("POST", "/v1/tickets", { to: "human:alex", summary: "please" });
      expect((await ask()).status).toBe(201);
      expect(await ask()).toMatchObject({ status: 429, body: { code: "quota_exceeded", limit: 1 } });
      // A server looks at the limit once a second: until then it knows of none.
      let later = await ask();
      while (later.body.code !== "rate_limited") later = await ask();
      expect(later.headers.get("retry-after")).toMatch(/^[0-9]+$/);
      expect((await bearer(inHome.key)("GET", "/v1/tickets")).status).toBe(200);
      expect(await limitSpace(url, "team-d", {})).toEqual({});
      expect(teamD.createTicket({ from: "agent:ci", to: "human:alex", summary: "Second" }).state).toBe("PENDING");
    } finally {
      teamD.dispose();
    }
    await expect(limitSpace(url, "team-d", { open_tickets: 0 })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(limitSpace(url, "nowhere", null)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("are read-only once archived, and say so [SPACE-ARCHIVE-1]", async () => {
    const fresh = teamB.createKey({ agent: "agent:ci" }, "human:alex").key;
    await archiveSpace(url, "team-b", true);
    // The use of a key is not noted there, and the key counts.
    expect(await bearer(fresh)("GET", "/v1/tickets")).toMatchObject({ status: 200 });
    expect(await bearer(inB.key)("POST", "/v1/tickets", { to: "human:alex", summary: "late" })).toMatchObject({
      status: 409,
      body: { code: "space_archived" },
    });
    expect(await bearer(inB.secret)("GET", `/s/team-b/v1/tickets/${inB.ticket}`)).toMatchObject({ status: 200 });
    await archiveSpace(url, "team-b", false);
    expect(await bearer(inB.key)("POST", "/v1/tickets", { to: "human:alex", summary: "again" })).toMatchObject({ status: 201 });
  });
});
