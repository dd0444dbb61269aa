// Several people for one ticket (D45): who may vote, what counts, and when it opens.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { ALEX, deploy, KIM, LEE, policyText, putPolicy, SAM, TWO } from "./quorum.ts";
import { refusal } from "./refusal.ts";
import { enrolSsh } from "./signing/enrol.ts";
import { TokenKey } from "./signing/ssh-keys.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let clock: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  clock = testWorld();
  engine = store.open({ world: clock, humanId: ALEX });
});
afterEach(() => store.remove());

const verified = () => expect(engine.verifyEventLog()).toMatchObject({ ok: true });
const events = (id: string) => engine.history(id) as { type: string; v: number; why?: string }[];
const types = (id: string) => events(id).map(({ type }) => type);

describe("two of a group", () => {
  beforeEach(() => putPolicy(engine, policyText(TWO)));

  it("[QUORUM-OPEN-1] opens with the second yes, and lists who said what", () => {
    const { id, to, quorum } = deploy(engine);
    expect(to).toBe(SAM);
    expect(quorum).toMatchObject({ need: 2, of: ["group:platform-team"], yes: 0, missing: 2, votes: [], short: null });
    expect(quorum?.waiting_for).toEqual([SAM, KIM, LEE]);
    const after = engine.approve(id, "Looks right", { by: KIM });
    expect(after).toMatchObject({
      state: "DELIVERED",
      resolution: null,
      quorum: { yes: 1, missing: 1, waiting_for: [SAM, LEE] },
    });
    expect(after.quorum?.votes).toMatchObject([{ by: KIM, decision: "approve", comment: "Looks right", counts: true }]);
    const end = engine.approve(id, undefined, { by: SAM });
    expect(end).toMatchObject({ state: "APPROVED", resolution: { outcome: "approved", actor: { kind: "human", id: SAM } } });
    expect(end.quorum?.votes.map(({ by }) => by)).toEqual([KIM, SAM]);
    expect(types(id)).toEqual(["ticket.create", "ticket.state_change", "intent.sign", "intent.sign", "ticket.resolve"]);
    verified();
  });

  it("[QUORUM-ONE-VOTE-1] counts a person once, however often they say yes", () => {
    const { id } = deploy(engine);
    for (let times = 0; times < 3; times++) engine.approve(id, undefined, { by: SAM });
    expect(engine.getTicket(id)).toMatchObject({ state: "DELIVERED", quorum: { yes: 1, missing: 1 } });
    expect(engine.getTicket(id).quorum?.votes).toHaveLength(1);
    verified();
  });

  it("[QUORUM-NO-1] a single no ends it, also after a yes and by the same person", () => {
    const { id } = deploy(engine);
    engine.approve(id, undefined, { by: SAM });
    expect(engine.reject(id, "Wait", { by: SAM })).toMatchObject({ state: "REJECTED", quorum: { yes: 0, no: 1 } });
    const other = deploy(engine, { summary: "Deploy 1.5" });
    expect(engine.requestChanges(other.id, "Smaller", { by: KIM })).toMatchObject({ state: "CHANGES_REQUESTED" });
    verified();
  });

  it("[QUORUM-MEMBERS-1] takes votes of its people alone: not of an owner, not of the addressee's escalation, not of agents", () => {
    const { id } = deploy(engine, { lease: { escalate: { to: ["human:boss"], max_depth: 1 } } });
    expect(refusal(() => engine.approve(id, undefined, { by: ALEX }))).toMatchObject({ code: "not_addressee" });
    expect(refusal(() => engine.approve(id, undefined, { by: ALEX })).message).toContain("needs 2 of group:platform-team");
    expect(refusal(() => engine.approve(id, undefined, { by: "human:boss" })).code).toBe("not_addressee");
    expect(refusal(() => engine.approve(id, undefined, { by: "agent:ci" })).code).toBe("own_ticket");
    expect(refusal(() => engine.approve(id, undefined, { by: "agent:x" })).code).toBe("agent_cannot_decide");
    expect(engine.getTicket(id).quorum?.votes).toEqual([]);
    // An owner can still end it.
    expect(engine.cancel(id, "Not today", { by: ALEX })).toMatchObject({ state: "CANCELED" });
    verified();
  });

  it("[QUORUM-CHANGED-1] another artifact is another ticket without votes, and a vote about it is refused", () => {
    const first = deploy(engine);
    engine.approve(first.id, undefined, { by: SAM });
    const second = deploy(engine, { details: { service: "web" } });
    expect(second.quorum).toMatchObject({ yes: 0, missing: 2 });
    const { statement } = engine.issueChallenge(second.id, { decision: "approve", by: KIM });
    const { nonce, expires_at } = statement;
    const intent = { ticket_id: second.id, from: KIM, decision: "approve", expires_at, nonce, signature: null } as const;
    expect(refusal(() => engine.submitIntent({ ...intent, artifact_hash: first.artifact.diff_hash })).code).toBe(
      "artifact_mismatch",
    );
    expect(engine.getTicket(second.id).quorum?.votes).toEqual([]);
    verified();
  });

  it("[QUORUM-EDITS-1] nobody edits what others approve", () => {
    const { id } = deploy(engine, { allow_edits: true });
    expect(refusal(() => engine.approve(id, undefined, { by: SAM, edits: { service: "x" } })).code).toBe("edits_refused");
  });

  it("[QUORUM-TIMER-1] time alone never approves it", () => {
    expect(refusal(() => deploy(engine, { on_timeout: "auto_approve" })).code).toBe("auto_approve_refused");
    const { id } = deploy(engine);
    engine.approve(id, undefined, { by: SAM });
    clock.advance(2 * 3_600_000);
    expect(engine.getTicket(id)).toMatchObject({
      state: "EXPIRED",
      resolution: { outcome: "rejected", actor: { kind: "timer" } },
    });
    verified();
  });

  it("[QUORUM-RESTART-1] votes survive a restart, and two processes never count one yes as two", () => {
    const { id } = deploy(engine);
    engine.approve(id, undefined, { by: SAM });
    engine.dispose();
    const [one, two] = [store.open({ world: clock, humanId: SAM }), store.open({ world: clock, humanId: KIM })];
    expect(one.approve(id, undefined, { by: SAM })).toMatchObject({ state: "DELIVERED", quorum: { yes: 1 } });
    expect(two.approve(id, undefined, { by: KIM })).toMatchObject({ state: "APPROVED" });
    expect(refusal(() => one.approve(id, undefined, { by: LEE })).code).toBe("already_decided");
    engine = one;
    verified();
  });

  it("[QUORUM-INBOX-1] waits in the inbox of everybody who can vote, until they have", () => {
    const { id } = deploy(engine);
    const inbox = (person: string) => engine.inbox(person).tickets.map((ticket) => ticket.id);
    for (const person of [SAM, KIM, LEE]) expect(inbox(person)).toEqual([id]);
    expect(inbox(ALEX)).toEqual([]);
    expect(engine.resolveId(id.slice(-6), LEE)).toEqual({ id, exact: false });
    expect(refusal(() => engine.resolveId(id.slice(-6), ALEX)).code).toBe("ticket_not_found");
    engine.approve(id, undefined, { by: SAM });
    expect(inbox(SAM)).toEqual([]);
    expect(inbox(KIM)).toEqual([id]);
    expect(engine.parties(id)?.voters).toEqual([SAM, KIM, LEE]);
  });

  it("[QUORUM-INBOX-1] pages through what is addressed to a person and what waits for their vote, by priority and age", () => {
    const made = ["a", "b", "c", "d"].map(
      (name) => deploy(engine, { summary: name, priority: name === "c" ? "high" : "normal" }).id,
    );
    const own = engine.createTicket({ from: "agent:x", to: KIM, kind: "note", summary: "own" }).id;
    const pages: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const page = engine.inbox(KIM, { limit: 2, ...(cursor === null ? {} : { cursor }) });
      pages.push(...page.tickets.map(({ id }) => id));
      cursor = page.next;
    }
    expect(pages).toEqual([made[2], made[0], made[1], made[3], own]);
  });

  it("[QUORUM-GRANT-1] one person's grant does not stand for several", () => {
    const run = (what: string) => ({
      from: "agent:ci",
      kind: "deploy",
      summary: what,
      project: "/srv/app",
      details: { service: "api" },
    });
    const { id } = deploy(engine);
    expect(refusal(() => engine.proposeGrant(id, { seconds: 60 })).message).toContain("2 people approve it");
    const { statement } = engine.beginGrant({ agent: "agent:ci", kinds: ["deploy"], project: "/srv/app", seconds: 60 }, ALEX);
    const { phrase } = engine.issueGrantPhrase(statement.nonce, ALEX);
    engine.createGrant({ nonce: statement.nonce, by: ALEX, phrase });
    expect(engine.useGrant(run("again"), `sha256:${"b".repeat(64)}`)).toBeNull();
  });

  it("[QUORUM-QUESTION-1] a question under such a rule is answered by one person", () => {
    const { quorum, id } = deploy(engine, { ask: { type: "text", prompt: "Which?" }, to: SAM });
    expect(quorum).toBeUndefined();
    expect(engine.answer(id, "This", { by: SAM })).toMatchObject({ state: "ANSWERED" });
  });
});

