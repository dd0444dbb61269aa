import { expect, test } from "vitest";
import { sha256 } from "../test/sha256.ts";
import { callHash } from "./call-hash.ts";
import { prefixedHash } from "./hash.ts";

const call = { agent: "agent:ci", project: "/srv/app", tool: "Bash", input: { command: "npm publish", timeout: 5 } };

test("[USE-HASH-1] a call's hash covers space, agent, project root, tool, input and operand hashes, and nothing else", () => {
  expect(callHash(call, sha256)).toBe(
    prefixedHash(
      '{"agent":"agent:ci","input":{"command":"npm publish","timeout":5},"operands":{},"project":"/srv/app","space":"default","tool":"Bash"}',
      sha256,
    ),
  );
});

test.each<[string, Partial<Parameters<typeof callHash>[0]>]>([
  ["another space", { space: "team" }],
  ["another agent", { agent: "agent:other" }],
  ["another project", { project: "/srv/other" }],
  ["no project", { project: null }],
  ["another tool", { tool: "Write" }],
  ["another input", { input: { command: "npm publish", timeout: 6 } }],
  ["an operand", { operands: { "deploy.sh": `sha256:${"0".repeat(64)}` } }],
])("[USE-HASH-1] %s makes it another call", (_, change) => {
  expect(callHash({ ...call, ...change }, sha256)).not.toBe(callHash(call, sha256));
});

test("the order of the input's keys does not", () => {
  expect(callHash({ ...call, input: { timeout: 5, command: "npm publish" } }, sha256)).toBe(callHash(call, sha256));
});
