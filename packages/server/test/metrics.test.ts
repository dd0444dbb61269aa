import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { Authenticator } from "../../core/test/signing/authenticator.ts";
import { challenge, intentOf } from "../../core/test/signing/decisions.ts";
import { enrolPasskey } from "../../core/test/signing/enrol.ts";
import { type Front, open, openFront } from "./front.ts";

let front: Front;

beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

/** The page as Prometheus reads it. */
async function scrape(url = front.url, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/metrics`, { headers });
  return { status: response.status, text: await response.text() };
}

/** The value of one series, or null. */
function value(text: string, series: string): number | null {
  const line = text.split("\n").find((row) => row.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

/** Scrape until a series has a value: counting follows the log, a moment behind it. */
async function until(series: string, wanted: number): Promise<string> {
  for (;;) {
    const { text } = await scrape();
    if (value(text, series) === wanted) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("metrics", () => {
  it("[METRICS-NAMES-1] have the names and labels of the draft and follow what happens", async () => {
    const [agent, person] = [front.agent(), front.person()];
    const approved = await open(agent, { priority: "high" });
    const changes = await open(agent);
    const refused = await open(agent);
    front.world.advance(90_000);
    await person("POST", `/v1/tickets/${approved}/intents`, { decision: "approve" });
    await person("POST", `/v1/tickets/${changes}/intents`, { decision: "request_changes" });
    await person("POST", `/v1/tickets/${refused}/intents`, { decision: "reject" });
    await agent("POST", `/v1/tickets/${await open(agent, { priority: "low" })}/cancel`, {});
    expect((await person("POST", `/v1/tickets/${approved}/intents`, { decision: "reject" })).status).toBe(409);
    const text = await until('hap_tickets_canceled_total{priority="low"}', 1);
    expect(value(text, 'hap_tickets_created_total{priority="high",risk_bucket="low"}')).toBe(1);
    expect(value(text, 'hap_tickets_approved_total{priority="high"}')).toBe(1);
    expect(value(text, 'hap_tickets_rejected_total{reason="changes_requested"}')).toBe(1);
    expect(value(text, 'hap_tickets_rejected_total{reason="rejected"}')).toBe(1);
    expect(value(text, "hap_intents_verified_total")).toBe(3);
    expect(value(text, 'hap_ticket_approval_duration_seconds_bucket{le="60",priority="high"}')).toBe(0);
    expect(value(text, 'hap_ticket_approval_duration_seconds_bucket{le="120",priority="high"}')).toBe(1);
    expect(value(text, 'hap_human_tickets_total{human="human:alex"}')).toBe(4);
    expect(value(text, "hap_ticket_risk_count")).toBe(4);
    expect(value(text, 'hap_http_requests_total{route="POST /v1/tickets",status="201"}')).toBe(4);
    for (const name of ["hap_tickets_expired_total", "hap_intents_rejected_total", "hap_webauthn_ceremonies_total"])
      expect(text).toContain(`# TYPE ${name} counter`);
  });

  it("[METRICS-NAMES-1] count passkeys' ceremonies, and refusals by the draft's words", async () => {
    const passkey = new Authenticator();
    enrolPasskey(front.engine, passkey);
    const id = await open(front.agent());
    const statement = challenge(front.engine, id);
    const foreign = intentOf(statement, passkey.assert(statement, { origin: "https://evil.example" }));
    expect(() => front.engine.submitIntent(foreign)).toThrow();
    const next = challenge(front.engine, id);
    const intent = intentOf(next, passkey.assert(next));
    front.engine.submitIntent(intent);
    expect(() => front.engine.submitIntent(intent)).toThrow();
    const text = await until('hap_intents_rejected_total{reason="nonce_reuse"}', 1);
    expect(value(text, 'hap_intents_rejected_total{reason="origin_mismatch"}')).toBe(1);
    expect(value(text, "hap_intents_verified_total")).toBe(1);
    expect(value(text, 'hap_webauthn_ceremonies_total{success="true"}')).toBe(2);
    expect(value(text, 'hap_webauthn_ceremonies_total{success="false"}')).toBe(1);
    const login = { nonce: `n_${"0".repeat(32)}`, assertion: intent.signature };
    await front.as({ origin: front.url })("POST", "/v1/login/passkey", login);
    await until('hap_webauthn_ceremonies_total{success="false"}', 2);
  });

  it("[METRICS-FEED-1] count tickets of other processes, from the start of the server on", async () => {
    const other = front.open({ world: front.world, humanId: "human:alex" });
    other.createTicket({ to: "human:alex", ttl_seconds: 60, on_timeout: "auto_reject", priority: "low" });
    const text = await until('hap_tickets_created_total{priority="low",risk_bucket="low"}', 1);
    expect(value(text, 'hap_tickets_open{state="PENDING",priority="low"}')).toBe(1);
    expect(value(text, 'hap_lease_remaining_seconds{priority="low"}')).toBe(60);
    front.world.advance(61_000);
    other.applyDueLeases();
    await until('hap_tickets_expired_total{on_timeout="auto_reject"}', 1);
    const { server } = await openFrontOn(front);
    expect(value((await scrape(server.url)).text, 'hap_tickets_created_total{priority="low",risk_bucket="low"}')).toBeNull();
    expect(value((await scrape(server.url)).text, "hap_log_events")).toBe(front.engine.head().seq);
    await server.close();
  });

  it("[METRICS-BOUND-1] name no ticket, and only so many people", async () => {
    const id = await open(front.agent());
    for (let n = 0; n < 105; n++) front.engine.createTicket({ to: `human:p${n}` });
    const text = await until('hap_human_tickets_total{human="other"}', 6);
    expect(text).not.toContain(id);
    expect(text.match(/^hap_human_tickets_total\{/gm)).toHaveLength(101);
  });

  it("[METRICS-PROMTOOL-1] are what promtool accepts", async () => {
    needProgram("promtool", "prometheus");
    const id = await open(front.agent());
    await front.person()("POST", `/v1/tickets/${id}/intents`, { decision: "approve" });
    const text = await until("hap_intents_verified_total", 1);
    const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    expect(checked.stdout + checked.stderr).toBe("");
    expect(checked.status).toBe(0);
  });

  it("[METRICS-DOOR-1] are for this machine alone, and not for what a proxy on it brings", async () => {
    expect((await scrape()).status).toBe(200);
    for (const header of ["x-forwarded-for", "forwarded", "via"])
      expect((await scrape(front.url, { [header]: "203.0.113.9" })).status, header).toBe(401);
  });

  it("[METRICS-DOOR-2] need the token where there is one, and guessing is slowed", async () => {
    const { server } = await openFrontOn(front, { metricsToken: "open-sesame" });
    const read = (token: string) => scrape(server.url, { authorization: `Bearer ${token}` });
    expect((await scrape(server.url)).status).toBe(401);
    expect((await read("open-sesame")).status).toBe(200);
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await read(`guess-${n}`)).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    await server.close();
  });
});

/** Another server on the same store. */
async function openFrontOn(on: Front, more: Record<string, unknown> = {}) {
  const { serve } = await import("../src/index.ts");
  return { server: await serve({ dbPath: on.path, home: on.folder, port: 0, humanId: "human:alex", world: on.world, ...more }) };
}
