// The rights of the people in the log (draft 19.1): export and deletion, on the engine and its files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type PersonDeletion, personDataSchema, personDeletionSchema } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { savePolicy } from "./confirm-policy.ts";
import { forge } from "./forge.ts";
import { raw, rows } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { Authenticator } from "./signing/authenticator.ts";
import { enrolPasskey } from "./signing/enrol.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world, humanId: "human:zoe" });
});
afterEach(() => store.remove());

const alex = "human:alexandra";
const owner = "human:zoe";
const secret = {
  comment: "zebracomment",
  note: "zebranote",
  message: "zebramessage",
  label: "zebralabel",
  answer: "zebraanswer",
};

/** A store in which the person did something of everything. */
function live(): { approved: string; open: string; named: string } {
  const make = (more = {}) => engine.createTicket({ to: alex, from: "agent:ci", ...more }).id;
  const approved = make({ summary: "Change the build" });
  engine.ack(approved, secret.note, { by: alex });
  engine.approve(approved, secret.comment, { by: alex });
  engine.answer(make({ ask: { type: "text", prompt: "Which one?" } }), secret.answer, { by: alex });
  engine.linkSubject(alex, "https://id.example.org", "alexandra@example.org", owner);
  engine.signIn(alex, "cookie", "oidc");
  engine.signIn(alex, "token", "code");
  enrolPasskey(engine, new Authenticator(), { label: secret.label, person: alex });
  const { agent } = engine.joinAgent({ agent_runtime: "codex", project_dir: "/home/alexandra/app", label: "codex" });
  const attachment = { name: "shot.png", media_type: "image/png", data: Buffer.from("zebrafile of many words") };
  engine.queueMessage(agent, { text: secret.message, attachments: [attachment] }, alex);
  const named = make({ to: owner, summary: "Ask Alexandra about the keys", details: { text: "line\nalexandra" } });
  const open = make({ summary: "Still open" });
  return { approved, open, named };
}

/** Delete with the phrase that the engine issues. */
function remove(more: Parameters<HapEngine["deletePerson"]>[2] = {}, by = owner): PersonDeletion {
  const { phrase } = engine.issueDeletionPhrase(alex, by);
  return engine.deletePerson(alex, by, { mentions: "erase", ...more, phrase });
}

/** Every byte in a folder. */
const bytesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name)).toString("latin1"))
    .join("");
const verifies = () => expect(engine.verifyEventLog()).toMatchObject({ ok: true });

describe("an export", () => {
  it("[RIGHTS-EXPORT-1] holds everything of the person, in the shape of its schema", () => {
    const { approved, open, named } = live();
    const data = engine.exportPerson(alex, alex);
    expect(personDataSchema().parse(data)).toEqual(data);
    expect(data.tickets.map(({ id }) => id)).toEqual(expect.arrayContaining([approved, open]));
    expect(data.tickets.map(({ id }) => id)).not.toContain(named);
    expect(data.intents).toHaveLength(2);
    expect(data.comments.map(({ text }) => text)).toEqual(
      expect.arrayContaining([secret.note, secret.comment, secret.label, { type: "text", text: secret.answer }]),
    );
    expect(data.accounts).toMatchObject([{ subject: "alexandra@example.org" }]);
    expect(data.sessions.map(({ kind }) => kind).sort()).toEqual(["cookie", "token"]);
    expect(data.credentials).toMatchObject([{ label: secret.label, kind: "passkey" }]);
    const [message] = data.conversations;
    expect(message).toMatchObject({ text: secret.message, attachments: [{ name: "shot.png" }] });
    expect(Buffer.from(message?.attachments[0]?.data ?? "", "base64").toString()).toBe("zebrafile of many words");
    expect(data.mentions.map(({ field }) => field).sort()).toEqual(["details", "name", "summary"]);
  });

  it("[RIGHTS-EXPORT-1] changes nothing", () => {
    live();
    const { hash } = engine.head();
    engine.exportPerson(alex, owner);
    expect(engine.head().hash).toBe(hash);
  });

  it("[RIGHTS-AGENT-1] is for the person and owners alone", () => {
    live();
    engine.createTicket({ to: "human:sam" });
    expect(refusal(() => engine.exportPerson(alex, "human:sam")).code).toBe("scope_missing");
    expect(refusal(() => engine.exportPerson(alex, "agent:ci")).code).toBe("invalid_id");
    expect(refusal(() => engine.exportPerson("human:nobody", owner)).code).toBe("person_unknown");
    // Who is known is not told to those who may not look.
    expect(refusal(() => engine.exportPerson("human:nobody", "human:sam")).code).toBe("scope_missing");
  });
});