describe("conditions", () => {
  it("[QUORUM-REQUESTER-1] the person whose agent asks cannot approve where the rule says so, and can reject", () => {
    putPolicy(engine, policyText({ need: 1, of: [ALEX, SAM], not_requester: true }));
    const { id, to, quorum } = deploy(engine);
    expect(to).toBe(SAM);
    expect(quorum).toMatchObject({ requester: ALEX, not_requester: true, waiting_for: [SAM] });
    expect(refusal(() => engine.approve(id, undefined, { by: ALEX }))).toMatchObject({ code: "requester_cannot_approve" });
    expect(engine.approve(id, undefined, { by: SAM })).toMatchObject({ state: "APPROVED" });
    const other = deploy(engine, { summary: "Another" });
    expect(engine.reject(other.id, undefined, { by: ALEX })).toMatchObject({ state: "REJECTED" });
    verified();
  });

  it("[QUORUM-REQUESTER-1] an agent with a key runs in the session of whoever made the key", () => {
    putPolicy(engine, policyText({ need: 1, of: [ALEX, SAM], not_requester: true }, { roles: { owner: [ALEX, SAM] } }));
    engine.createKey({ agent: "agent:ci" }, SAM);
    engine.ownAgent("agent:sub", "agent:ci");
    for (const from of ["agent:ci", "agent:sub"]) {
      const { id, quorum } = deploy(engine, { from });
      expect(quorum?.requester).toBe(SAM);
      expect(refusal(() => engine.approve(id, undefined, { by: SAM })).code).toBe("requester_cannot_approve");
    }
  });

  it("[QUORUM-ALONE-1] not alone: the requester's own yes counts, and another must join it", () => {
    putPolicy(engine, policyText({ need: 1, of: [ALEX, SAM], not_alone: true }));
    const { id } = deploy(engine);
    expect(engine.approve(id, undefined, { by: ALEX })).toMatchObject({ state: "DELIVERED", quorum: { yes: 1, missing: 1 } });
    expect(engine.approve(id, undefined, { by: SAM })).toMatchObject({ state: "APPROVED" });
    const alone = deploy(engine, { summary: "Another" });
    expect(engine.approve(alone.id, undefined, { by: SAM })).toMatchObject({ state: "APPROVED" });
    verified();
  });

  it("[QUORUM-ORDER-1] in order: each waits for the one before, and a no may come at any time", () => {
    putPolicy(engine, policyText({ need: 3, of: [SAM, "group:platform-team", "role:owner"], order: "listed" }));
    const { id } = deploy(engine);
    expect(engine.getTicket(id).quorum?.waiting_for).toEqual([SAM]);
    expect(refusal(() => engine.approve(id, undefined, { by: ALEX })).code).toBe("not_your_turn");
    expect(refusal(() => engine.approve(id, undefined, { by: KIM })).code).toBe("not_your_turn");
    engine.approve(id, undefined, { by: SAM });
    // One person fills one seat.
    expect(engine.approve(id, undefined, { by: SAM })).toMatchObject({ state: "DELIVERED", quorum: { yes: 1 } });
    expect(engine.approve(id, undefined, { by: KIM }).quorum?.votes.map(({ seat }) => seat)).toEqual([
      SAM,
      "group:platform-team",
    ]);
    expect(engine.approve(id, undefined, { by: ALEX })).toMatchObject({ state: "APPROVED" });
    const early = deploy(engine, { summary: "Another" });
    expect(engine.reject(early.id, undefined, { by: ALEX })).toMatchObject({ state: "REJECTED" });
    verified();
  });

  it("[QUORUM-REJECTIONS-1] the policy says how many noes end it; a no can become a yes", () => {
    putPolicy(engine, policyText({ ...TWO, rejections: 2 }));
    const { id } = deploy(engine);
    expect(engine.reject(id, undefined, { by: SAM })).toMatchObject({ state: "DELIVERED", quorum: { no: 1, missing: 2 } });
    engine.approve(id, undefined, { by: SAM });
    expect(engine.approve(id, undefined, { by: KIM })).toMatchObject({ state: "APPROVED" });
    const other = deploy(engine, { summary: "Another" });
    engine.approve(other.id, undefined, { by: SAM });
    engine.reject(other.id, undefined, { by: KIM });
    expect(engine.reject(other.id, undefined, { by: LEE })).toMatchObject({
      state: "REJECTED",
      resolution: { actor: { id: LEE } },
    });
    verified();
  });

  it("[QUORUM-CRITICAL-1] each yes to a critical ticket is confirmed by its own phrase", () => {
    const quorum = { need: 2, of: [SAM, KIM] };
    putPolicy(
      engine,
      policyText(quorum, { rules: [{ id: "rm", match: { kind: "run_command" }, verdict: "ask", why: "Two.", quorum }] }),
    );
    const { id, tier } = engine.createTicket({
      from: "agent:ci",
      kind: "run_command",
      summary: "Clean",
      details: { command: "rm -rf ~" },
    });
    expect(tier).toBe("critical");
    expect(refusal(() => engine.approve(id, undefined, { by: SAM })).code).toBe("confirmation_needed");
    const yes = (by: string) => engine.approve(id, undefined, { by, phrase: engine.issuePhrase(id, { by }).phrase });
    const { phrase } = engine.issuePhrase(id, { by: SAM });
    expect(refusal(() => engine.approve(id, undefined, { by: KIM, phrase })).code).toBe("phrase_wrong");
    expect(yes(SAM)).toMatchObject({ state: "DELIVERED" });
    expect(yes(KIM)).toMatchObject({ state: "APPROVED", resolution: { confirmed: true } });
    verified();
  });
});

