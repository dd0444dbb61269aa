// Names in the chain (D35): who a person is, and what they may do, comes from events; a store from before says what it cannot prove.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { SCHEMA_VERSION } from "../src/store/sqlite/migrations.ts";
import { savePolicy } from "./confirm-policy.ts";
import { forge, stranger } from "./forge.ts";
import { makeHistory } from "./history.ts";
import { OLDER_EVENTS, putOlderStore } from "./older-store.ts";
import { raw, rows, tamper } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
});
afterEach(() => store.remove());

const open = () => {
  engine = store.open({ world, humanId: "human:alex" });
  return engine;
};
const types = () => engine.getEvents().map(({ type }) => type);
const violation = () => {
  const report = store.open({ world }).verifyEventLog();
  return report.ok ? "" : report.violation.message;
};
const policy = (roles: object) => JSON.stringify({ version: 1, roles });

describe("a name", () => {
  it("[NAME-EVENT-1] comes from an event with a salted digest, once, before anything names it", () => {
    open().createTicket({ to: "human:sam", project: "/srv/app" });
    engine.createTicket({ to: "human:sam", project: "/srv/app" });
    expect(types().filter((type) => type !== "ticket.create")).toEqual(["log.genesis", "directory.add", "directory.add"]);
    expect(JSON.stringify(engine.getEvents())).not.toMatch(/human:sam|\/srv/);
    expect(JSON.stringify(engine.getResolvedEvents())).toContain('"name":"human:sam"');
  });

  it("[NAME-EVENT-1] is undone with the command that brought it", () => {
    open();
    const { id } = engine.createTicket({ to: "human:sam" });
    expect(refusal(() => engine.reassign(id, "human:kim", { by: "human:nobody" })).code).toBe("not_addressee");
    expect(engine.people().map(({ person }) => person)).toEqual(["human:sam"]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[NAME-EVENT-2] that was changed behind the log is found, and so is a decision that somebody else would have made", () => {
    makeHistory(open());
    raw(store.path, (database) => database.exec("UPDATE directory SET name='human:mallory' WHERE name='human:alex'"));
    expect(violation()).toMatch(/the directory entry of human:\w{26} is not what the log says/);
    expect(refusal(() => store.open({ world }).createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
  });

  it("[NAME-EVENT-2] of nobody whom the log names before is illegal", () => {
    const { pending } = makeHistory(open());
    forge(store.path, (log) => log.event("ticket.note", pending, { from: stranger, note: `text:sha256:${"0".repeat(64)}` }));
    raw(store.path, (database) =>
      database.exec(`INSERT INTO directory (handle, name, created_at, seq) VALUES ('${stranger}', 'human:x', '2026', 3)`),
    );
    expect(violation()).toMatch(/is gone, and no erasure|whom the log does not know|whom no event named before/);
  });
});

describe("a role", () => {
  it("[NAME-ROLE-1] is given and taken by events, and a vote by it counts only while it is held", () => {
    savePolicy(open(), { text: policy({ owner: ["human:alex"], approver: ["human:ann"] }), replaces: null });
    const { id } = engine.createTicket({ to: "human:sam" });
    expect(engine.approve(id, "fine", { by: "human:ann" }).state).toBe("APPROVED");
    const next = policy({ owner: ["human:alex"], auditor: ["human:ann"] });
    savePolicy(engine, { text: next, replaces: engine.userPolicyStatus().hash });
    const given = engine.getEvents().flatMap(({ payload }) => (payload.type === "role.set" ? [payload.role] : []));
    expect(given).toEqual(["owner", "approver", "auditor"]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    const late = engine.createTicket({ to: "human:sam" }).id;
    expect(refusal(() => engine.approve(late, "too late", { by: "human:ann" })).code).toBe("not_addressee");
  });

  it("[NAME-ROLE-1] that no event gave makes a vote illegal", () => {
    const text = policy({ owner: ["human:alex"], approver: ["human:ann"] });
    const { id } = open().createTicket({ to: "human:sam" });
    savePolicy(engine, { text, replaces: null });
    engine.approve(id, "fine", { by: "human:ann" });
    engine.dispose();
    forge(store.path, (log) => {
      const role = log.payloads.findLast(({ type }) => type === "role.set");
      Object.assign(role as object, { role: "auditor" });
    });
    expect(violation()).toMatch(/the roles of the confirmed policy are not those|had no such role/);
  });
});

describe("accounts", () => {
  it("[NAME-ACCOUNT-1] are linked and unlinked by events, and a link that nobody made is found", () => {
    open().linkSubject("human:sam", "https://id.example.org", "42", "human:alex");
    engine.linkSubject("human:kim", "https://id.example.org", "42", "human:alex");
    engine.signIn("human:kim", "cookie", "oidc");
    engine.unlinkSubject("human:kim", "https://id.example.org", "42", "human:alex");
    expect(types().filter((type) => /account|session/.test(type))).toEqual([
      "account.link",
      "account.unlink",
      "account.link",
      "session.begin",
      "account.unlink",
      "session.end",
    ]);
    expect(engine.personOf("https://id.example.org", "42")).toBeNull();
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    expect(JSON.stringify(engine.getEvents())).not.toContain("id.example.org");
    const kim = rows(store.path, "directory").find(({ name }) => name === "human:kim")?.handle;
    raw(store.path, (database) => database.exec(`INSERT INTO subjects VALUES ('https://evil', '1', '${kim}', '2026', 3)`));
    expect(violation()).toMatch(/an account is linked to human:\w+ that the log does not know/);
  });
});

describe("sign-ins", () => {
  it("[NAME-SESSION-1] begin and end with events; using one keeps the log as it is, and verifies", () => {
    const { secret } = open().signIn("human:alex", "cookie", "code");
    const other = engine.signIn("human:alex", "token", "passkey").secret;
    world.advance(3_600_000);
    expect(engine.signedIn(secret)?.person).toBe("human:alex");
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
    engine.signOut({ secret: other });
    world.advance(13 * 3_600_000);
    expect(engine.signedIn(secret)).toBeNull();
    engine.signIn("human:alex", "cookie", "code");
    expect(types().slice(2)).toEqual(["session.begin", "session.begin", "session.end", "session.end", "session.begin"]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });
});

describe("a store from before the log named people", () => {
  beforeEach(() => putOlderStore(store.path));

  it("[NAME-IMPORT-1] gets an event for each row when it is opened, and says what is unproven", () => {
    const report = open().verifyEventLog();
    expect(report).toMatchObject({ ok: true, unproven_before: OLDER_EVENTS + 1 });
    const imported = types().slice(OLDER_EVENTS);
    expect(imported[0]).toBe("log.imported");
    const count = (type: string) => imported.filter((one) => one === type).length;
    // Alex, Sam, Maria, Ann, Kim, the project, and Ada, whom only the policy names.
    expect(
      ["directory.add", "role.set", "account.link", "agent.own", "session.begin", "request.keep", "clock.anchor"].map(count),
    ).toEqual([7, 3, 2, 1, 2, 1, 1]);
    expect(engine.personOf("https://id.example.org", "42")).toBe("human:sam");
    engine.dispose();
    const again = open();
    expect(again.getEvents()).toHaveLength(OLDER_EVENTS + 1 + 17);
  });

  it("[NAME-IMPORT-1] goes on as any other store, and proves what comes after", () => {
    open().approve(engine.createTicket({ to: "human:sam" }).id, "fine", { by: "human:ann" });
    engine.signOut({ person: "human:alex" });
    engine.unlinkSubject("human:sam", "https://id.example.org", "42", "human:alex");
    expect(engine.madeBefore("agent:ci", "key-1", "{}")).toMatch(/^tk_/);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true, unproven_before: OLDER_EVENTS + 1 });
    engine.dispose();
    raw(store.path, (database) => database.exec("UPDATE directory SET name='human:mallory' WHERE name='human:sam'"));
    expect(violation()).toMatch(/the directory entry of/);
  });

  it("[NAME-IMPORT-2] cannot be made to take in a changed row as an old one", () => {
    open().dispose();
    raw(store.path, (database) =>
      database.exec(`INSERT INTO config VALUES ('import_pending', '1');
        UPDATE directory SET name='human:mallory', seq=0 WHERE name='human:sam'`),
    );
    open().dispose();
    expect(violation()).not.toBe("");
  });

  it("[NAME-IMPORT-2] is left as it is when its log does not verify", () => {
    tamper(store.path, (database) => database.exec("UPDATE events SET payload='{}' WHERE seq=39"));
    expect(open().violation()).not.toBeNull();
    expect(rows(store.path, "events")).toHaveLength(OLDER_EVENTS);
  });
});

it("[NAME-OLDER-1] an older HAP refuses the store in words, and a running one stops writing", () => {
  open().createTicket({ to: "human:alex" });
  raw(store.path, (database) => database.exec(`PRAGMA user_version=${SCHEMA_VERSION + 1}`));
  expect(refusal(() => engine.createTicket({ to: "human:alex" }))).toMatchObject({ code: "upgrade_needed" });
  expect(refusal(() => store.open({ world })).message).toMatch(/was written by a newer HAP .*Update HAP; nothing was changed/);
});
