import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { makePushKeys, readPushKeys, type ServeOptions } from "../src/index.ts";
import { type Front, open, openFront } from "./front.ts";
import { openPushService, type Pushed, senderOf } from "./push-service.ts";

type Service = Awaited<ReturnType<typeof openPushService>>;

const folder = mkdtempSync(join(tmpdir(), "hap-push-keys-"));
const file = join(folder, "push-keys.json");
const made = makePushKeys(file, "mailto:ops@example.org");
const keys = readPushKeys({ fallback: file, env: {} });
let service: Service;
let front: Front;
const lines: string[] = [];

const start = (more: ServeOptions = {}) =>
  openFront({ pushKeys: keys, allowPrivatePush: true, logLevel: "debug", logLine: (line) => lines.push(line), ...more });

beforeAll(async () => {
  needProgram("openssl");
  service = await openPushService();
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  service.got.length = 0;
  service.mood = 201;
  lines.length = 0;
  front = await start();
});
afterEach(() => front.close());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function subscribe(person = "human:alex") {
  const browser = service.browser();
  const { status, body } = await front.person(person)("POST", "/v1/push/subscriptions", browser.subscription);
  expect(status, JSON.stringify(body)).toBe(201);
  return browser;
}

/** Every call so far was heard of: a ticket for somebody else, who has a browser too, comes after it. */
async function settled(): Promise<void> {
  const marker = await subscribe("human:zoe");
  await open(front.agent("agent:marker"), { to: "human:zoe", summary: "marker" });
  await until(() => service.got.some(({ path }) => marker.endpoint.endsWith(path)));
}

const callsTo = ({ endpoint }: { endpoint: string }) => service.got.filter(({ path }) => endpoint.endsWith(path));

