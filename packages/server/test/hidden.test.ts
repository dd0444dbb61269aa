// What a caller may not see: every operation answers as if it did not exist, to agents with another key and to people without a role.
import { agentOperations, type Operation, personOperations, serverOperations } from "@hap/protocol/operations";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

const operations: Operation[] = Object.values({ ...agentOperations, ...personOperations, ...serverOperations });
const NOWHERE = { ticket: `tk_${"0".repeat(26)}`, message: `msg_${"0".repeat(26)}`, agent: "agent:nobody-here" };
/** Bodies with which each operation gets as far as its ticket. */
const BODIES: Record<string, object> = {
  extend: { seconds: 60 },
  snooze: { seconds: 60 },
  reassign: { to: "human:sam" },
  submitIntent: { decision: "approve" },
  issueChallenge: { decision: "approve" },
  note: { text: "hello" },
  cancel: { reason: "no" },
  relayAnswer: { answer: "yes" },
  consume: { call_hash: `sha256:${"0".repeat(64)}` },
  listen: { listening: true },
  erase: {},
};

/** What an answer tells: its status and code, and its words without the id that was asked for. */
async function told(caller: Caller, { method, path, id }: Operation, given: string) {
  const address = path.replace(/\{(id|agent)\}/, encodeURIComponent(given)).replace("{index}", "0");
  const { status, body } = await caller(method, address, method === "GET" ? undefined : (BODIES[id] ?? {}));
  return { status, code: body.code, words: String(body.detail ?? "").replaceAll(given, "ID") };
}

describe("[API-HIDDEN-1] what a caller may not see", () => {
  it("is as good as absent in every operation on a ticket or a message", async () => {
    const agent = front.agent("agent:ci");
    const ticket = await open(agent, { summary: "a private plan" });
    const { body: card } = await agent("POST", "/v1/agents", { agent_runtime: "codex", project_dir: "/srv/app", label: "x" });
    const joined = card.agent as string;
    const sent = front.engine.queueMessage(joined, { text: "private words" }, "human:alex");
    const strangers = { agent: front.agent("agent:other"), person: front.person("human:sam") };
    for (const [who, caller] of Object.entries(strangers)) {
      for (const operation of operations) {
        const { path, id } = operation;
        const [seen, absent] = path.startsWith("/v1/tickets/{id}")
          ? [ticket, NOWHERE.ticket]
          : path.startsWith("/v1/messages/{id}")
            ? [sent.id, NOWHERE.message]
            : ["", ""];
        if (seen === "") continue;
        const answer = await told(caller, operation, seen);
        expect(answer, `${id} as ${who}`).toEqual(await told(caller, operation, absent));
        expect(answer.status, `${id} as ${who}`).toBeGreaterThanOrEqual(400);
      }
      const found = await caller("GET", `/v1/ticket-ids?text=${ticket.slice(-6)}`);
      const none = await caller("GET", "/v1/ticket-ids?text=zzzzzz");
      expect([found.status, found.body.code], who).toEqual([none.status, none.body.code]);
    }
    expect(front.engine.getEvents({ ticket })).toHaveLength(1);
  });

  it("is not found again by an agent that joins under another key", async () => {
    const input = { agent_runtime: "codex", project_dir: "/srv/app", label: "x", resume: "last" };
    const join = async (caller: Caller) => (await caller("POST", "/v1/agents", input)).body.agent as string;
    // One that joined at the store itself, and one through a key.
    const local = front.engine.joinAgent({ agent_runtime: "codex", project_dir: "/srv/app", label: "x" }).agent;
    const first = front.agent("agent:ci");
    const owned = await join(first);
    expect(owned).not.toBe(local);
    const other = front.agent("agent:other");
    const taken = await join(other);
    expect([local, owned]).not.toContain(taken);
    for (const victim of [local, owned])
      expect((await other("GET", "/v1/messages", undefined, { "hap-agent": victim })).status).toBe(403);
    expect(front.engine.agentOwner(local)).toBeNull();
    // Its own key finds it again.
    expect(await join(first)).toBe(owned);
  });
});

describe("[ASSURE-PHRASE-6] a token alone", () => {
  it("links no account, with which somebody could sign in on the page", async () => {
    const body = { issuer: "https://id.example.org", subject: "mallory" };
    expect(await front.person()("POST", "/v1/people/human%3Aalex/subjects", body)).toMatchObject({
      status: 403,
      body: { code: "page_needed", page: `${front.url}/settings` },
    });
    expect(front.engine.personOf(body.issuer, body.subject)).toBeNull();
    const page = front.as({ cookie: `hap=${front.engine.signIn("human:alex", "cookie", "code").secret}`, origin: front.url });
    expect((await page("POST", "/v1/people/human%3Aalex/subjects", body)).status).toBe(204);
  });
});
