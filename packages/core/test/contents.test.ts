// Texts and people lie apart from the log (D19): no payload holds a word or a name, and both can be erased.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventSchema, findRefs, type HapEvent, type Json } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { exampleDiff } from "./example-diff.ts";
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

/** Words of agents and people, each to be found nowhere in the log. */
const words = {
  summary: "Zebrasummary für alle",
  detail: "zebradetail",
  key: "zebrakey",
  diff: exampleDiff.replace("readToken", "zebradiff"),
  repo: "github.com/zebra/repo",
  base: "zebrabase",
  project: "/srv/zebraproject",
  note: "zebranote",
  remark: "zebraremark",
  comment: "zebracomment",
  reason: "zebrareason",
  answer: "zebraanswer",
  prompt: "zebraprompt",
  edit: "zebraedit",
  why: "zebrawhy",
};

/** A log in which everybody says something. */
function talk(): { approved: string; answered: string; canceled: string } {
  const approved = engine.createTicket({
    from: "agent:ci",
    to: "human:alex_surname",
    summary: words.summary,
    details: { [words.key]: words.detail, nested: [words.detail] },
    diff: words.diff,
    file: "src/zebrafile.ts",
    project: words.project,
    artifact: { repo: words.repo, base_commit: words.base },
    ask: { type: "approval", allow_edits: true },
    escalate_to: ["human:sam_surname"],
  }).id;
  engine.ack(approved, words.note);
  engine.note(approved, words.remark, "agent:ci");
  engine.note(approved, words.remark, "human:alex_surname");
  engine.extend(approved, 10);
  engine.snooze(approved, 10);
  engine.reassign(approved, "human:kim_surname");
  expect(() => engine.approve(approved, words.comment, { by: "human:alex_surname", assurance: "none" })).toThrow();
  engine.approve(approved, words.comment, { edits: { [words.key]: words.edit } });
  const answered = engine.createTicket({
    to: "human:alex_surname",
    summary: words.summary,
    ask: { type: "text", prompt: words.prompt },
  }).id;
  engine.answer(answered, words.answer, { comment: words.comment });
  const canceled = engine.createTicket({ to: "human:alex_surname", ttl_seconds: 60, escalate_to: "human:sam_surname" }).id;
  world.advance(60_000);
  engine.cancel(canceled, words.reason);
  return { approved, answered, canceled };
}

/** Every byte of the database and of what lies beside it. */
const files = () =>
  readdirSync(dirname(store.path)).map((name) => readFileSync(join(dirname(store.path), name)).toString("latin1"));

