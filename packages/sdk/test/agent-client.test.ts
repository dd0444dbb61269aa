// The agent's client (D2, D4): it asks, waits and uses; it decides nothing, and sees nothing of others.
import { callHash } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { sha256 } from "../../core/src/index.ts";
import type { AgentClient, Outcome, PersonClient } from "../src/index.ts";
import { readOutcome } from "../src/index.ts";
import { refused, sdkWorld, WAYS } from "./world.ts";

describe.each(WAYS)("over %s", (way) => {
  let made: ReturnType<typeof sdkWorld>;
  let agent: AgentClient;
  let person: PersonClient;

  beforeEach(async () => {
    made = sdkWorld({ over: way });
    agent = await made.agent();
    person = await made.person();
  });
  afterEach(() => made.remove());

  const ask = async (more = {}) => (await agent.createTicket({ to: "human:alex", ...more })).id;
  const hash = callHash({ agent: "agent:ci", project: null, tool: "Bash", input: "ls" }, sha256);

  /** Every name that can be called on a client. */
  function methods(client: object): string[] {
    const names = new Set<string>();
    for (let at = client; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
      for (const name of Object.getOwnPropertyNames(at)) if (typeof Reflect.get(client, name) === "function") names.add(name);
    names.delete("constructor");
    return [...names].sort();
  }

  const may = [
    "ask",
    "cancel",
    "card",
    "close",
    "consume",
    "createTicket",
    "cue",
    "decideByPolicy",
    "events",
    "gate",
    "getTicket",
    "grants",
    "heard",
    "join",
    "leave",
    "list",
    "listen",
    "note",
    "queued",
    "readAttachments",
    "recall",
    "relayAnswer",
    "renew",
    "requestApproval",
    "saveAttachments",
    "seen",
    "takeQueued",
    "unheard",
    "useGrant",
    "wait",
  ] as const;
  const mayNot = [
    "approve",
    "reject",
    "requestChanges",
    "answer",
    "ack",
    "deliver",
    "show",
    "inbox",
    "extend",
    "snooze",
    "reassign",
    "erase",
    "trustPolicy",
    "issuePolicyPhrase",
    "beginGrant",
    "createGrant",
    "endGrant",
    "issueGrantPhrase",
    "exportPerson",
    "issueDeletionPhrase",
    "deletePerson",
    "policy",
    "checkPolicy",
    "issueChallenge",
    "submitIntent",
    "verify",
    "resolveId",
    "follow",
    "history",
  ] as const;

  describe("what an agent's client is", () => {
    it("[SDK-AGENT-1] has the calls of an agent and no others, when it runs", () => {
      expect(methods(agent)).toEqual([...may]);
      expect(Object.keys(agent)).toEqual(["agent"]);
      for (const name of mayNot) expect(Reflect.get(agent, name), name).toBeUndefined();
    });

    it("[SDK-AGENT-1] has them in its type, too", () => {
      expectTypeOf<Exclude<keyof AgentClient, "agent">>().toEqualTypeOf<(typeof may)[number]>();
      expectTypeOf<Extract<keyof AgentClient, (typeof mayNot)[number]>>().toEqualTypeOf<never>();
      expectTypeOf<(typeof mayNot)[number]>().toExtend<keyof PersonClient | "deliver">();
    });

    it("[SDK-AGENT-1] is who it says, whatever its input says", async () => {
      const ticket = await agent.createTicket({ to: "human:alex", from: "agent:boss" } as Parameters<
        AgentClient["createTicket"]
      >[0]);
      expect(ticket.from).toBe("agent:ci");
      expect((await agent.list({ from: "agent:boss" } as Parameters<AgentClient["list"]>[0])).tickets).toHaveLength(1);
    });
  });

  describe("what an agent's client sees", () => {
    it("[SDK-AGENT-2] is its own: another's ticket is as if it did not exist, for every call", async () => {
      const other = await made.agent("agent:other");
      const { id } = await other.createTicket({ to: "human:alex", summary: "hush", ask: { type: "confirm" } });
      const approved = await other.createTicket({ to: "human:alex" });
      await person.approve(approved.id);
      for (const [name, call] of Object.entries({
        getTicket: () => agent.getTicket(id),
        wait: () => agent.wait(id),
        renew: () => agent.renew(id),
        cancel: () => agent.cancel(id),
        note: () => agent.note(id, "x"),
        consume: () => agent.consume(approved.id, hash),
        heard: () => agent.heard(approved.id),
        relayAnswer: () => agent.relayAnswer(id, "yes"),
      })) {
        const error = await refused(call());
        expect(error.code, name).toBe("ticket_not_found");
        expect(error.message, name).not.toMatch(/other|hush|alex/);
      }
      expect((await agent.list()).tickets).toEqual([]);
      expect(await agent.events()).toEqual([]);
      expect((await person.events()).map((event) => event.type)).not.toContain("intent.invalid");
    });

    it("[SDK-AGENT-2] are the events of its own tickets, page by page, and no others", async () => {
      const other = await made.agent("agent:other");
      const mine: string[] = [];
      for (let count = 0; count < 3; count++) {
        mine.push(await ask());
        await person.approve((await other.createTicket({ to: "human:alex" })).id);
      }
      const seen = await agent.events();
      expect(seen.map(({ payload }) => (payload.type === "ticket.create" ? payload.ticket.id : null))).toEqual(mine);
      const first = await agent.events({ limit: 2 });
      expect(first).toEqual(seen.slice(0, 2));
      expect(await agent.events({ after: first[1]?.cursor as string, limit: 5 })).toEqual(seen.slice(2));
    });

    it("[TICKET-DELIVER-1] delivers nothing", async () => {
      const id = await ask();
      await agent.list();
      await agent.getTicket(id);
      await agent.events();
      await agent.wait(id, { timeoutMs: 1 });
      expect((await person.getTicket(id)).state).toBe("PENDING");
    });

    it("[ID-OWN-1, USE-HEARD-1] is found again after a crash: the same id is the same ticket, with its words", async () => {
      const input = { id: "tk_0123456789abcdefghij", to: "human:alex", summary: "once" };
      await agent.createTicket(input);
      await person.reject(input.id, "not today");
      const again = await made.agent();
      const outcome = await again.requestApproval(input);
      expect(outcome).toMatchObject({ status: "rejected", comment: "not today" });
      expect((await again.heard(input.id)).heard_at).not.toBeNull();
    });
  });

  describe("the result of asking", () => {
    const ends: [string, Record<string, unknown>, (id: string) => Promise<unknown>, Record<string, unknown>, RegExp][] = [
      [
        "approved",
        {},
        (id) => person.approve(id, "go"),
        { status: "approved", comment: "go", edits: null },
        /^Approved by human:alex\. They said: go$/,
      ],
      [
        "approved with edits",
        { ask: { type: "approval", allow_edits: true } },
        (id) => person.approve(id, undefined, { edits: { a: 1 } }),
        { status: "approved", edits: { a: 1 } },
        /^Approved with edits by human:alex\.$/,
      ],
      ["rejected", {}, (id) => person.reject(id, "no"), { status: "rejected", comment: "no" }, /do not do this\. They said: no$/],
      [
        "changes requested",
        {},
        (id) => person.requestChanges(id, "smaller"),
        { status: "changes_requested", comment: "smaller" },
        /wants changes/,
      ],
      [
        "answered",
        { ask: { type: "choice", options: ["red", "blue"] } },
        (id) => person.answer(id, "blue"),
        { status: "answered", answer: { type: "choice", choices: ["2"] }, text: "blue", relayed: false },
        /^Answered by human:alex\.\nblue$/,
      ],
      [
        "answered through the client",
        { ask: { type: "confirm" } },
        (id) => agent.relayAnswer(id, "yes"),
        { status: "answered", answer: { type: "confirm", confirmed: true }, relayed: true },
        /relayed by the client/,
      ],
      [
        "canceled by a person",
        {},
        (id) => person.cancel(id, "stop"),
        { status: "canceled", comment: "stop" },
        /^Canceled by human:alex/,
      ],
      ["withdrawn", {}, (id) => agent.cancel(id), { status: "canceled" }, /^Withdrawn by agent:ci/],
      ["expired", { ttl_seconds: 60 }, async () => made.world.advance(60_000), { status: "expired" }, /not a person's refusal/],
      [
        "canceled by a timer",
        { ttl_seconds: 60, on_timeout: "cancel" },
        async () => made.world.advance(60_000),
        { status: "canceled" },
        /Nobody answered in time, and the ticket was canceled/,
      ],
      [
        "approved by a timer",
        { ttl_seconds: 60, on_timeout: "auto_approve", file: "a.ts" },
        async (id) => {
          await person.show(id);
          made.world.advance(60_000);
        },
        { status: "approved_by_timer" },
        /no person said yes/,
      ],
      ["open", {}, async () => {}, { status: "open", comment: null }, /^Still pending/],
    ];

    it.each(ends)("[SDK-RESULT-1, DECIDE-ACTOR-1] is typed: %s", async (_, input, act, expected, words) => {
      const id = await ask(input);
      await act(id);
      const outcome = await agent.wait(id, { timeoutMs: 1 });
      expect(outcome).toMatchObject(expected);
      expect(outcome.words).toMatch(words);
      expect(readOutcome(outcome.ticket)).toEqual(outcome);
    });

    it("[SDK-RESULT-1] has different words for every end", async () => {
      const words = new Set<string>();
      for (const [, input, act] of ends) {
        const id = await ask(input);
        await act(id);
        words.add((await agent.wait(id, { timeoutMs: 1 })).words.replaceAll(id, ""));
      }
      expect(words.size).toBe(ends.length);
    });

    it("[SDK-RESULT-1] tells a person's yes from a timer's in its type", () => {
      expectTypeOf<Outcome["status"]>().toEqualTypeOf<
        "approved" | "approved_by_timer" | "rejected" | "changes_requested" | "answered" | "expired" | "canceled" | "open"
      >();
      expectTypeOf<Extract<Outcome, { status: "approved" }>>().toHaveProperty("edits");
      expectTypeOf<Extract<Outcome, { status: "approved_by_timer" }>>().not.toHaveProperty("edits");
    });

    it("[SDK-RESULT-1, CONTENT-ERASE-1] stays an answer when the answer was erased", async () => {
      const id = await ask({ ask: { type: "text" } });
      await person.answer(id, "my secret");
      await person.erase({ ticket: id });
      expect(await agent.wait(id)).toMatchObject({ status: "answered", answer: null, text: "[erased]" });
    });

    it("[SDK-AGENT-1, USE-ONCE-1] can be noted, used and heard by the agent", async () => {
      const id = await ask();
      await agent.note(id, "in a hurry");
      await person.approve(id);
      expect((await agent.consume(id, hash)).consumed).toMatchObject({ by: "agent:ci", call_hash: hash });
      expect((await refused(agent.consume(id, hash))).code).toBe("already_consumed");
      expect((await agent.heard(id)).heard_at).not.toBeNull();
    });

    it("[ASSURE-RELAY-1] is not a relayed answer where that would be too little", async () => {
      expect((await refused(agent.relayAnswer(await ask({ ask: { type: "confirm" }, risk: 0.9 }), "yes"))).code).toBe(
        "assurance_too_low",
      );
      expect((await refused(agent.relayAnswer(await ask(), "yes"))).code).toBe("wrong_state");
      expect((await refused(agent.relayAnswer(await ask({ ask: { type: "confirm" } }), "perhaps"))).code).toBe("invalid_answer");
    });

    it("[POLICY-RECORD-1] comes from the policy where it answers", async () => {
      expect(await agent.decideByPolicy({ kind: "deploy" }, hash)).toMatchObject({ verdict: "ask", rule: null });
      expect((await refused(agent.decideByPolicy({ kind: "deploy" }, "no hash"))).code).toBe("invalid_input");
    });
  });
});
