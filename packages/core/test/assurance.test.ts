// Who may decide, and with how much evidence (D1, D3, D4); what is recorded of both.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AssuranceLevel } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { trustPolicy } from "./confirm-policy.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const routine = () => engine.createTicket({ to: "human:alex", file: "src/a.ts", confidence: 1, environment: "dev" }).id;
const critical = (more = {}) =>
  engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot" }, ...more }).id;
const question = (more = {}) => engine.createTicket({ to: "human:alex", ask: { type: "confirm" }, ...more }).id;
const signs = (id: string) =>
  engine.getEvents({ ticket: id }).flatMap(({ payload }) => (payload.type === "intent.sign" ? [payload] : []));

/** Write a policy and confirm it, unless it is to stay unconfirmed. */
function policy(content: Record<string, unknown>, trusted = true): void {
  mkdirSync(join(store.folder, ".hap"), { recursive: true });
  writeFileSync(join(store.folder, ".hap", "policy.json"), JSON.stringify({ version: 1, ...content }));
  engine = store.open({ world });
  if (trusted) trustPolicy(engine, { by: "human:alex" });
}

describe("a yes", () => {
  it("[ASSURE-YES-1, ASSURE-LEVEL-1] needs level local, and a critical ticket a confirmation besides", () => {
    expect(engine.approve(routine()).resolution).toMatchObject({ assurance: "local", confirmed: false });
    const id = critical();
    const error = refusal(() => engine.approve(id, "sure"));
    expect(error.code).toBe("confirmation_needed");
    expect(error.message).toContain("critical");
    expect(engine.getTicket(id).state).toBe("PENDING");
    expect(engine.approve(id, "sure", typedYes(engine, id)).resolution).toMatchObject({ assurance: "local", confirmed: true });
  });

  it("[ASSURE-YES-1] at level none is no yes", () => {
    for (const id of [routine(), critical()])
      expect(refusal(() => engine.approve(id, undefined, { assurance: "none", ...typedYes(engine, id) })).code).toBe(
        "assurance_too_low",
      );
  });

  it("[ASSURE-YES-1, ASSURE-RECORD-1] to a critical ticket needs the confirmation at level session too", () => {
    const id = critical();
    expect(refusal(() => engine.approve(id, undefined, { assurance: "session" })).code).toBe("confirmation_needed");
    expect(engine.approve(id, undefined, { assurance: "session", ...typedYes(engine, id) }).resolution?.assurance).toBe(
      "session",
    );
  });

  it.each(["key", "present", "passkey"] satisfies AssuranceLevel[])(
    "[ASSURE-LEVEL-1] cannot claim level %s without a signature",
    (assurance) => {
      for (const id of [routine(), critical()])
        expect(refusal(() => engine.approve(id, undefined, { assurance })).message).toContain(
          `Level ${assurance} is proven by a signature`,
        );
    },
  );

  it("[ASSURE-YES-2] as an answer to a critical question needs the same confirmation", () => {
    const id = question({ risk: 0.9 });
    expect(refusal(() => engine.answer(id, true)).code).toBe("confirmation_needed");
    expect(engine.answer(id, true, typedYes(engine, id, undefined, "answer"))).toMatchObject({
      state: "ANSWERED",
      resolution: { confirmed: true },
    });
    expect(engine.answer(question(), true).resolution?.confirmed).toBe(false);
  });
});

describe("a no", () => {
  it("[ASSURE-NO-1] never needs a step-up, not on a critical ticket either", () => {
    expect(engine.reject(critical()).state).toBe("REJECTED");
    expect(engine.requestChanges(critical()).state).toBe("CHANGES_REQUESTED");
    expect(engine.cancel(critical(), undefined, { by: "human:alex" }).state).toBe("CANCELED");
    expect(engine.reject(critical(), undefined, { assurance: "none" }).state).toBe("REJECTED");
    expect(engine.reject(question({ risk: 1 })).state).toBe("REJECTED");
  });
});

describe("what is recorded of a decision", () => {
  it("[ASSURE-RECORD-1, TRUST-CLASS-1] is level, confirmation, trust class and the right it rests on", () => {
    const id = critical();
    engine.approve(id, undefined, typedYes(engine, id));
    expect(signs(id)).toMatchObject([{ assurance: "local", confirmed: true, trust: "open", authority: "addressee" }]);
    const [resolve] = engine.getEvents({ ticket: id }).slice(-1);
    expect(resolve?.payload).toMatchObject({ resolution: { assurance: "local", confirmed: true, trust: "open" } });
    expect(engine.getTicket(id).resolution).toMatchObject({ assurance: "local", trust: "open" });
  });

  it("[TRUST-CLASS-1] is the class of the engine that took it, also for cancels and timers", () => {
    engine = store.open({ world, trust: "apart" });
    const [approved, canceled] = [routine(), routine()];
    engine.approve(approved);
    engine.cancel(canceled, undefined, { by: "human:alex" });
    const { id: expired } = engine.createTicket({ to: "human:alex", ttl_seconds: 1 });
    world.advance(1000);
    for (const id of [approved, canceled, expired]) expect(engine.getTicket(id).resolution?.trust).toBe("apart");
  });
});

it("[TRUST-CLASS-3] a class that nobody knows does not open the store", () => {
  for (const trust of ["nonsense", "", "Apart", "__proto__"]) {
    const refused = refusal(() => store.open({ world, trust: trust as "open" }));
    expect(refused, trust).toMatchObject({ code: "invalid_input", message: expect.stringContaining("open, apart, remote") });
  }
});

