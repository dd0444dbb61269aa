// Two servers on one PostgreSQL: either takes any request, and neither answers from what it remembered.
import type { LoggedEvent } from "@hap/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestServer } from "../../core/test/postgres/test-server.ts";
import { type Caller, type Front, open, openFront } from "./front.ts";

let postgres: TestServer;
let one: Front;
let two: Front;
let agentAt: (front: Front) => Caller;
let personAt: (front: Front) => Caller;

beforeAll(async () => {
  postgres = await TestServer.start();
  const database = { url: await postgres.database(), space: "default" };
  [one, two] = (await Promise.all([1, 2].map(() => openFront({ real: true, database })))) as [Front, Front];
  const { key } = one.engine.createKey({ agent: "agent:ci" }, "human:alex");
  const { secret } = two.engine.signIn("human:alex", "token", "code");
  agentAt = (front) => front.as({ authorization: `Bearer ${key}` });
  personAt = (front) => front.as({ authorization: `Bearer ${secret}` });
});

afterAll(async () => {
  await one?.close();
  await two?.close();
  await postgres?.stop();
});

describe("two servers on one database", () => {
  it("[PG-NODE-1] wake a long poll on one with a decision on the other", async () => {
    const id = await open(agentAt(one));
    const waiting = agentAt(one)("GET", `/v1/tickets/${id}?wait=50`);
    expect(await personAt(two)("POST", `/v1/tickets/${id}/intents`, { decision: "approve" })).toMatchObject({ status: 200 });
    expect((await waiting).body).toMatchObject({ state: "APPROVED" });
  });

  it("[PG-NODE-1] let one of two decisions win, whichever server takes it", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await open(agentAt(round % 2 === 0 ? one : two));
      const answers = await Promise.all([
        personAt(one)("POST", `/v1/tickets/${id}/intents`, { decision: "approve" }),
        personAt(two)("POST", `/v1/tickets/${id}/intents`, { decision: "reject", comment: "No" }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [first, second] = await Promise.all([one, two].map((front) => agentAt(front)("GET", `/v1/tickets/${id}`)));
      expect(first?.body).toEqual(second?.body);
    }
  });

  it("[PG-NODE-2] refuse a key on one as soon as the other has revoked it", async () => {
    const { id, key } = one.engine.createKey({ agent: "agent:gone" }, "human:alex");
    const at = (front: Front) => front.as({ authorization: `Bearer ${key}` });
    expect((await at(two)("GET", "/v1/tickets")).status).toBe(200);
    expect((await at(one)("GET", "/v1/tickets")).status).toBe(200);
    two.engine.revokeKey(id, "human:alex");
    expect((await at(one)("GET", "/v1/tickets")).status).toBe(401);
  });

  it("[PG-NODE-3] show every event in order, on streams and sockets of either", async () => {
    const after = one.engine.cursor() as string;
    const headers = { authorization: `Bearer ${one.engine.signIn("human:alex", "token", "code").secret}` };
    const socket = new WebSocket(`${two.url.replace("http", "ws")}/v1/events/socket`, { headers });
    const heard: number[] = [];
    const done = new Promise<void>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("message", (data) => {
        const word = JSON.parse(String(data)) as { type: string; event: LoggedEvent };
        if (word.type === "event" && heard.push(word.event.seq) >= 20) resolve();
      });
    });
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ type: "subscribe", after }));
    for (let at = 0; at < 10; at++) await Promise.all([open(agentAt(one)), open(agentAt(two))]);
    await done;
    socket.close();
    expect(heard).toEqual([...heard].sort((a, b) => a - b));
    expect(new Set(heard).size).toBe(heard.length);
    const read = (front: Front) => front.engine.getEvents({ after, limit: 1_000 }).map(({ seq }) => seq);
    expect(read(one)).toEqual(read(two));
    expect(read(one).slice(0, heard.length)).toEqual(heard);
  });

  it("[PG-NODE-4] are ready, and verify the same log", async () => {
    for (const front of [one, two]) {
      expect(await front.anyone("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
      expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
    }
  });
});
