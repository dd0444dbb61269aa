// The confirmed policy stays in force until the person confirms another: an agent that edits the file wins nothing (D5).
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/engine.ts";
import { trustPolicy } from "./confirm-policy.ts";
import { testStore } from "./test-world.ts";

const rule = (id: string, verdict: string, command: string, more: object = {}) => ({
  id,
  match: { command },
  verdict,
  why: `because of ${id}`,
  ...more,
});

describe("a confirmed policy", () => {
  let store: ReturnType<typeof testStore>;
  let engine: HapEngine;
  const write = (...rules: object[]) => {
    mkdirSync(join(store.folder, ".hap"), { recursive: true });
    writeFileSync(join(store.folder, ".hap", "policy.json"), JSON.stringify({ version: 1, rules }));
    engine = store.open();
  };
  const verdict = (command: string) => engine.checkPolicy({ kind: "run_command", details: { command } }).verdict;

  beforeEach(() => {
    store = testStore();
  });

  afterEach(() => store.remove());

  it("[POLICY-TRUST-1] keeps its denials when somebody takes them out of the file", () => {
    write(rule("no-drops", "deny", "*DROP*"), rule("tests", "allow", "npm test"));
    trustPolicy(engine);
    write(rule("everything", "allow", "*"));
    expect(verdict("psql -c DROP")).toMatchObject({ verdict: "deny", rule: "no-drops" });
    expect(verdict("npm test")).toMatchObject({ verdict: "allow", rule: "tests" });
    expect(verdict("npm run build").verdict).toBe("ask");
  });

  it("[POLICY-TRUST-1] is tightened at once by what the changed file asks and denies", () => {
    write(rule("tests", "allow", "npm test"));
    trustPolicy(engine);
    write(rule("tests", "allow", "npm test"), rule("not-today", "deny", "npm *"));
    expect(verdict("npm test")).toMatchObject({ verdict: "deny", rule: "not-today" });
  });

  it("[POLICY-TRUST-1] is followed by the next one only once that is confirmed, and by none when the file is gone", () => {
    write(rule("no-drops", "deny", "*DROP*"));
    trustPolicy(engine);
    write(rule("everything", "allow", "*"));
    trustPolicy(engine);
    expect(verdict("ls")).toMatchObject({ verdict: "allow", rule: "everything" });
    rmSync(join(store.folder, ".hap", "policy.json"));
    engine = store.open();
    expect(verdict("ls").verdict).toBe("allow");
    expect(engine.userPolicyStatus()).toMatchObject({ trusted: false, text: "" });
    trustPolicy(engine);
    expect(verdict("ls")).toMatchObject({ verdict: "ask", rule: null });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[POLICY-RECORD-1] writes down that a rule asked, once a ticket", () => {
    write(rule("ask-builds", "ask", "npm run *"));
    const input = { id: "tk_thesameticket00000001", kind: "run_command", details: { command: "npm run build" } };
    engine.createTicket(input);
    engine.createTicket(input);
    engine.createTicket({ kind: "run_command", details: { command: "ls" } });
    const decisions = engine.getEvents().filter(({ type }) => type === "policy.decision");
    expect(decisions.map(({ payload }) => payload)).toEqual([expect.objectContaining({ verdict: "ask", rule: "ask-builds" })]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[VERIFY-ROWS-1] cannot be exchanged in the database", () => {
    write(rule("no-drops", "deny", "*DROP*"));
    trustPolicy(engine);
    const database = new DatabaseSync(store.path);
    const text = JSON.stringify({ version: 1, rules: [rule("everything", "allow", "*")] });
    database.prepare("UPDATE config SET value=? WHERE key='trusted_policy_text'").run(text);
    database.close();
    const later = store.open();
    expect(() => later.createTicket({ kind: "run_command", details: { command: "ls" } })).toThrow(
      /not the one that was confirmed/,
    );
    expect(later.verifyEventLog()).toMatchObject({ ok: false });
  });
});
