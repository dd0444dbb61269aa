import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connectPerson } from "@hap/sdk";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningServer, serve } from "../src/index.ts";
import { sendOnce } from "../src/webhooks/send.ts";
import { type Front, open, openFront } from "./front.ts";

type Got = { headers: IncomingHttpHeaders; body: string; data: Record<string, unknown>; type: string };

/** A receiver that does what it is told: answer, fail, hang or redirect. */
class Receiver {
  readonly got: Got[] = [];
  mood: number | "hang" = 200;
  url = "";
  readonly #server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    this.got.push({ headers: request.headers, body, ...JSON.parse(body) });
    if (this.mood !== "hang") response.writeHead(this.mood, { location: `${this.url}/elsewhere` }).end();
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

let front: Front;
let receiver: Receiver;
const others: RunningServer[] = [];

beforeEach(async () => {
  receiver = new Receiver();
  await receiver.open();
  front = await openFront({ allowPrivateWebhooks: true, webhookTimeoutMs: 5_000 });
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await front.close();
  receiver.close();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Wait until so many tries have ended, whichever way, and their results are written. */
async function tried(count: number): Promise<void> {
  const sum = async () => {
    const text = await (await fetch(`${front.url}/metrics`)).text();
    return [...text.matchAll(/^hap_webhook_tries_total\{[^}]*\} (\d+)$/gm)].reduce((total, [, n]) => total + Number(n), 0);
  };
  while ((await sum()) < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

const waiting = () => front.engine.countDeliveries();

async function addWebhook(more: Record<string, unknown> = {}) {
  const { status, body } = await front.person()("POST", "/v1/webhooks", { url: receiver.url, ...more });
  expect(status).toBe(201);
  return body as unknown as { id: string; secret: string };
}

describe("a webhook", () => {
  it("[HOOK-SIGN-1] is told what happens, signed as Standard Webhooks, without a word that somebody wrote", async () => {
    const { secret } = await addWebhook({ events: ["ticket.create", "ticket.resolve"] });
    const id = await open(front.agent(), { summary: "a private plan", details: { command: "rm plan" }, kind: "run_command" });
    await front.person()("POST", `/v1/tickets/${id}/intents`, { decision: "reject", comment: "never do this" });
    await until(() => receiver.got.length === 2);
    await until(() => waiting().waiting === 0);
    const created = receiver.got.find(({ type }) => type === "ticket.create") as Got;
    expect(created.data).toMatchObject({ ticket_id: id, kind: "run_command", from: "agent:ci", to: "human:alex" });
    expect(created.data).toMatchObject({
      tier: expect.any(String),
      risk: expect.any(Number),
      link: `${front.url}/tickets/${id}`,
    });
    const resolved = receiver.got.find(({ type }) => type === "ticket.resolve") as Got;
    expect(resolved.data).toMatchObject({ state: "REJECTED", outcome: "rejected", actor: "human" });
    expect(JSON.stringify(receiver.got)).not.toMatch(/private plan|rm plan|never do this/);
    const signed = created.headers as Record<string, string>;
    expect(signed["webhook-timestamp"]).toBe(String(Math.floor(front.world.now() / 1000)));
    const now = Math.floor(Date.now() / 1000);
    expect(() => new Webhook(secret).verify(created.body, signed)).toThrow("too old");
    // The library refuses what is older than five minutes, and the test's clock stands in the past: sign with today's.
    const { signedHeaders } = await import("../src/webhooks/sign.ts");
    const today = signedHeaders(secret, "msg_1", now, created.body);
    expect(new Webhook(secret).verify(created.body, today)).toEqual(JSON.parse(created.body));
    expect(() => new Webhook(secret).verify(`${created.body} `, today)).toThrow("No matching signature");
    const again = signedHeaders(secret, signed["webhook-id"] as string, Number(signed["webhook-timestamp"]), created.body);
    expect(signed["webhook-signature"]).toBe(again["webhook-signature"]);
  });

  it("[HOOK-FILTER-1] hears only what it asked for, from its making on", async () => {
    await open(front.agent());
    await addWebhook({ events: ["ticket.create"], filter: { agent: "agent:ci", kind: "deploy" } });
    await open(front.agent("agent:other"), { kind: "deploy" });
    await open(front.agent());
    const id = await open(front.agent(), { kind: "deploy" });
    await until(() => receiver.got.length === 1);
    await until(() => waiting().waiting === 0);
    expect(receiver.got.map(({ data }) => data.ticket_id)).toEqual([id]);
  });

  it("[WEBHOOK-RETRY-1] gets a message again, under the same id, when it failed, hung or redirected", async () => {
    await addWebhook({ events: ["ticket.create"] });
    for (const [at, mood] of ([500, "hang", 302, 200] as const).entries()) {
      receiver.mood = mood;
      if (at === 0) await open(front.agent());
      else front.world.advance(3_600_000);
      await tried(at + 1);
    }
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(receiver.got).toHaveLength(4);
  });

  it("[HOOK-DEAD-1] that fails for a day leaves dead letters, which an owner sends again", async () => {
    await addWebhook({ events: ["ticket.create"] });
    receiver.mood = 503;
    await open(front.agent());
    for (let tries = 1; tries <= 12; tries++) {
      await tried(tries);
      front.world.advance(8 * 3_600_000);
    }
    expect(receiver.got).toHaveLength(12);
    const { dead } = (await front.person()("GET", "/v1/dead-letters")).body as { dead: { id: string }[] };
    expect(dead).toMatchObject([{ type: "ticket.create", tries: 12, problem: "The receiver answered 503", url: receiver.url }]);
    receiver.mood = 200;
    expect((await front.person()("POST", `/v1/dead-letters/${dead[0]?.id}/redeliver`)).status).toBe(202);
    await until(() => receiver.got.length === 13);
    await until(() => waiting().waiting === 0);
    expect(waiting()).toEqual({ waiting: 0, dead: 0 });
    expect((await front.person()("POST", "/v1/dead-letters/nope/redeliver")).body.code).toBe("webhook_not_found");
  });

  it("[HOOK-DEAD-1] that is gone is not tried again", async () => {
    await addWebhook({ events: ["ticket.create"] });
    receiver.mood = 410;
    await open(front.agent());
    await until(() => waiting().dead === 1);
    expect(receiver.got).toHaveLength(1);
  });

  it("[HOOK-DURABLE-1] loses nothing when the server stops in the middle, and hears what happened meanwhile", async () => {
    await addWebhook({ events: ["ticket.create"] });
    receiver.mood = "hang";
    const first = await open(front.agent());
    await until(() => receiver.got.length === 1);
    await front.server.close();
    const other = front.open({ world: front.world, humanId: "human:alex" });
    const meanwhile = other.createTicket({ to: "human:alex" }).id;
    receiver.mood = 200;
    receiver.got.length = 0;
    front.world.advance(60_000);
    others.push(await serve({ dbPath: front.path, home: front.folder, port: 0, world: front.world, allowPrivateWebhooks: true }));
    await until(() => receiver.got.length === 2);
    await until(() => other.countDeliveries().waiting === 0);
    expect(receiver.got.map(({ data }) => data.ticket_id).sort()).toEqual([first, meanwhile].sort());
  });

  it("[HOOK-DURABLE-1] is told once by two servers on one store, when all goes well", async () => {
    others.push(await serve({ dbPath: front.path, home: front.folder, port: 0, world: front.world, allowPrivateWebhooks: true }));
    await addWebhook({ events: ["ticket.create"] });
    const agent = front.agent();
    const ids = await Promise.all(Array.from({ length: 12 }, () => open(agent)));
    await until(() => receiver.got.length >= 12);
    await until(() => waiting().waiting === 0);
    expect(receiver.got.map(({ data }) => data.ticket_id).sort()).toEqual(ids.sort());
  });

  it("[HOOK-OWNER-1] is made, tried, listed and removed by owners alone, and its secret is shown once", async () => {
    const { id, secret } = await addWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await front.person()("GET", "/v1/webhooks");
    expect(listed.body.webhooks).toMatchObject([{ id, url: receiver.url, created_by: "human:alex" }]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    for (const [method, path] of [
      ["POST", "/v1/webhooks"],
      ["GET", "/v1/webhooks"],
      ["DELETE", `/v1/webhooks/${id}`],
      ["POST", `/v1/webhooks/${id}/test`],
      ["GET", "/v1/dead-letters"],
    ] as const) {
      const body = method === "POST" ? { url: receiver.url } : undefined;
      expect((await front.agent()(method, path, body)).body.code, path).toBe("agent_cannot_decide");
      expect((await front.person("human:sam")(method, path, body)).body.code, path).toBe("scope_missing");
      expect((await front.anyone(method, path, body)).body.code, path).toBe("login_needed");
    }
    expect((await front.person()("POST", `/v1/webhooks/${id}/test`)).status).toBe(202);
    await until(() => receiver.got.some(({ type }) => type === "webhook.test"));
    expect((await front.person()("DELETE", `/v1/webhooks/${id}`)).status).toBe(200);
    expect((await front.person()("DELETE", `/v1/webhooks/${id}`)).body.code).toBe("webhook_not_found");
    expect((await front.person()("POST", "/v1/webhooks", { url: receiver.url, events: ["nope"] })).status).toBe(400);
    for (const url of ["nonsense", "ftp://example.org", "http://u:p@127.0.0.1/"])
      expect((await front.person()("POST", "/v1/webhooks", { url })).status, url).toBe(400);
  });
});

it("[HOOK-OWNER-1] a person's client has the same verbs on a store and on a server", async () => {
  const token = front.engine.signIn("human:alex", "token", "code").secret;
  const far = await connectPerson({ url: front.url, token });
  const near = await connectPerson({ dbPath: front.path, home: front.folder, person: "human:alex", world: front.world });
  for (const client of [near, far]) {
    receiver.mood = 410;
    const { id, secret } = await client.createWebhook({ url: receiver.url, filter: { agent: "agent:ci" } });
    expect(secret).toMatch(/^whsec_/);
    expect(await client.listWebhooks()).toMatchObject([{ id, filter: { agent: "agent:ci" } }]);
    const { delivery_id } = await client.testWebhook(id);
    await until(() => waiting().dead === 1);
    expect(await client.deadLetters()).toMatchObject([{ id: delivery_id, type: "webhook.test", tries: 1 }]);
    receiver.mood = 200;
    expect(await client.redeliver(delivery_id)).toMatchObject({ id: delivery_id, webhook_id: id });
    await until(() => waiting().waiting === 0 && waiting().dead === 0);
    expect(await client.removeWebhook(id)).toMatchObject({ id });
    expect(await client.listWebhooks()).toEqual([]);
    await client.close();
  }
});

describe("the guard", () => {
  it("[HOOK-SSRF-1] lets no webhook reach this machine, its network or its cloud, by number or by name", async () => {
    const server = await serve({ dbPath: front.path, home: front.folder, port: 0, world: front.world, humanId: "human:alex" });
    others.push(server);
    const authorization = `Bearer ${server.engine.signIn("human:alex", "token", "code").secret}`;
    for (const host of [
      "127.0.0.1",
      "[::1]",
      "169.254.169.254",
      "10.1.2.3",
      "0x7f.1",
      "2130706433",
      "localhost",
      "[::ffff:7f00:1]",
    ]) {
      const response = await fetch(`${server.url}/v1/webhooks`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ url: `https://${host}/hook` }),
      });
      expect(response.status, host).toBe(400);
      expect(((await response.json()) as { detail: string }).detail, host).toContain("not public");
    }
    const plain = await fetch(`${server.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ url: "http://example.org/hook" }),
    });
    expect(plain.status).toBe(400);
  });

  it("[HOOK-SSRF-1] checks again when it sends, whoever wrote the address into the store", async () => {
    const webhook = { id: "whk_x", secret: "whsec_AAAA", url: receiver.url.replace("http:", "https:") };
    const options = { timeoutMs: 1_000, version: "0", now: Date.now, signal: new AbortController().signal };
    for (const url of [webhook.url, webhook.url.replace("127.0.0.1", "localhost"), receiver.url]) {
      const delivery = { id: "msg_x", body: "{}", tries: 0, webhook: { ...webhook, url } };
      expect(await sendOnce(delivery, { ...options, allowPrivate: false }), url).toMatchObject({
        delivered: false,
        forGood: true,
      });
    }
    expect(receiver.got).toEqual([]);
    const allowed = { id: "msg_x", body: "{}", tries: 0, webhook: { ...webhook, url: receiver.url } };
    expect(await sendOnce(allowed, { ...options, allowPrivate: true })).toEqual({ delivered: true });
  });
});
