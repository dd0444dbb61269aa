// Who comes in, and who does not: keys, sign-ins, hosts, origins, limits, and errors that say what to do.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Front, open, openFront } from "./front.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

describe("API keys", () => {
  it("[KEY-LIFE-1] are shown once, kept as hashes, used, rotated and revoked", async () => {
    const owner = front.person();
    const made = await owner("POST", "/v1/keys", { agent: "agent:ci", expires_in_seconds: 3600 });
    const key = made.body.key as string;
    expect(made.status).toBe(201);
    expect(JSON.stringify((await owner("GET", "/v1/keys")).body)).not.toContain(key);
    expect(JSON.stringify(front.engine.getEvents())).not.toContain(key);
    const use = (secret: string) => front.as({ authorization: `Bearer ${secret}` })("GET", "/v1/me");
    expect((await use(key)).body).toMatchObject({ kind: "agent", id: "agent:ci", scopes: ["create", "read_own"] });
    expect(((await owner("GET", "/v1/keys")).body.keys as { last_used_at: string }[])[0]?.last_used_at).not.toBeNull();
    const rotated = await owner("POST", `/v1/keys/${made.body.id}/rotate`);
    expect((await use(key)).body).toMatchObject({ code: "key_invalid" });
    expect((await use(rotated.body.key as string)).status).toBe(200);
    await owner("DELETE", `/v1/keys/${rotated.body.id}`);
    expect((await use(rotated.body.key as string)).status).toBe(401);
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[KEY-LIFE-1] end when they expire", async () => {
    const { key } = front.engine.createKey({ agent: "agent:ci", expiresInSeconds: 60 }, "human:alex");
    const agent = front.as({ authorization: `Bearer ${key}` });
    expect((await agent("GET", "/v1/me")).status).toBe(200);
    front.world.advance(60_000);
    expect((await agent("GET", "/v1/me")).body.detail).toMatch(/expired at/);
  });

  it("[KEY-OWNER-1] are made by owners alone", async () => {
    expect((await front.person("human:sam")("POST", "/v1/keys", { agent: "agent:ci" })).status).toBe(403);
    expect(() => front.engine.createKey({ agent: "agent:ci" }, "human:sam")).toThrow(/Only owners/);
  });

  it("[KEY-FORGED-1] put into the store past the log are found by verification", async () => {
    front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(front.path);
    database.exec('UPDATE api_keys SET scopes=\'["create","read_own","read_all"]\'');
    database.close();
    expect(front.engine.verifyEventLog()).toMatchObject({ ok: false });
  });
});

describe("signing in", () => {
  it("[LOGIN-CODE-1] takes the code from the terminal, once, for a cookie or a token", async () => {
    const { code } = front.engine.issueCode({ purpose: "login", person: "human:alex" });
    const login = await front.anyone("POST", "/v1/login/code", { code });
    expect(login.body).toMatchObject({ person: "human:alex" });
    expect(login.body.token).toBeUndefined();
    const cookie = login.headers.get("set-cookie") as string;
    expect(cookie).toMatch(/^hap=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const page = front.as({ cookie: cookie.split(";")[0] as string, origin: front.url });
    expect((await page("GET", "/v1/me")).body).toMatchObject({ kind: "person", id: "human:alex", role: "owner" });
    expect((await front.anyone("POST", "/v1/login/code", { code })).status).toBe(403);
    expect((await page("POST", "/v1/logout")).status).toBe(204);
    expect((await page("GET", "/v1/me")).status).toBe(401);
  });

  it("[LOGIN-LIMIT-1] slows down those who guess codes or keys", async () => {
    let answer = await front.anyone("POST", "/v1/login/code", { code: "0000-0000" });
    for (let tries = 0; tries < 20 && answer.status !== 429; tries++)
      answer = await front.anyone("GET", "/v1/me", undefined, {
        authorization: `Bearer hap_${"0".repeat(26)}_${"a".repeat(43)}`,
      });
    expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await front.person()("GET", "/v1/me")).status).toBe(200);
    front.world.advance(60_000);
    expect((await front.anyone("POST", "/v1/login/code", { code: "0000-0000" })).status).not.toBe(429);
  });

  it("[LOGIN-SESSION-1] ends after a while without use, and everywhere at once when asked", async () => {
    const one = front.person();
    const two = front.person();
    expect((await one("POST", "/v1/logout", { everywhere: true })).status).toBe(204);
    expect((await two("GET", "/v1/me")).status).toBe(401);
    const three = front.person();
    front.world.advance(31 * 86_400_000);
    expect((await three("GET", "/v1/me")).body.code).toBe("login_needed");
  });
});

