// One agent cannot slow others, reading changes nothing, and what one may not see is not there (D8, D34).

import { Classifier } from "@hap/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Front, open, openFront } from "./front.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

const context = { cwd: "/project", projectRoot: "/project", home: "/home/a" };

describe("classification", () => {
  it("[SLOW-AGENT-1] of a long command happens in another thread, and finds what it would find here", async () => {
    const classifier = new Classifier(60_000);
    const command = `rm -rf build && ${"echo a; ".repeat(60)}ls`;
    expect((await classifier.find({ command, context }, "agent:a")).effects).toEqual(expect.arrayContaining(["delete_inside"]));
    classifier.close();
  });

  it("[SLOW-AGENT-1] that takes too long ends as unreadable, and the next command is classified", async () => {
    const classifier = new Classifier(1);
    const hostile = { command: `echo ${"$(".repeat(12_000)}`, context };
    expect((await classifier.find(hostile, "agent:a")).effects).toEqual(["opaque", "unknown"]);
    classifier.close();
    expect((await classifier.find(hostile, "agent:a")).effects).toEqual(["opaque", "unknown"]);
  });

  it("[SLOW-AGENT-1] takes the agents in turn: one with many waits for those with few", async () => {
    const classifier = new Classifier(60_000);
    const order: string[] = [];
    const ask = (agent: string, word: string) =>
      classifier.find({ command: `echo ${word}`, context }, agent).then(() => order.push(agent));
    await Promise.all([ask("agent:a", "1"), ask("agent:a", "2"), ask("agent:a", "3"), ask("agent:b", "4")]);
    expect(order.indexOf("agent:b")).toBeLessThan(3);
    classifier.close();
  });

  it("[SLOW-AGENT-1] of a hostile 50 kB command opens a critical ticket, and only a person ends it", async () => {
    const command = `echo ${"$(".repeat(24_000)}`;
    const { status, body } = await front.agent()("POST", "/v1/tickets", {
      to: "human:alex",
      kind: "run_command",
      details: { command },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ tier: "critical", effects: expect.arrayContaining(["opaque"]) });
  });
});

describe("reading", () => {
  it("[DELIVER-EXPLICIT-1] changes nothing: no GET delivers, and delivery is a call of its own", async () => {
    const id = await open(front.agent());
    const person = front.person();
    const length = () => front.engine.getEvents({ limit: 1000 }).length;
    const before = length();
    for (const path of ["/v1/inbox", "/v1/tickets", `/v1/tickets/${id}`, `/v1/tickets/${id}/history`, `/v1/tickets/${id}/needed`])
      expect((await person("GET", path)).status).toBe(200);
    expect(length()).toBe(before);
    expect(front.engine.getTicket(id).state).toBe("PENDING");
    const delivered = await person("POST", "/v1/deliveries", { ids: [id] });
    expect(delivered.body.tickets).toMatchObject([{ id, state: "DELIVERED" }]);
    expect(length()).toBe(before + 1);
  });

  it("[VISIBLE-404-1] what the caller may not see is not there, whatever they do with it", async () => {
    const id = await open(front.agent("agent:ci"));
    const other = front.agent("agent:other");
    for (const [method, path, body] of [
      ["GET", `/v1/tickets/${id}`, undefined],
      ["POST", `/v1/tickets/${id}/cancel`, {}],
      ["POST", `/v1/tickets/${id}/notes`, { text: "x" }],
      ["POST", `/v1/tickets/${id}/renew`, {}],
      ["POST", `/v1/tickets/${id}/heard`, {}],
      ["POST", `/v1/tickets/${id}/consume`, { call_hash: `sha256:${"0".repeat(64)}` }],
      ["POST", `/v1/tickets/${id}/relay`, { answer: "yes" }],
      ["GET", "/v1/agents/agent:ci", undefined],
    ] as const)
      expect([path, (await other(method, path, body)).status]).toEqual([path, 404]);
    const sam = front.person("human:sam");
    for (const [path, body] of [
      ["deliver", {}],
      ["ack", {}],
      ["cancel", {}],
      ["notes", { text: "x" }],
      ["erase", {}],
      ["intents", { decision: "approve" }],
      ["challenges", { decision: "approve" }],
      ["phrase", {}],
    ] as const)
      expect([path, (await sam("POST", `/v1/tickets/${id}/${path}`, body)).status]).toEqual([path, 404]);
    expect((await sam("POST", "/v1/deliveries", { ids: [id] })).status).toBe(404);
    expect(front.engine.getTicket(id).state).toBe("PENDING");
  });
});
