// The phrase that confirms a yes (D3): issued and checked by the engine, for one ticket and one person, once and not for long.
import { PHRASE } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { rows } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const by = "human:alex";
const critical = (more = {}) =>
  engine.createTicket({
    to: by,
    kind: "run_command",
    details: { command: "sudo reboot" },
    environment: "production",
    ...more,
  }).id;
const issue = (id: string, person = by) => engine.issuePhrase(id, { by: person }).phrase;
const approve = (id: string, phrase: string, person = by) => engine.approve(id, "", { by: person, phrase });
const invalids = (id: string) =>
  engine.getEvents({ ticket: id }).flatMap(({ payload }) => (payload.type === "intent.invalid" ? [payload.code] : []));

describe("a phrase", () => {
  it("[ASSURE-PHRASE-4] names the target, and confirms the yes that it was issued for", () => {
    const id = critical();
    const phrase = issue(id);
    expect(phrase).toMatch(/^approve production [0-9a-hjkmnp-tv-z]{4}$/);
    expect(approve(id, ` ${phrase.toUpperCase()} `).resolution).toMatchObject({ confirmed: true, assurance: "local" });
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[ASSURE-PHRASE-5] is kept as a salted hash alone, and is in no event", () => {
    const id = critical();
    const phrase = issue(id);
    const [row] = rows(store.path, "phrases");
    expect(row).toMatchObject({ ticket_id: id, wrong: 0 });
    expect(row).toMatchObject({ hash: expect.objectContaining({ length: 32 }) });
    expect(JSON.stringify(rows(store.path, "phrases"))).not.toContain(phrase);
    approve(id, phrase);
    expect(JSON.stringify(engine.getEvents({ limit: 1000 }))).not.toContain(phrase);
    expect(rows(store.path, "phrases")).toEqual([]);
  });

  it("[ASSURE-PHRASE-5] of one ticket confirms no other", () => {
    const [first, second] = [critical(), critical()];
    const phrase = issue(first);
    expect(refusal(() => approve(second, phrase)).code).toBe("phrase_wrong");
    issue(second);
    expect(refusal(() => approve(second, phrase)).code).toBe("phrase_wrong");
    expect(invalids(second)).toEqual(["phrase_wrong", "phrase_wrong"]);
    expect(approve(first, phrase).state).toBe("APPROVED");
  });

  it("[ASSURE-PHRASE-5] of one person confirms nobody else's yes", () => {
    const id = critical({ lease: { ttl_seconds: 60, on_timeout: "auto_reject", escalate: { to: ["human:sam"] } } });
    const phrase = issue(id);
    expect(refusal(() => approve(id, phrase, "human:sam")).code).toBe("phrase_wrong");
    expect(approve(id, phrase).state).toBe("APPROVED");
  });

  it("[ASSURE-PHRASE-5] is issued to nobody who may not decide", () => {
    const id = critical();
    expect(refusal(() => engine.issuePhrase(id, { by: "human:stranger" })).code).toBe("not_addressee");
    expect(refusal(() => engine.issuePhrase(id, { by: "agent:local" })).code).toMatch(/own_ticket|agent_cannot_decide/);
  });

  it("[ASSURE-PHRASE-5] for an approval is none for an answer, and the other way round", () => {
    const id = critical();
    expect(refusal(() => engine.issuePhrase(id, { by, decision: "answer" })).code).toBe("wrong_state");
    const phrase = issue(id);
    expect(refusal(() => approve(id, phrase.replace("approve", "answer"))).code).toBe("phrase_wrong");
  });

  it("[ASSURE-PHRASE-5] is used once: a second yes needs another", () => {
    const [first, second] = [critical(), critical()];
    const phrase = issue(first);
    approve(first, phrase);
    expect(refusal(() => approve(first, phrase)).code).toBe("already_decided");
    expect(refusal(() => approve(second, phrase)).code).toBe("phrase_wrong");
  });

  it("[ASSURE-PHRASE-5] is not used up by a decision that is refused for another reason", () => {
    const id = critical();
    const phrase = issue(id);
    expect(refusal(() => engine.approve(id, "x".repeat(1001), { by, phrase })).code).toBe("invalid_input");
    expect(approve(id, phrase).state).toBe("APPROVED");
  });

  it("[ASSURE-PHRASE-5] is replaced by the next one", () => {
    const id = critical();
    const [first, second] = [issue(id), issue(id)];
    if (first !== second) expect(refusal(() => approve(id, first)).code).toBe("phrase_wrong");
    expect(approve(id, second).state).toBe("APPROVED");
  });

  it("[ASSURE-PHRASE-5] expires after two minutes", () => {
    const id = critical({ ttl_seconds: 7200 });
    const phrase = issue(id);
    world.advance(PHRASE.ttlMs);
    const error = refusal(() => approve(id, phrase));
    expect(error).toMatchObject({ code: "phrase_wrong", message: expect.stringContaining("expired") });
    expect(rows(store.path, "phrases")).toEqual([]);
  });

  it("[ASSURE-PHRASE-5] is burned by three wrong guesses, counted in the store", async () => {
    const id = critical();
    const phrase = issue(id);
    expect(refusal(() => approve(id, "approve production"))).toMatchObject({ code: "phrase_wrong", fields: { tries_left: 2 } });
    await expect(engine.later(() => approve(id, "approve production"))).rejects.toMatchObject({ fields: { tries_left: 1 } });
    const again = store.open({ world });
    expect(refusal(() => again.approve(id, "", { by, phrase: "no" }))).toMatchObject({ fields: { tries_left: 0 } });
    expect(refusal(() => approve(id, phrase)).message).toContain("No phrase is open");
    expect(invalids(id)).toEqual(Array(4).fill("phrase_wrong"));
    expect(engine.getTicket(id).resolution).toBeNull();
  });

  it("[ASSURE-YES-1] cannot be claimed: a client that says it was typed is refused", () => {
    const id = critical();
    expect(refusal(() => engine.approve(id, "", { by, confirmed: true } as object)).code).toBe("confirmation_needed");
  });
});

describe("the label of a yes without a key", () => {
  it("[ASSURE-LABEL-1] is on the ticket and in the log: a program of the same user could have made it", () => {
    const id = critical();
    expect(approve(id, issue(id)).resolution).toMatchObject({ unproven: true });
    const [vote] = engine.getEvents({ ticket: id }).filter(({ type }) => type === "intent.sign");
    expect(vote?.payload).toMatchObject({ unproven: true, assurance: "local" });
  });

  it("[ASSURE-LABEL-1] is on no no, and on no yes of a timer", () => {
    expect(engine.reject(critical(), "", { by }).resolution?.unproven).toBe(false);
    const id = engine.createTicket({ to: by, summary: "x", on_timeout: "auto_approve", ttl_seconds: 1 }).id;
    world.advance(2000);
    expect(engine.getTicket(id).resolution?.unproven ?? false).toBe(false);
  });
});