describe("the door", () => {
  it("[HTTP-HOST-1] answers to its own names alone (DNS rebinding)", async () => {
    const { request } = await import("node:http");
    const { port } = new URL(front.url);
    const status = (host: string) =>
      new Promise<number>((resolve, reject) => {
        request({ host: "127.0.0.1", port, path: "/v1/me", headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on("error", reject)
          .end();
      });
    expect(await status(`evil.example:${port}`)).toBe(403);
    for (const name of ["localhost", "127.0.0.1", "hap.localhost"]) expect(await status(`${name}:${port}`), name).toBe(401);
  });

  it("[HTTP-CSRF-1] takes changes with a cookie from its own page alone", async () => {
    const { secret } = front.engine.signIn("human:alex", "cookie", "code");
    const id = await open(front.agent());
    const from = (origin: Record<string, string>) =>
      front.as({ cookie: `hap=${secret}`, ...origin })("POST", `/v1/tickets/${id}/intents`, { decision: "reject" });
    expect(await from({ origin: "https://evil.example" })).toMatchObject({ status: 403, body: { code: "origin_refused" } });
    expect((await from({})).status).toBe(403);
    expect(
      (await front.as({ cookie: `hap=${secret}` })("POST", "/v1/logout", "x=1", { "content-type": "text/plain" })).status,
    ).toBe(403);
    expect((await from({ origin: front.url })).body.state).toBe("REJECTED");
  });

  it("[HTTP-CSRF-1] does not take a cookie's secret as a token, or the other way round", async () => {
    const { secret: cookie } = front.engine.signIn("human:alex", "cookie", "code");
    const { secret: token } = front.engine.signIn("human:alex", "token", "code");
    expect((await front.as({ authorization: `Bearer ${cookie}` })("GET", "/v1/me")).status).toBe(401);
    expect((await front.as({ cookie: `hap=${token}` })("GET", "/v1/me")).status).toBe(401);
  });

  it("[HTTP-HEADERS-1] sends a strict policy with everything", async () => {
    for (const path of ["/healthz", "/v1/me", "/nowhere", "/openapi.json"]) {
      const { headers } = await front.anyone("GET", path);
      expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("access-control-allow-origin"), path).toBeNull();
    }
  });

  it("[HTTP-PROBLEM-1] tells every error as problem details", async () => {
    const [agent, owner] = [front.agent(), front.person()];
    for (const [answer, status, code] of [
      [await front.anyone("GET", "/v1/inbox"), 401, "login_needed"],
      [await front.anyone("POST", "/v1/tickets", {}), 401, "login_needed"],
      [await agent("GET", "/v1/tickets/tk_nothere"), 404, "ticket_not_found"],
      ...(await Promise.all(
        [
          owner("GET", "/v1/tickets/tk_nothere"),
          owner("GET", "/v1/tickets/tk_nothere?wait=5"),
          owner("GET", "/v1/tickets/tk_nothere/history"),
          owner("GET", "/v1/tickets/tk_nothere/needed"),
          owner("GET", "/v1/events?ticket=tk_nothere"),
          owner("POST", "/v1/tickets/tk_nothere/deliver"),
          owner("POST", "/v1/tickets/tk_nothere/ack"),
          owner("POST", "/v1/tickets/tk_nothere/extend", { seconds: 60 }),
          owner("POST", "/v1/tickets/tk_nothere/intents", { decision: "approve" }),
          owner("POST", "/v1/tickets/tk_nothere/challenges", { decision: "approve" }),
        ].map(async (asked) => [await asked, 404, "ticket_not_found"] as const),
      )),
      [await agent("POST", "/v1/tickets", "{"), 400, "invalid_json"],
      [await agent("POST", "/v1/tickets", "[]"), 400, "invalid_input"],
      [await agent("POST", "/v1/tickets", { to: "human:alex", risk: 9 }), 400, "invalid_input"],
      [await agent("POST", "/v1/tickets", { to: "human:alex", ttl_seconds: 0 }), 400, "invalid_input"],
      [await agent("POST", "/v1/tickets", { to: "human:alex", summary: "a\u0000b" }), 400, "invalid_input"],
      [await agent("POST", "/v1/tickets", "x=1", { "content-type": "text/plain" }), 400, "invalid_input"],
      [await agent("POST", "/v1/tickets", `{"summary":"${"x".repeat(5_000_000)}"}`), 413, "too_large"],
      [await agent("GET", "/v1/events?after=nonsense"), 400, "invalid_cursor"],
      [await agent("GET", "/v1/events?limit=1&limit=2"), 400, "invalid_input"],
      [await front.anyone("GET", "/v1/nowhere"), 404, "route_not_found"],
    ] as const) {
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.body).toMatchObject({ title: expect.any(String), detail: expect.any(String), status });
    }
  });

  it("[HTTP-PLAIN-1] speaks plain HTTP on loopback alone", async () => {
    await expect(openFront({ host: "0.0.0.0" })).rejects.toThrow(/open wire/);
  });

  it("[HTTP-HEALTH-1] says that it is alive, and ready or not", async () => {
    expect((await front.anyone("GET", "/healthz")).status).toBe(200);
    expect((await front.anyone("GET", "/readyz")).body).toMatchObject({ status: "ready" });
    const { DatabaseSync } = await import("node:sqlite");
    await open(front.agent());
    const person = front.person();
    const database = new DatabaseSync(front.path);
    database.exec("DROP TRIGGER events_not_changed");
    database.exec("UPDATE events SET payload=replace(payload, 'agent:ci', 'agent:xx') WHERE seq>2");
    database.close();
    expect(front.engine.verifyEventLog({ chainOnly: true }).ok).toBe(false);
    expect(await front.anyone("GET", "/readyz")).toMatchObject({ status: 503, body: { status: "read_only" } });
    expect((await person("GET", "/v1/log")).body.violation).toMatch(/hash mismatch/);
  });
});

it("[HTTP-PROBLEM-1] a method that an address does not have is refused, and those it has are named", async () => {
  const answer = await front.agent()("DELETE", "/v1/tickets");
  expect([answer.status, answer.body.code, answer.headers.get("allow")]).toEqual([405, "method_not_allowed", "POST, GET"]);
});

it("[HTTP-PROBLEM-1] where nothing is, the API says so as a problem, also beside the page", async () => {
  const folder = join(front.folder, "page");
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  const withPage = await openFront({ pageFolder: folder });
  try {
    const get = (path: string) => withPage.anyone("GET", path);
    expect((await get("/tickets/tk_abc")).body).toEqual({ text: "<!doctype html>" });
    for (const path of ["/v1/nothing", "/v1", "/v1/tickets/tk_abc/nothing", "/%ff", "/missing.js"])
      expect(await get(path), path).toMatchObject({ status: 404, body: { code: "route_not_found" } });
  } finally {
    await withPage.close();
  }
});
