import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connectAgent } from "@hap/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openLog, readLogLevel } from "../src/observe/log.ts";
import { redactText } from "../src/observe/redact.ts";
import { type Front, open, openFront } from "./front.ts";

const AGENT_TRACE = "0af7651916cd43dd8448eb211c80319c";
const AGENT_SPAN = "b7ad6b7169203331";
const traceparent = `00-${AGENT_TRACE}-${AGENT_SPAN}-01`;

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number; doubleValue?: number } }[];
};

/** A collector: takes OTLP as JSON over HTTP and keeps the spans. One that hangs answers nobody. */
async function openCollector(hangs = false) {
  const spans: OtlpSpan[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    if (!hangs) response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    spans,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const lines: Record<string, unknown>[] = [];
const logged = {
  logLevel: "debug" as const,
  // The verification at start writes its line whenever it is done.
  logLine: (line: string) => void (line.includes('"Log verified"') || lines.push(JSON.parse(line))),
};
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  lines.length = 0;
});

async function start(options: Parameters<typeof openFront>[0]): Promise<Front> {
  const front = await openFront(options);
  closing.push(front.close);
  return front;
}

describe("traces", () => {
  it("[TRACE-SPAN-1] join the agent's trace and carry the draft's names, and the log has their ids", async () => {
    const collector = await openCollector();
    closing.push(collector.close);
    const front = await start({ otlp: collector.url, ...logged });
    const agent = front.agent();
    const id = (await agent("POST", "/v1/tickets", { to: "human:alex", priority: "high" }, { traceparent })).body.id;
    await front.person()("POST", `/v1/tickets/${id}/intents`, { decision: "approve" });
    await front.server.close();
    const [request, created] = ["POST /v1/tickets", "ticket.create"].map((name) =>
      collector.spans.find((span) => span.name === name),
    );
    expect(request).toMatchObject({ traceId: AGENT_TRACE, parentSpanId: AGENT_SPAN });
    expect(created).toMatchObject({ traceId: AGENT_TRACE, parentSpanId: request?.spanId });
    const attributes = Object.fromEntries(
      (created?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? value.intValue]),
    );
    expect(attributes).toMatchObject({ "ticket.id": id, "ticket.to": "human:alex", "ticket.priority": "high" });
    expect(attributes["ticket.risk"]).toBeTypeOf("number");
    expect(collector.spans.some(({ name, traceId }) => name === "intent.sign" && traceId !== AGENT_TRACE)).toBe(true);
    expect(lines.find(({ msg }) => msg === "Ticket created")).toMatchObject({
      trace_id: AGENT_TRACE,
      span_id: created?.spanId,
    });
  });

  it("[TRACE-LAZY-1] without a collector the log still has the agent's trace, and a malformed one is no trace", async () => {
    const front = await start(logged);
    const agent = front.agent();
    await agent("POST", "/v1/tickets", { to: "human:alex" }, { traceparent });
    await agent("POST", "/v1/tickets", { to: "human:alex" }, { traceparent: `00-${"0".repeat(32)}-${AGENT_SPAN}-01` });
    await agent("POST", "/v1/tickets", { to: "human:alex" }, { traceparent: "x\tnonsense" });
    expect(lines.map(({ trace_id }) => trace_id)).toEqual([AGENT_TRACE, undefined, undefined]);
  });

  it("[TRACE-SPAN-1] our own client joins the trace that its process is part of", async () => {
    const front = await start(logged);
    const { key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    for (const given of [traceparent, "no\ntrace"]) {
      process.env.TRACEPARENT = given;
      const agent = await connectAgent({ url: front.url, apiKey: key });
      delete process.env.TRACEPARENT;
      await agent.createTicket({ to: "human:alex" });
      await agent.close();
    }
    const ids = lines.filter(({ msg }) => msg === "Ticket created").map(({ trace_id }) => trace_id);
    expect(ids).toEqual([AGENT_TRACE, undefined]);
  });

  it("[TRACE-LAZY-1] a collector that hangs does not keep the server from stopping", async () => {
    const collector = await openCollector(true);
    closing.push(collector.close);
    const front = await start({ otlp: collector.url });
    await open(front.agent());
    await front.server.close();
    expect(collector.spans.length).toBeGreaterThan(0);
  });
});