describe("the log", () => {
  it("[CONTENT-APART-1, CONTENT-HANDLE-1] holds no word and no name that anybody gave", () => {
    const { approved } = talk();
    engine.erase({ ticket: approved, fields: ["comment"], reason: words.why, by: "human:alex_surname" });
    const payloads = engine.getEvents({ limit: 10_000 }).map((event) => JSON.stringify(event.payload));
    const raw = new DatabaseSync(store.path).prepare("SELECT payload FROM events").all() as { payload: string }[];
    expect(payloads.length).toBeGreaterThan(20);
    for (const text of [...payloads, ...raw.map(({ payload }) => payload)]) {
      expect(text.toLowerCase()).not.toContain("zebra");
      expect(text).not.toContain("surname");
    }
  });

  it("[EVENT-SHAPE-1, INPUT-TOKEN-1] holds payloads that fit their schemas, with kinds and environments as tokens", () => {
    talk();
    engine.createTicket({ to: "human:alex", kind: "deploy", environment: "prod-eu", session: "s-1" });
    for (const { type, payload } of engine.getEvents({ limit: 10_000 })) {
      const parsed = eventSchema(type as HapEvent["type"])
        .strict()
        .safeParse(payload);
      expect(parsed.error?.issues, type).toBeUndefined();
    }
    expect(JSON.stringify(engine.getEvents().at(-1)?.payload)).toContain('"kind":"deploy"');
  });

  it.each(["Deploy", "de ploy", "-x", "", "human:alex", "ä", "a".repeat(65)])("[INPUT-TOKEN-1] takes no kind %j", (kind) => {
    expect(refusal(() => engine.createTicket({ kind })).code).toBe("invalid_input");
    expect(refusal(() => engine.createTicket({ environment: kind })).code).toBe("invalid_input");
  });

  it("[CONTENT-DIGEST-1] has another digest for the same words, each time", () => {
    const ids = [1, 2, 3].map(() => engine.createTicket({ to: "human:alex", summary: "same words" }).id);
    const refs = ids.flatMap((id) => findRefs(engine.getEvents({ ticket: id })[0]?.payload as unknown as Json));
    expect(refs).toHaveLength(6);
    expect(new Set(refs).size).toBe(6);
  });

  it("[CONTENT-HANDLE-1, EVENT-VIEW-1] is shown with the names and words that it stands for", () => {
    const { approved } = talk();
    const shown = engine.getResolvedEvents({ ticket: approved });
    expect(shown[0]).toMatchObject({
      type: "ticket.create",
      ticket: {
        to: "human:alex_surname",
        project: words.project,
        intent: { summary: words.summary, details: { [words.key]: words.detail } },
        lease: { escalate: { to: ["human:sam_surname"] } },
      },
    });
    const text = JSON.stringify(shown);
    for (const word of [words.note, words.remark, words.comment, words.edit, "human:kim_surname"]) expect(text).toContain(word);
    expect(text).not.toMatch(/human:[0-9a-hjkmnp-tv-z]{26}|(text|json):sha256:/);
  });

  it("[EVENT-VIEW-1] shows an end as the draft does, as a change of state", () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    engine.approve(id, "fine");
    const [sign, end] = engine.getResolvedEvents({ ticket: id }).slice(-2) as Record<string, unknown>[];
    expect(end).toMatchObject({
      type: "ticket.state_change",
      ticket_id: id,
      from_state: "DELIVERED",
      to_state: "APPROVED",
      metadata: {
        because: sign?.id,
        resolution: { outcome: "approved", actor: { kind: "human", id: "human:alex" }, comment: "fine" },
      },
    });
    expect(engine.history(id).at(-1)).toMatchObject({ type: "ticket.resolve", resolution: { comment: "fine" } });
    expect(engine.getEvents({ ticket: id }).at(-1)?.type).toBe("ticket.resolve");
  });

  it("[CONTENT-HANDLE-1] has one handle for one person, which works wherever their id does", () => {
    const one = engine.createTicket({ to: "human:alex" });
    const two = engine.createTicket({ to: "human:alex", escalate_to: "human:alex" });
    const handles = engine.getEvents().flatMap(({ payload }) => (payload.type === "ticket.create" ? [payload.ticket.to] : []));
    expect(new Set(handles).size).toBe(1);
    expect(handles[0]).toMatch(/^human:[0-9a-hjkmnp-tv-z]{26}$/);
    expect([one.to, two.to, two.lease.escalate?.to[0]]).toEqual(["human:alex", "human:alex", "human:alex"]);
    expect(engine.approve(one.id, undefined, { by: handles[0] as string }).resolution?.actor.id).toBe("human:alex");
  });

  it("[CONTENT-HANDLE-1] stays out of errors: they name people", () => {
    const { id } = engine.createTicket({ to: "human:alex", escalate_to: "human:sam" });
    engine.approve(id, undefined, { by: "human:sam" });
    for (const act of [
      () => engine.approve(id),
      () => engine.reject(id, undefined, { by: "human:kim" }),
      () => engine.ack(id, undefined, { by: "human:sam" }),
    ]) {
      const text = JSON.stringify(refusal(act).toJSON());
      expect(text).not.toMatch(/human:[0-9a-hjkmnp-tv-z]{26}/);
      expect(text).toContain("human:");
    }
  });

  it("[CONTENT-HANDLE-1] does not take a project for a person", () => {
    engine.createTicket({ to: "human:alex" });
    expect(refusal(() => engine.createTicket({ project: "human:alex" }))).toMatchObject({
      code: "invalid_input",
      fields: { field: "project" },
    });
    expect(engine.createTicket({ project: "/srv/app", to: "human:alex" }).project).toBe("/srv/app");
  });
});

