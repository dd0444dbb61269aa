import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HapEngine } from "../src/index.ts";
import { savePolicy } from "./confirm-policy.ts";

let home: string;
let engine: HapEngine;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hap-policy-"));
  engine = new HapEngine({ dbPath: join(home, "hap.db"), home, humanId: "human:alex" });
});
afterEach(() => {
  engine.dispose();
  rmSync(home, { recursive: true, force: true });
});

const policy = (why: string) =>
  JSON.stringify({ version: 1, rules: [{ id: "tests", match: { command: "npm test" }, verdict: "allow", why }] });
const file = () => join(home, ".hap", "policy.json");

test("[WEB-RULES-1] a policy is written and in force only if it is right and replaces what the person saw", () => {
  expect(() => savePolicy(engine, { text: "{", replaces: null })).toThrow(/policy/i);
  expect(existsSync(file())).toBe(false);
  const { hash } = savePolicy(engine, { text: policy("first"), replaces: null });
  expect(engine.userPolicyStatus()).toMatchObject({ hash, trusted: true });
  expect(() => savePolicy(engine, { text: policy("second"), replaces: null })).toThrow("has changed since you read it");
  expect(readFileSync(file(), "utf8")).toBe(policy("first"));
  savePolicy(engine, { text: policy("second"), replaces: hash });
  expect(engine.checkPolicy({ kind: "run_command", details: { command: "npm test" } }).verdict.why).toBe("second");
});

test("[WEB-RULES-1] a preview says what a policy would have answered, and writes nothing", () => {
  engine.createTicket({ kind: "run_command", summary: "Test", details: { command: "npm test" } });
  engine.createTicket({ kind: "run_command", summary: "Build", details: { command: "make" } });
  const { seq } = engine.head();
  const { tickets } = engine.previewPolicy(policy("because"));
  expect(tickets.map(({ summary, verdict, rule }) => [summary, verdict, rule])).toEqual([
    ["Build", "ask", null],
    ["Test", "allow", "tests"],
  ]);
  expect(engine.head().seq).toBe(seq);
  expect(existsSync(file())).toBe(false);
});