describe("a WebSocket", () => {
  it("[LIVE-OBSERVE-1] has a log line and a span in the agent's trace, and a refused one gets problem details", async () => {
    const collector = await openCollector();
    closing.push(collector.close);
    const front = await start({ otlp: collector.url, ...logged });
    const { key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const address = `${front.url.replace("http", "ws")}/v1/events/socket`;
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}`, traceparent } });
    await once(socket, "message");
    socket.terminate();
    const refused = new WebSocket(address);
    const [, response] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
    let body = "";
    for await (const chunk of response) body += chunk;
    expect(response.headers).toMatchObject({ "content-type": "application/problem+json" });
    expect(JSON.parse(body)).toMatchObject({ status: 401, code: "login_needed", title: expect.any(String) });
    const nonsense = await fetch(`${front.url}/v1/events/socket`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(nonsense.status).toBe(404);
    const counted = await (await fetch(`${front.url}/metrics`)).text();
    expect(counted).toContain('hap_http_requests_total{route="GET /v1/events/socket",status="101"} 1');
    await front.server.close();
    const common = { method: "GET", route: "/v1/events/socket", duration_ms: expect.any(Number) };
    const [opened, warned] = lines.filter(({ route }) => route === "/v1/events/socket");
    const span = collector.spans.find(({ traceId }) => traceId === AGENT_TRACE);
    expect(span).toMatchObject({ name: "GET /v1/events/socket", parentSpanId: AGENT_SPAN });
    expect(opened).toMatchObject({ ...common, level: "info", status: 101, by: "agent:ci", trace_id: AGENT_TRACE });
    expect(opened?.span_id).toBe(span?.spanId);
    expect(warned).toMatchObject({ ...common, level: "warn", status: 401, msg: "Request refused" });
  });
});

describe("the log", () => {
  it("[LOG-LINE-1] has one line a request with the draft's fields, and no word of its body", async () => {
    const front = await start(logged);
    const id = await open(front.agent("agent:code_assist"), { summary: "a private plan", priority: "low" });
    await front.anyone("GET", `/v1/tickets/${id}`);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual({
      level: "info",
      ts: "2026-01-31T10:00:00.000Z",
      msg: "Ticket created",
      method: "POST",
      route: "/v1/tickets",
      status: 201,
      duration_ms: expect.any(Number),
      by: "agent:code_assist",
      ticket_id: id,
      from: "agent:code_assist",
      to: "human:alex",
      risk: expect.any(Number),
      priority: "low",
      state: "PENDING",
    });
    expect(lines[1]).toMatchObject({ level: "warn", msg: "Request refused", route: "/v1/tickets/{id}", status: 401 });
    expect(JSON.stringify(lines)).not.toContain("private plan");
  });

  it("[LOG-SECRET-1] never holds a secret, whatever field or message it is in", async () => {
    const front = await start(logged);
    const { key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const { secret } = front.engine.signIn("human:alex", "token", "code");
    const { code } = front.engine.issueCode({ purpose: "login", person: "human:alex" });
    const text: string[] = [];
    const log = openLog("debug", (line) => text.push(line));
    const webhook = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";
    for (const hidden of [key, secret, code, webhook, token]) {
      log.write("info", `it said ${hidden}`, { note: `x ${hidden} y`, deep: [{ note: hidden }] });
      log.unexpected("failed", new Error(`bad header Bearer ${hidden}`));
    }
    log.write("info", "fields", { authorization: "abc", cookie: "hap=abc", code: "abc", nested: { token: "abc" } });
    log.write("info", "http://u:hunter2@example.org/cb?code=hunter2&x=1", { note: "hap=hunter2; y" });
    await front.as({ authorization: `Bearer ${key}x` })("GET", `/v1/tickets?cursor=${secret}`);
    const all = text.join("") + JSON.stringify(lines);
    for (const hidden of [key, secret, code, webhook, token, "abc", "hunter2"]) expect(all).not.toContain(hidden);
    expect(text).toHaveLength(12);
  });

  it("[LOG-SECRET-1] leaves what is no secret", () => {
    const plain = "tk_01JABCDEFGHJKMNPQRSTVWXYZ0 of agent:ci at 2026-01-31T10:00:00.000Z: sha256:0a1b2c (409)";
    expect(redactText(plain)).toBe(plain);
  });

  it("[LOG-LEVEL-1] writes lines of its level and above, and knows no other levels", async () => {
    const front = await start({ ...logged, logLevel: "warn" });
    await open(front.agent());
    expect(lines).toEqual([]);
    await front.anyone("GET", "/v1/tickets");
    expect(lines).toHaveLength(1);
    expect(() => readLogLevel("loud", "HAP_LOG")).toThrow("HAP_LOG is loud; it must be of debug, info, warn, error, silent.");
  });
});