describe("Web Push", () => {
  it("[PUSH-CALL-1, PUSH-WORDS-1] calls a person's browsers when a ticket comes, encrypted for each alone, without its words", async () => {
    const [phone, desk] = [await subscribe(), await subscribe()];
    const sam = await subscribe("human:sam");
    const id = await open(front.agent(), {
      kind: "run_command",
      summary: "a private plan",
      details: { command: "rm -rf /srv/plan" },
      project: "/srv/secret-project",
    });
    await until(() => callsTo(phone).length === 1 && callsTo(desk).length === 1);
    const pushed = callsTo(phone)[0] as Pushed;
    const told = phone.read(pushed.body);
    expect(told).toEqual({
      ticket_id: id,
      code: id.slice(-6),
      from: "agent:ci",
      priority: "normal",
      tier: "critical",
      approval: true,
      why: "new",
    });
    expect(JSON.stringify(told)).not.toMatch(/plan|secret|\/srv/);
    expect(() => desk.read(pushed.body)).toThrow();
    expect(pushed.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "3600", urgency: "high" });
    const { key, claims } = senderOf(pushed);
    expect(key).toBe(made.publicKey);
    expect(claims).toMatchObject({ aud: service.url, sub: "mailto:ops@example.org" });
    await settled();
    expect(callsTo(sam)).toEqual([]);
    expect(callsTo(phone)).toHaveLength(1);
  });

  it("[PUSH-SUMMARY-1] tells the summary to a browser whose person allowed it, and to no other", async () => {
    const [phone, desk] = [await subscribe(), await subscribe()];
    const allowed = { ...phone.subscription, summary: true };
    expect((await front.person("human:alex")("POST", "/v1/push/subscriptions", allowed)).status).toBe(201);
    await open(front.agent(), { summary: "Fix a typo" });
    await until(() => callsTo(phone).length === 1 && callsTo(desk).length === 1);
    expect(phone.read((callsTo(phone)[0] as Pushed).body)).toMatchObject({ summary: "Fix a typo", approval: true });
    expect(desk.read((callsTo(desk)[0] as Pushed).body)).not.toHaveProperty("summary");
  });

  it("[PUSH-TOPIC-1] shows the push service a topic that is the same for one ticket and browser, and tells nothing", async () => {
    const [phone, desk] = [await subscribe(), await subscribe()];
    const id = await open(front.agent(), { ttl_seconds: 600 });
    await until(() => callsTo(phone).length === 1 && callsTo(desk).length === 1);
    front.world.advance(545_000);
    const other = await open(front.agent());
    await until(() => callsTo(phone).length === 3 && callsTo(desk).length === 3);
    const topics = (browser: typeof phone) =>
      callsTo(browser).map(({ body, headers }) => [
        (browser.read(body) as { ticket_id: string }).ticket_id,
        headers.topic as string,
      ]);
    const [ofPhone, ofDesk] = [topics(phone), topics(desk)];
    for (const seen of [ofPhone, ofDesk]) {
      expect(new Set(seen.filter(([ticket]) => ticket === id).map(([, topic]) => topic)).size).toBe(1);
      expect(new Set(seen.map(([, topic]) => topic)).size).toBe(2);
    }
    expect(ofPhone.filter(([, topic]) => ofDesk.some(([, shown]) => shown === topic))).toEqual([]);
    for (const { headers, path } of [...callsTo(phone), ...callsTo(desk)]) {
      expect(headers.topic).toMatch(/^[A-Za-z0-9_-]{32}$/);
      for (const ticket of [id, other])
        expect(JSON.stringify([headers, path])).not.toMatch(new RegExp(`${ticket.slice(3)}|${ticket.slice(-6)}`));
    }
  });

  it("[PUSH-CALL-1] calls whom a ticket is given to, and whom it is escalated to", async () => {
    const sam = await subscribe("human:sam");
    const id = await open(front.agent(), { summary: "for alex first" });
    await front.person()("POST", `/v1/tickets/${id}/reassign`, { to: "human:sam" });
    await until(() => callsTo(sam).length === 1);
    expect(sam.read((callsTo(sam)[0] as Pushed).body)).toMatchObject({ ticket_id: id, why: "new" });
    const second = await open(front.agent(), { summary: "later", ttl_seconds: 30, escalate_to: ["human:sam"] });
    front.world.advance(31_000);
    front.engine.list();
    await until(() => callsTo(sam).length === 2);
    expect(sam.read((callsTo(sam)[1] as Pushed).body)).toMatchObject({ ticket_id: second });
  });

  it("[PUSH-LAST-1] calls once more in the last minute of a lease that nobody has looked at", async () => {
    const alex = await subscribe();
    const id = await open(front.agent(), { summary: "please", ttl_seconds: 600 });
    await until(() => callsTo(alex).length === 1);
    front.world.advance(545_000);
    // Any event wakes the caller; the second shows that the last minute is told once.
    await open(front.agent("agent:other"), { to: "human:sam", summary: "wakes" });
    await until(() => callsTo(alex).length === 2);
    const last = callsTo(alex)[1] as Pushed;
    expect(alex.read(last.body)).toMatchObject({ ticket_id: id, why: "last_minute" });
    expect(last.headers).toMatchObject({ ttl: "55", urgency: "high" });
    await settled();
    expect(callsTo(alex)).toHaveLength(2);
  });

  it.each([404, 410])("[PUSH-GONE-1] forgets a browser when its push service answers %s", async (status) => {
    const alex = await subscribe();
    service.mood = status;
    await open(front.agent());
    await until(() => front.engine.countPushSubscriptions("human:alex") === 0);
    service.mood = 201;
    await open(front.agent());
    await settled();
    expect(callsTo(alex)).toHaveLength(1);
  });

  it("[PUSH-GONE-1] tries again when the push service is busy, and keeps the browser", async () => {
    const alex = await subscribe();
    let answers = 0;
    service.mood = () => (answers++ === 0 ? 503 : 201);
    await open(front.agent());
    await until(() => callsTo(alex).length === 2);
    expect(front.engine.countPushSubscriptions("human:alex")).toBe(1);
  });

  it("[PUSH-OFF-1] calls no browser that was switched off, nor one of somebody who signed out everywhere", async () => {
    const alex = front.person();
    const browser = await subscribe();
    const off = (as: typeof alex, endpoint: string) => as("POST", "/v1/push/subscriptions/remove", { endpoint });
    expect((await off(front.person("human:sam"), browser.endpoint)).status).toBe(204);
    expect((await alex("GET", "/v1/push")).body).toEqual({ public_key: made.publicKey, browsers: 1 });
    expect((await off(alex, browser.endpoint)).status).toBe(204);
    expect((await alex("GET", "/v1/push")).body).toEqual({ public_key: made.publicKey, browsers: 0 });
    const again = await subscribe();
    expect((await alex("POST", "/v1/logout", { everywhere: true })).status).toBeLessThan(300);
    expect(front.engine.countPushSubscriptions("human:alex")).toBe(0);
    await open(front.agent());
    await settled();
    expect([...callsTo(browser), ...callsTo(again)]).toEqual([]);
  });

  it("[PUSH-GUARD-1] sends to public https addresses alone, unless the operator says so", async () => {
    const strict = await start({ allowPrivatePush: false });
    const browser = service.browser();
    const post = (endpoint: string) => strict.person()("POST", "/v1/push/subscriptions", { ...browser.subscription, endpoint });
    for (const endpoint of ["https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.7/x", "https://localhost/x"]) {
      const { status, body } = await post(endpoint);
      expect([endpoint, status, body.detail]).toEqual([endpoint, 400, expect.stringContaining("--allow-private-push")]);
    }
    expect((await post("http://push.example.org/x")).body.detail).toContain("https");
    // What was let in before the operator changed their mind is refused when it is sent.
    strict.engine.addPushSubscription("human:alex", browser.subscription, made.publicKey);
    await open(strict.agent());
    await until(() => lines.some((line) => line.includes("Push call not sent") && line.includes("not public")));
    expect(service.got).toEqual([]);
    await strict.close();
    expect(
      (await front.person()("POST", "/v1/push/subscriptions", { ...browser.subscription, endpoint: "http://localhost/x" }))
        .status,
    ).toBe(400);
  });

  it.each([
    ["p256dh", { p256dh: "AAAA" }, "keys.p256dh"],
    ["a point off the curve", { p256dh: Buffer.alloc(65, 4).toString("base64url") }, "keys.p256dh"],
    ["auth", { auth: "AAAA" }, "keys.auth"],
  ])("[PUSH-GUARD-1] refuses a subscription whose %s is wrong", async (_, change, field) => {
    const { endpoint, keys: fine } = service.browser().subscription;
    const { status, body } = await front.person()("POST", "/v1/push/subscriptions", { endpoint, keys: { ...fine, ...change } });
    expect([status, body.field]).toEqual([400, field]);
  });

  it("[PUSH-KEYS-1] says that it is not configured, and takes no browser then", async () => {
    const bare = await openFront();
    expect((await bare.person()("GET", "/v1/push")).body).toEqual({ public_key: null, browsers: 0 });
    const { status, body } = await bare.person()("POST", "/v1/push/subscriptions", service.browser().subscription);
    expect([status, body.detail]).toEqual([400, expect.stringContaining("hap push keys")]);
    expect((await bare.agent()("GET", "/v1/push")).status).toBe(403);
    await bare.close();
  });

  it("[PUSH-KEYS-1] keeps the private key in a file of its owner, and out of the store, the log and every answer", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const secret = JSON.parse(readFileSync(file, "utf8")).private_key as string;
    const alex = await subscribe();
    await open(front.agent());
    await until(() => callsTo(alex).length === 1);
    const answers = [(await front.person()("GET", "/v1/push")).body, (await front.anyone("GET", "/openapi.json")).body];
    expect(JSON.stringify([answers, lines])).not.toContain(secret);
    expect(lines.join("")).not.toContain(alex.endpoint);
    expect(spawnSync("grep", ["-rlF", "-e", secret, front.folder], { encoding: "utf8" })).toMatchObject({
      status: 1,
      stdout: "",
    });
  });

  it("[PUSH-KEYS-1] refuses keys that others can read, that are no pair, or that would replace others", () => {
    expect(() => makePushKeys(file, "mailto:ops@example.org")).toThrow("exists");
    expect(() => makePushKeys(join(folder, "new"), "ops")).toThrow("--contact must be mailto:");
    chmodSync(file, 0o640);
    expect(() => readPushKeys({ fallback: file, env: {} })).toThrow("chmod 600");
    chmodSync(file, 0o600);
    expect(readPushKeys({ fallback: join(folder, "none"), env: {} })).toBeUndefined();
    expect(() => readPushKeys({ file: join(folder, "none"), fallback: file, env: {} })).toThrow("cannot be read (ENOENT)");
    const env = { HAP_PUSH_PRIVATE_KEY: keys?.privateKey, HAP_PUSH_CONTACT: "https://example.org/contact" };
    expect(readPushKeys({ fallback: file, env })?.publicKey).toBe(made.publicKey);
    expect(() => readPushKeys({ fallback: file, env: { HAP_PUSH_PRIVATE_KEY: "short" } })).toThrow(
      "HAP_PUSH_PRIVATE_KEY must be",
    );
  });
});