describe("groups that change", () => {
  it("[QUORUM-LEFT-1] the yes of somebody who left the group does not count, and counts again with them", () => {
    putPolicy(engine, policyText(TWO));
    const { id } = deploy(engine);
    engine.approve(id, undefined, { by: SAM });
    putPolicy(engine, policyText(TWO, { groups: { "platform-team": [KIM, LEE] } }));
    expect(engine.getTicket(id).quorum).toMatchObject({ yes: 0, missing: 2, votes: [{ by: SAM, counts: false }] });
    expect(engine.approve(id, undefined, { by: KIM })).toMatchObject({ state: "DELIVERED", quorum: { yes: 1 } });
    expect(refusal(() => engine.approve(id, undefined, { by: SAM })).code).toBe("not_addressee");
    expect(engine.approve(id, undefined, { by: LEE })).toMatchObject({ state: "APPROVED" });
    verified();
  });

  it("[QUORUM-SHORT-1] a group that is emptied while a ticket waits: the ticket says so and goes to an owner, and stays shut", () => {
    putPolicy(engine, policyText(TWO));
    const { id } = deploy(engine);
    engine.approve(id, undefined, { by: SAM });
    putPolicy(engine, policyText(TWO, { groups: { "platform-team": [] } }));
    const waiting = engine.getTicket(id);
    expect(waiting).toMatchObject({ state: "PENDING", to: ALEX });
    expect(waiting.quorum?.short).toContain("nobody is left in group:platform-team");
    expect(engine.inbox(ALEX).tickets.map((ticket) => ticket.id)).toEqual([id]);
    expect(refusal(() => engine.approve(id, undefined, { by: ALEX })).code).toBe("not_addressee");
    expect(events(id).findLast(({ type }) => type === "ticket.escalate")).toMatchObject({ v: 2, why: "quorum_short" });
    putPolicy(engine, policyText(TWO, { groups: { "platform-team": [SAM, LEE] } }));
    expect(engine.getTicket(id).quorum).toMatchObject({ short: null, yes: 1 });
    expect(engine.approve(id, undefined, { by: LEE })).toMatchObject({ state: "APPROVED" });
    verified();
  });

  it("[QUORUM-SHORT-1] a ticket that nobody can approve from the start goes to an owner", () => {
    putPolicy(engine, policyText({ need: 2, of: ["group:platform-team"] }, { groups: { "platform-team": [SAM] } }));
    const { to, quorum } = deploy(engine, { to: SAM });
    expect(to).toBe(ALEX);
    expect(quorum?.short).toContain("too few people are left in group:platform-team");
  });

  it("[QUORUM-GROUPS-1] a person in a group is taken out of the policy before they are deleted", () => {
    putPolicy(engine, policyText(TWO));
    const { phrase } = engine.issueDeletionPhrase(SAM, ALEX);
    const refused = refusal(() => engine.deletePerson(SAM, ALEX, { phrase, mentions: "keep" }));
    expect(refused.message).toContain("human:sam is in the group platform-team");
  });

  it("[QUORUM-PROJECT-1] a project's file cannot loosen a quorum or add one, and a changed file has none until it is confirmed", () => {
    putPolicy(engine, policyText(TWO));
    const project = join(store.folder, "app");
    mkdirSync(join(project, ".hap"), { recursive: true });
    writeFileSync(join(project, ".hap", "policy.json"), policyText({ need: 1, of: [ALEX] }, { roles: {} }));
    expect(deploy(engine, { project }).quorum).toMatchObject({ need: 2, of: ["group:platform-team"] });
    putPolicy(engine, policyText(TWO, { rules: [] }));
    expect(deploy(engine, { project }).quorum).toBeUndefined();
    expect(engine.checkPolicy({ from: "agent:ci", kind: "deploy", summary: "x", project }).verdict.why).toContain(
      "hap policy trust",
    );
  });

  it("[QUORUM-CASES-1] cases as data say how many people must approve", () => {
    const input = { from: "agent:ci", kind: "deploy", summary: "x" };
    const cases = [1, 2].map((need) => ({ name: `${need}`, input, expect: { verdict: "ask" as const, need } }));
    expect(engine.testPolicy(policyText(TWO), cases)).toMatchObject([
      { ok: false, need: 2 },
      { ok: true, need: 2 },
    ]);
  });
});

