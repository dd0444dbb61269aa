// The suite of the MCP project against our handler, in both revisions, and the inspector's command line against `hap mcp`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { McpWorld } from "./world.ts";

const suite = "@modelcontextprotocol/conformance/dist/index.js";
const inspector = "@modelcontextprotocol/inspector/clients/cli/build/index.js";
const exceptions = join(fileURLToPath(new URL(".", import.meta.url)), "fixtures/conformance-baseline.yml");
const world = new McpWorld();
let url: string;
beforeAll(async () => {
  url = await world.http();
});

/** What any server can be held to, whatever its tools are called. */
const general = {
  "2025-11-25": [
    ...["server-initialize", "server-session-lifecycle", "server-sse-multiple-streams", "ping"],
    ...["tools-list", "resources-list", "dns-rebinding-protection"],
  ],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "http-header-validation",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
  ],
};

test.each(["2025-11-25", "2026-07-28"] as const)(
  "[MCP-CONFORMANCE-1] the conformance suite passes for %s, but for what its own example server alone can pass",
  async (revision) => {
    const options = ["--suite", "all", "--spec-version", revision, "--expected-failures", exceptions];
    const { code, out, err } = await world.tool(suite, ["server", "--url", url, ...options]);
    for (const name of general[revision]) expect(out).toMatch(new RegExp(`✓ ${name}: [1-9][0-9]* passed, 0 failed`));
    expect(code, `${out.slice(-3000)}${err}`).toBe(0);
  },
  120_000,
);

test("[MCP-CONFORMANCE-1] what fails of the stateless scenario is only what needs the example server's tools", async () => {
  const options = ["--scenario", "server-stateless", "--spec-version", "2026-07-28", "--verbose"];
  const { out } = await world.tool(suite, ["server", "--url", url, ...options]);
  const failures = [...out.matchAll(/"status": "FAILURE"[^}]*?"errorMessage": "([^"]*)"/g)].map(([, message]) => message);
  expect(failures.length).toBeGreaterThan(0);
  for (const message of failures) expect(message).toMatch(/^Not testable: server does not list/);
  expect([...out.matchAll(/"status": "SUCCESS"/g)].length).toBeGreaterThan(20);
});

test("[MCP-CONFORMANCE-2] the inspector lists tools without a complaint, calls one and reads a resource", async () => {
  const { command, args } = world.command;
  const inspect = async (...method: string[]) => {
    const { code, out, err } = await world.tool(inspector, [...method, "--", command, ...args]);
    expect(code, `${out}${err}`).toBe(0);
    return JSON.parse(out.slice(out.indexOf("{")));
  };
  const { tools } = await inspect("--method", "tools/list", "--strict");
  expect(tools).toHaveLength(10);
  const opened = await inspect("--method", "tools/call", "--tool-name", "hap_create_ticket", "--tool-arg", "summary=Inspect");
  expect(opened.structuredContent).toMatchObject({ status: "open" });
  const read = await inspect("--method", "resources/read", "--uri", "hap://tickets/pending");
  expect(JSON.parse(read.contents[0].text).tickets[0].intent.summary).toBe("Inspect");
});