describe("erasing", () => {
  it("[CONTENT-ERASE-1] deletes texts and salts, says who and why, and leaves the log verifying", () => {
    const { approved } = talk();
    const { erased } = engine.erase({ ticket: approved, reason: "a leaked secret", by: "human:alex_surname" });
    expect(new Set(erased.map(({ field }) => field))).toEqual(
      new Set(["summary", "details", "repo", "base_commit", "note", "comment", "edits"]),
    );
    const [event] = engine.getEvents().slice(-1);
    expect(event?.payload).toMatchObject({ type: "content.erased", digests: erased.map(({ digest }) => digest) });
    expect(engine.getResolvedEvents().at(-1)).toMatchObject({ from: "human:alex_surname", reason: "a leaked secret" });
    const raw = new DatabaseSync(store.path);
    for (const { digest } of erased)
      expect(raw.prepare("SELECT * FROM contents WHERE digest=?").all(Buffer.from(digest.slice(7), "hex"))).toEqual([]);
    raw.close();
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[CONTENT-ERASE-1] shows what was erased as such", () => {
    const { approved, answered } = talk();
    engine.erase({ ticket: approved });
    engine.erase({ ticket: answered });
    expect(engine.getTicket(approved)).toMatchObject({
      intent: { summary: "[erased]", details: { erased: true } },
      resolution: { comment: "[erased]", edits: null },
    });
    expect(engine.getTicket(answered)).toMatchObject({ ask: { type: "text", prompt: "[erased]" }, resolution: { answer: null } });
    // A project is a name, like a person's: it lies in the directory.
    const history = JSON.stringify(engine.getResolvedEvents({ ticket: approved })).replace(words.project, "");
    expect(history).not.toContain("zebra");
  });

  it("[CONTENT-ERASE-1] takes the named fields and leaves the others", () => {
    const { approved } = talk();
    const { erased } = engine.erase({ ticket: approved, fields: ["comment", "note"] });
    expect(erased.map(({ field }) => field).sort()).toEqual(["comment", "note", "note", "note"]);
    expect(engine.getTicket(approved)).toMatchObject({ intent: { summary: words.summary }, resolution: { comment: "[erased]" } });
    expect(refusal(() => engine.erase({ ticket: approved, fields: ["comment"] })).code).toBe("content_erased");
    expect(refusal(() => engine.erase({ ticket: approved, fields: ["nonsense"] })).message).toContain("no such text left");
  });

  it("[CONTENT-ERASE-1] names as many digests as there are, in events within their limit", () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    for (let count = 0; count < 250; count++) engine.note(id, `remark ${count}`, "agent:local");
    expect(engine.erase({ ticket: id, reason: "all of it" }).erased).toHaveLength(252);
    expect(engine.getEvents({ limit: 1000 }).filter((event) => event.type === "content.erased")).toHaveLength(3);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[CONTENT-ERASE-2] leaves the text in no file of the store", () => {
    const secret = `AKIA${"Q7".repeat(20)}`;
    const others = [1, 40, 4000, 70_000].map((size) => `${secret}-${"x".repeat(size)}`);
    for (let count = 0; count < 20; count++)
      engine.createTicket({ to: "human:alex", details: { filler: "y".repeat(count * 97) } });
    const ids = others.map((text) => engine.createTicket({ to: "human:alex", summary: secret, details: { command: text } }).id);
    for (const id of ids) engine.issueChallenge(id, { decision: "reject", comment: secret, by: "human:alex" });
    engine.reject(ids[0] as string, secret);
    const other = store.open({ world });
    other.listAll();
    expect(files().some((text) => text.includes(secret))).toBe(true);
    for (const id of ids) engine.erase({ ticket: id });
    for (const text of files()) expect(text.includes(secret)).toBe(false);
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[CONTENT-BIND-1] leaves the hashes that bind", () => {
    const { approved } = talk();
    const before = engine.getTicket(approved).artifact;
    engine.erase({ ticket: approved });
    const { diff_hash, bytes_hash } = engine.getTicket(approved).artifact;
    expect({ diff_hash, bytes_hash }).toEqual({ diff_hash: before.diff_hash, bytes_hash: before.bytes_hash });
  });

  it("[CONTENT-ERASE-1] of an open ticket leaves nothing to say yes to, and a no", () => {
    const [id, asked] = [
      engine.createTicket({ to: "human:alex", summary: "secret" }).id,
      engine.createTicket({ to: "human:alex", ask: { type: "text" } }).id,
    ];
    for (const ticket of [id, asked]) engine.erase({ ticket });
    expect(refusal(() => engine.approve(id))).toMatchObject({ code: "content_erased" });
    expect(refusal(() => engine.answer(asked, "x"))).toMatchObject({ code: "content_erased" });
    expect(engine.reject(id).state).toBe("REJECTED");
    expect(engine.reject(asked).state).toBe("REJECTED");
    expect(engine.verifyEventLog().ok).toBe(true);
  });

  it("[CONTENT-WRITE-1] changes no event", () => {
    const { approved } = talk();
    const before = engine.getEvents({ limit: 1000 });
    engine.erase({ ticket: approved });
    expect(engine.getEvents({ limit: 1000 }).slice(0, before.length)).toEqual(before);
  });
});