describe("signed votes", () => {
  const yes = (id: string, by: string, key: TokenKey) => {
    const { statement } = engine.issueChallenge(id, { decision: "approve", by });
    const { ticket_id, decision, artifact_hash, expires_at, nonce } = statement;
    const signature = key.sign(statement);
    return engine.submitIntent({ ticket_id, from: by, decision, artifact_hash, expires_at, nonce, signature });
  };

  it("[QUORUM-KEY-1] are signed over the same statement; the end is proven by the weakest, and a revoked key's vote does not count", () => {
    putPolicy(engine, policyText(TWO));
    const [sams, kims] = [new TokenKey("EdDSA"), new TokenKey("EdDSA")];
    enrolSsh(engine, sams.line, { person: "sam" });
    enrolSsh(engine, kims.line, { person: "kim" });
    const { id } = deploy(engine);
    expect(yes(id, SAM, sams).quorum?.votes).toMatchObject([{ by: SAM, assurance: "present", unproven: false }]);
    // Sam's statement by Kim's key is Sam's vote by nobody.
    expect(refusal(() => yes(id, SAM, kims)).code).toBe("credential_mismatch");
    engine.revokeCredential({ id: sams.id, by: SAM });
    expect(engine.getTicket(id).quorum).toMatchObject({ yes: 0, votes: [{ counts: false }] });
    expect(yes(id, KIM, kims)).toMatchObject({ state: "ACKED", quorum: { yes: 1, missing: 1 } });
    expect(refusal(() => yes(id, SAM, sams)).code).toBe("credential_revoked");
    expect(engine.approve(id, undefined, { by: LEE })).toMatchObject({
      state: "APPROVED",
      resolution: { assurance: "local", unproven: true },
    });
    verified();
  });
});
