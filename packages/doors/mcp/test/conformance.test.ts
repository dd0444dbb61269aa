// The suite of the MCP project against our handler, in both revisions, and the inspector's command line against `hap mcp`.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { McpWorld } from "./world.ts";

const suite = "@modelcontextprotocol/conformance/dist/index.js";
const inspector = "@modelcontextprotocol/inspector/clients/cli/build/index.js";
const exceptions = join(fileURLToPath(new URL(".", import.meta.url)), "fixtures/conformance-exceptions.yml");
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

/** Scenario -> how many of its checks fail or warn. */
async function failing(revision: string): Promise<{ out: string; failed: Record<string, number> }> {
  const results = mkdtempSync(join(world.folder, "conformance-"));
  const options = ["--suite", "all", "--spec-version", revision, "--output-dir", results];
  const { out } = await world.tool(suite, ["server", "--url", url, ...options]);
  const failed: Record<string, number> = {};
  for (const folder of readdirSync(results)) {
    const checks = JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as { status: string }[];
    const count = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").length;
    // A result's folder is named after its scenario and the time.
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    if (count > 0) failed[scenario] = count;
  }
  return { out, failed };
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "[MCP-CONFORMANCE-1] of the conformance suite for %s exactly the checks fail that cannot apply, each with its reason",
  async (revision) => {
    const { out, failed } = await failing(revision);
    for (const name of general[revision]) expect(out).toMatch(new RegExp(`✓ ${name}: [1-9][0-9]* passed, 0 failed`));
    const listed = parse(readFileSync(exceptions, "utf8"))[revision] as Record<string, [number, string]>;
    expect(failed, out.slice(-3000)).toEqual(Object.fromEntries(Object.entries(listed).map(([name, [count]]) => [name, count])));
    for (const [name, [, reason]] of Object.entries(listed)) expect(reason, name).toMatch(/^[^\n]{15,}\.$/);
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

const ways: [string, () => string[]][] = [
  ["standard input and output", () => ["--", world.command.command, ...world.command.args]],
  ["HTTP", () => ["--", url]],
];

test.each(ways)(
  "[MCP-CONFORMANCE-2] the inspector lists tools, calls one, reads an error and a resource over %s",
  async (_way, target) => {
    const inspect = async (...method: string[]) => {
      const { code, out, err } = await world.tool(inspector, [...method, ...target()]);
      return { code, err, ...JSON.parse(out.slice(out.indexOf("{"))) };
    };
    const { tools, code } = await inspect("--method", "tools/list", "--strict");
    expect([code, tools.length]).toEqual([0, 14]);
    const create = ["--method", "tools/call", "--tool-name", "hap_create_ticket", "--tool-arg"];
    const opened = await inspect(...create, "summary=Inspect");
    expect(opened.structuredContent).toMatchObject({ status: "open" });
    const refused = await inspect(...create, "summary=Inspect", "--tool-arg", "on_timeout=approve");
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("on_timeout") }] });
    const read = await inspect("--method", "resources/read", "--uri", "hap://tickets/pending");
    expect(JSON.parse(read.contents[0].text).tickets[0].intent.summary).toBe("Inspect");
  },
);