describe("a deletion", () => {
  it("[CONTENT-ERASE-3, RIGHTS-DELETE-1] takes name, texts, accounts and sign-ins, and the log verifies", () => {
    const { approved, open } = live();
    const handle = engine.exportPerson(alex, alex).handle;
    const report = remove();
    expect(personDeletionSchema().parse(report)).toEqual(report);
    expect(report).toMatchObject({ dry_run: false, erased: { accounts: 1, sessions: 2, credentials_revoked: 1 } });
    expect(report.open_tickets).toEqual([{ ticket_id: open, becomes: "canceled" }]);
    expect(report.kept.map(({ what }) => what).join("\n")).toMatch(
      /events that name the handle[\s\S]*decisions[\s\S]*public keys/,
    );
    verifies();
    const all = bytesIn(dirname(store.path));
    for (const word of [...Object.values(secret), "alexandra", "Alexandra", Buffer.from("zebrafile").toString("base64")])
      expect(all, word).not.toContain(word);
    expect(engine.getTicket(approved)).toMatchObject({ to: handle, resolution: { actor: { id: handle }, comment: "[erased]" } });
    expect(engine.getTicket(open).state).toBe("CANCELED");
    expect(engine.people().map(({ person }) => person)).toEqual([owner]);
    expect(engine.personOf("https://id.example.org", "alexandra@example.org")).toBeNull();
    expect(rows(store.path, "sessions")).toEqual([]);
    expect(engine.credentials()).toMatchObject([{ person: handle, revoked_at: expect.any(String), label: "[erased]" }]);
    engine.dispose();
    engine = store.open({ world, humanId: owner });
    verifies();
  });

  it("[RIGHTS-DELETE-1] gives open tickets to somebody else when that is said", () => {
    const { open } = live();
    remove({ reassign_to: "human:sam" });
    expect(engine.getTicket(open)).toMatchObject({ state: "PENDING", to: "human:sam" });
    verifies();
    expect(refusal(() => engine.deletePerson("human:sam", owner, { reassign_to: "human:sam" })).code).toBe("confirmation_needed");
  });

  it("[RIGHTS-DELETE-1] of oneself works too, and the name can be somebody new afterwards", () => {
    live();
    remove({}, alex);
    verifies();
    const { to } = engine.createTicket({ to: alex });
    expect(to).toBe(alex);
    expect(engine.exportPerson(alex, alex).tickets).toHaveLength(1);
    verifies();
  });

  it("[RIGHTS-DELETE-1] of somebody who holds a role waits until the policy names them no more", () => {
    live();
    const policy = (roles: object) => JSON.stringify({ version: 1, roles });
    savePolicy(engine, { text: policy({ owner: [owner], approver: [alex] }), replaces: null, by: owner });
    expect(engine.deletePerson(alex, owner, { dry_run: true }).blockers).toMatchObject([expect.stringContaining("approver")]);
    expect(refusal(() => remove()).message).toContain("Take the name out of it");
    const replaces = engine.userPolicyStatus().hash;
    savePolicy(engine, { text: policy({ owner: [owner] }), replaces, by: owner });
    remove();
    verifies();
  });

  it("[RIGHTS-DELETE-2] lists texts of others that name the person, and leaves none undecided", () => {
    const { named } = live();
    engine.createTicket({ to: owner, from: "agent:ci", summary: "Call Lex Miller", details: { text: "nothing" } });
    const plan = engine.deletePerson(alex, owner, { dry_run: true, also: ["Lex Miller"] });
    expect(plan.mentions.map(({ field, found, decision }) => [field, found, decision])).toEqual([
      ["name", ["alexandra"], null],
      ["details", ["alexandra"], null],
      ["summary", ["alexandra"], null],
      ["summary", ["lex miller"], null],
    ]);
    expect(plan.mentions[2]).toMatchObject({ ticket_id: named, written_by: "agent:ci", excerpt: "ask alexandra about the keys" });
    const error = refusal(() => remove({ mentions: undefined, also: ["Lex Miller"] }));
    expect(error).toMatchObject({
      code: "confirmation_needed",
      fields: { undecided: plan.mentions.map(({ digest }) => digest) },
    });
    const decisions = Object.fromEntries(
      plan.mentions.map(({ digest, field }) => [digest, field === "summary" ? ("keep" as const) : ("erase" as const)]),
    );
    remove({ mentions: decisions, also: ["Lex Miller"] });
    expect(engine.getTicket(named).intent).toMatchObject({ summary: "Ask Alexandra about the keys", details: { erased: true } });
    verifies();
  });

  it("[RIGHTS-DELETE-3] changes nothing as a dry run", () => {
    live();
    const written = () => [store.path, `${store.path}-wal`].map((path) => readFileSync(path).toString("base64"));
    const before = written();
    expect(engine.deletePerson(alex, owner, { dry_run: true, mentions: "erase" })).toMatchObject({ dry_run: true });
    expect(written()).toEqual(before);
  });

  it("[RIGHTS-DELETE-3] takes the phrase of this person, this deletion and these two minutes, once", () => {
    live();
    engine.createTicket({ to: "human:sam" });
    const ask = (phrase?: string, by = owner) => refusal(() => engine.deletePerson(alex, by, { mentions: "erase", phrase }));
    expect(ask().code).toBe("confirmation_needed");
    expect(ask("delete human:alexandra 0000").code).toBe("phrase_wrong");
    const other = engine.issueDeletionPhrase("human:sam", owner).phrase;
    expect(other).toMatch(/^delete human:sam [0-9a-z]{4}$/);
    expect(ask(other).code).toBe("phrase_wrong");
    const mine = engine.issueDeletionPhrase(alex, alex).phrase;
    expect(ask(mine).code).toBe("phrase_wrong");
    const late = engine.issueDeletionPhrase(alex, owner).phrase;
    world.advance(120_000);
    expect(ask(late).message).toContain("expired");
    engine.issueDeletionPhrase(alex, owner);
    for (const left of [2, 1, 0]) expect(ask("delete human:alexandra 0000").fields).toMatchObject({ tries_left: left });
    expect(refusal(() => engine.issueDeletionPhrase(alex, "human:sam")).code).toBe("scope_missing");
    expect(engine.people().map(({ person }) => person)).toContain(alex);
  });

  it("[RIGHTS-DELETE-4] reaches every backup that HAP made, and each still verifies", () => {
    live();
    const roles = (given: object) => JSON.stringify({ version: 1, roles: given });
    savePolicy(engine, { text: roles({ owner: [owner], approver: [alex] }), replaces: null, by: owner });
    const made = ["one.bak", "two.bak"].map((name) => join(store.folder, name));
    for (const path of [...made, join(store.folder, "gone.bak")]) engine.backup(path);
    rmSync(join(store.folder, "gone.bak"));
    const replaces = engine.userPolicyStatus().hash;
    savePolicy(engine, { text: roles({ owner: [owner] }), replaces, by: owner });
    expect(readFileSync(made[0] as string).toString("latin1")).toContain(secret.comment);
    const report = remove();
    expect(report.backups.map(({ result }) => result)).toEqual(["missing", "erased", "erased"]);
    const all = bytesIn(store.folder) + bytesIn(dirname(store.path));
    for (const word of [...Object.values(secret), "alexandra"]) expect(all, word).not.toContain(word);
    for (const path of made) expect(store.open({ world, dbPath: path }).verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[RIGHTS-DELETE-4] says which backup it could not reach, and a second try reaches it", () => {
    live();
    const path = join(store.folder, "one.bak");
    engine.backup(path);
    const whole = readFileSync(path);
    writeFileSync(path, "not a database");
    expect(remove().backups).toMatchObject([{ path, result: "failed", problem: expect.any(String) }]);
    writeFileSync(path, whole);
    const { id } = engine.createTicket({ to: owner, details: { text: "something else" } });
    engine.erase({ ticket: id, by: owner });
    expect(readFileSync(path).toString("latin1")).not.toContain(secret.comment);
  });

  it("[CONTENT-ERASE-2, RIGHTS-DELETE-4] so does the erasure of a single text", () => {
    const { approved } = live();
    const path = join(store.folder, "one.bak");
    engine.backup(path);
    engine.erase({ ticket: approved, fields: ["comment"], by: alex });
    expect(readFileSync(path).toString("latin1")).not.toContain(secret.comment);
    expect(readFileSync(path).toString("latin1")).toContain(secret.note);
    expect(store.open({ world, dbPath: path }).verifyEventLog()).toMatchObject({ ok: true });
  });
});

describe("after a deletion", () => {
  it("[CONTENT-ERASE-4] a text that is stored again is found", () => {
    live();
    engine.dispose();
    const kept = rows(store.path, "contents").find(({ body }) => body === secret.comment);
    engine = store.open({ world, humanId: owner });
    remove();
    engine.dispose();
    raw(store.path, (database) =>
      database
        .prepare("INSERT INTO contents (ticket_seq, digest, salt, body) VALUES (?, ?, ?, ?)")
        .run(...(["ticket_seq", "digest", "salt", "body"].map((column) => kept?.[column]) as never[])),
    );
    engine = store.open({ world, humanId: owner });
    expect(engine.verifyEventLog()).toMatchObject({
      ok: false,
      violation: { message: expect.stringContaining("is still stored") },
    });
  });

  it.each([
    ["acts", "its maker was deleted before"],
    ["is deleted again", "a second time"],
  ])("[RIGHTS-DELETE-5] a person who %s makes the log illegal", (how, words) => {
    const { named } = live();
    const { handle } = engine.exportPerson(alex, alex);
    remove();
    engine.dispose();
    forge(store.path, (log) => {
      if (how === "acts") log.event("ticket.extend", named, { by: "person", from: handle, seconds: 5 });
      else log.append({ type: "person.erased", person: handle, from: handle, trust: "open" });
    });
    engine = store.open({ world, humanId: owner });
    expect(engine.verifyEventLog()).toMatchObject({ ok: false, violation: { message: expect.stringContaining(words) } });
  });

  it("[NAME-HANDLE-1] nobody gets a name with the shape of a handle", () => {
    const { named } = live();
    const { handle } = engine.exportPerson(alex, alex);
    expect(refusal(() => engine.createTicket({ to: `human:${"0".repeat(26)}` })).code).toBe("invalid_id");
    expect(refusal(() => engine.claimPerson(`human:${"0".repeat(26)}`, "https://id.example.org", "7")).code).toBe("invalid_id");
    remove();
    expect(refusal(() => engine.signIn(handle, "cookie", "oidc")).code).toBe("invalid_id");
    expect(refusal(() => engine.reassign(named, handle, { by: owner })).code).toBe("invalid_id");
  });
});