describe("somebody who decides", () => {
  it("[DECIDE-WHO-1] is the addressee; anybody else is refused with the addressee's name", () => {
    const id = routine();
    engine.createTicket({ to: "human:sam" });
    for (const by of ["human:sam", "human:stranger"]) {
      const error = refusal(() => engine.approve(id, undefined, { by }));
      expect(error).toMatchObject({ code: "not_addressee", fields: { to: "human:alex", by } });
      expect(error.message).toContain("HAP_HUMAN_ID=human:alex");
    }
    expect(engine.approve(id, undefined, { by: "alex" }).resolution?.actor.id).toBe("human:alex");
  });

  it("[DECIDE-WHO-1] is the stated person of the engine when a call names nobody", () => {
    const id = routine();
    const sams = store.open({ world, humanId: "human:sam" });
    expect(refusal(() => sams.approve(id)).code).toBe("not_addressee");
    expect(store.open({ world, humanId: "alex" }).approve(id).state).toBe("APPROVED");
  });

  it("[DECIDE-WHO-2] is never the ticket's own asker, and never an agent", () => {
    const id = routine();
    for (const act of [
      (by: string) => engine.approve(id, undefined, { by }),
      (by: string) => engine.reject(id, undefined, { by }),
      (by: string) => engine.requestChanges(id, undefined, { by }),
      (by: string) => engine.ack(id, undefined, { by }),
      (by: string) => engine.deliver(id, { by }),
    ]) {
      expect(refusal(() => act("agent:local"))).toMatchObject({ code: "own_ticket" });
      expect(refusal(() => act("agent:other"))).toMatchObject({ code: "agent_cannot_decide" });
      expect(refusal(() => act("system:timeout"))).toMatchObject({ code: "agent_cannot_decide" });
      expect(refusal(() => act("human:Not A Name"))).toMatchObject({ kind: "denied" });
    }
    expect(engine.getTicket(id).state).toBe("PENDING");
  });

  it("[DECIDE-WHO-2] is neither who looks after the policy nor who erases, when it is an agent", () => {
    policy({ rules: [] }, false);
    expect(refusal(() => trustPolicy(engine, { by: "agent:local" })).code).toBe("invalid_id");
    expect(refusal(() => engine.erase({ ticket: routine(), by: "agent:local" })).code).toBe("own_ticket");
    expect(refusal(() => engine.erase({ ticket: routine(), by: "agent:other" })).code).toBe("agent_cannot_decide");
    expect(refusal(() => engine.erase({ ticket: routine(), by: "human:stranger" })).code).toBe("not_addressee");
  });
});

describe("a relayed answer", () => {
  it("[ASSURE-RELAY-1] ends a question that is not critical, at level none, as the agent's", () => {
    const id = question();
    const answered = engine.relayAnswer(id, "yes", "agent:local");
    expect(answered.resolution).toMatchObject({
      outcome: "answered",
      actor: { kind: "agent", id: "agent:local" },
      assurance: "none",
      answer: { type: "confirm", confirmed: true },
    });
    expect(signs(id)).toMatchObject([{ authority: "relay", assurance: "none" }]);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[ASSURE-RELAY-1] is refused on a critical question, on an approval, and on another agent's question", () => {
    expect(refusal(() => engine.relayAnswer(question({ risk: 0.8 }), "yes", "agent:local")).code).toBe("assurance_too_low");
    expect(refusal(() => engine.relayAnswer(routine(), "yes", "agent:local")).code).toBe("wrong_state");
    expect(refusal(() => engine.relayAnswer(question(), "yes", "agent:other")).code).toBe("not_addressee");
    expect(refusal(() => engine.relayAnswer(question(), "perhaps", "agent:local")).code).toBe("invalid_answer");
  });
});

describe("a role", () => {
  it("[DECIDE-ROLE-1] of owner or approver decides what is addressed to others, also as the first act ever", () => {
    policy({ roles: { owner: ["human:olga"], approver: ["ann"] } });
    const [first, second] = [routine(), routine()];
    expect(engine.approve(first, undefined, { by: "human:olga" }).resolution?.actor).toEqual({ kind: "human", id: "human:olga" });
    expect(engine.reject(second, undefined, { by: "human:ann" }).state).toBe("REJECTED");
    expect([...signs(first), ...signs(second)].map((sign) => sign.authority)).toEqual(["owner", "approver"]);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[DECIDE-ROLE-1] of auditor decides nothing, and neither does one that an unconfirmed file gives", () => {
    policy({ roles: { auditor: ["human:ada"] } });
    expect(refusal(() => engine.approve(routine(), undefined, { by: "human:ada" })).code).toBe("not_addressee");
    policy({ roles: { owner: ["human:olga"], auditor: ["human:ada"] } }, false);
    expect(refusal(() => engine.approve(routine(), undefined, { by: "human:olga" })).code).toBe("not_addressee");
    trustPolicy(engine, { by: "human:alex" });
    expect(engine.approve(routine(), undefined, { by: "human:olga" }).state).toBe("APPROVED");
  });

  it("[DECIDE-ROLE-1, ASSURE-YES-1] needs the same confirmation as the addressee", () => {
    policy({ roles: { owner: ["human:olga"] } });
    const id = critical();
    expect(refusal(() => engine.approve(id, undefined, { by: "human:olga" })).code).toBe("confirmation_needed");
    expect(engine.approve(id, undefined, { by: "human:olga", ...typedYes(engine, id, "human:olga") }).state).toBe("APPROVED");
  });
});
