// The paths that the draft names (sections 7.1, 8.2, 14.1 and 14.2) start our programs, by tsx as the draft says and by Node itself.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = temporaryFolder();
const env = {
  ...{ PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`, HOME: folder, HAP_DB_PATH: join(folder, "hap.db") },
  ...{ HAP_HUMAN_ID: "human:alex", XDG_CACHE_HOME: join(folder, "cache") },
};
const run = (command: string, args: string[], input = "") =>
  spawnSync(command, args, { cwd: root, env, input, encoding: "utf8" });
const starters = [["tsx"], [process.execPath]];
const hello = `${JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "draft", version: "1" } },
})}\n`;

test.each(starters)("[DRAFT-PATHS-1] packages/cli/src/index.ts is the command line, by %s", (program) => {
  const path = "packages/cli/src/index.ts";
  const made = run(program, [path, "create", "--summary", "Refactor auth middleware", "--json"]);
  const { id } = JSON.parse(made.stdout);
  expect(run(program, [path, "inbox"]).stdout).toContain("Refactor auth middleware");
  expect(run(program, [path, "reject", id, "Please add unit tests first"])).toMatchObject({ status: 0 });
  expect(run(program, [path, "verify"]).stdout).toMatch(/^Event log integrity: OK/);
  // Its exit code is the program's.
  expect(run(program, [path, "wait", id]).status).toBe(10);
});

test.each(starters)("[DRAFT-PATHS-1] packages/cli/src/hook.ts is the hook of Claude Code, by %s", (program) => {
  const event = (tool_name: string, tool_input: object) =>
    JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", tool_name, tool_input, cwd: folder });
  const asked = (...more: Parameters<typeof event>) => run(program, ["packages/cli/src/hook.ts"], event(...more));
  const read = asked("Read", { file_path: join(folder, "a.txt") });
  expect(JSON.parse(read.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
  // What it cannot read closes the gate.
  expect(run(program, ["packages/cli/src/hook.ts"], "no JSON").status).toBe(2);
});

test.each(starters)("[DRAFT-PATHS-1] packages/mcp-server/src/index.ts is the MCP server, by %s", (program) => {
  const { stdout } = run(program, ["packages/mcp-server/src/index.ts"], hello);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "hap" } } });
});

test("[DRAFT-PATHS-1] .mcp.json starts the MCP server", () => {
  const { command, args } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8")).mcpServers.hap;
  expect(JSON.parse(run(command, args, hello).stdout)).toMatchObject({ result: { serverInfo: { name: "hap" } } });
});
