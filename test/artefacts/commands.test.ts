// `npm install -g` of the one tarball: every command works in an empty folder, without the checkout.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../packages/yume/test/wire/server.ts";
import { artefact, emptyPlace, mustRun, npmEnv, run, shellCall } from "./support.ts";

const place = emptyPlace();
const project = join(place.folder, "project");
const hap = (args: string[], env = {}) => run("hap", args, { cwd: project, env: { ...place.env, ...env } });

beforeAll(() => {
  mkdirSync(project);
  mustRun("npm", ["install", "-g", "--no-audit", "--no-fund", "--prefix", place.folder, artefact("npm", "hap-0")], {
    env: npmEnv(place),
  });
});

test("[INSTALL-COMMANDS-1] the README's walk works from the installed command", () => {
  const id = "tk_readme00000000000001";
  const create = ["create", "--id", id, "--to", "human:alex", "--kind", "run_command", "--summary", "Install left-pad"];
  expect(hap([...create, "--details", '{"command":"npm install left-pad"}']).status).toBe(0);
  expect(hap(["inbox"]).out).toContain("Install left-pad");
  expect(hap(["show", id]).out).toContain("npm install left-pad");
  expect(hap(["reject", id, "Use the standard library"]).status).toBe(0);
  expect(hap(["wait", id])).toMatchObject({ status: 10, out: expect.stringContaining("Use the standard library") });
  expect(hap(["verify"]).out).toContain("Event log integrity: OK");
});

test("[INSTALL-COMMANDS-1] npx runs it in an empty folder", () => {
  const folder = join(place.folder, "npx");
  mkdirSync(folder);
  const args = ["--yes", "--package", artefact("npm", "hap-0"), "--", "hap", "--version"];
  expect(mustRun("npx", args, { cwd: folder, env: npmEnv(place) }).trim()).toMatch(/^\d+\.\d+\.\d+/);
});

test("[INSTALL-COMMANDS-1] the gate installs from it, and hap-hook answers", () => {
  mustRun("git", ["init", "-q", "."], { cwd: project, env: place.env });
  expect(hap(["init", "claude", "--yes"]).status).toBe(0);
  expect(hap(["doctor", "claude"]).out).toContain("The gate is armed");
  const { out } = run("hap-hook", ["claude"], { cwd: project, env: place.env, input: shellCall("ls", project) });
  expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("allow");
});

test("[INSTALL-COMMANDS-1] cueme joins a conversation", () => {
  expect(mustRun("cueme", ["join", "shell"], { cwd: project, env: place.env })).toContain("agent_id=");
});

test("[INSTALL-COMMANDS-1] yume-cli runs a turn against a model", async () => {
  const model = await startScriptedModel([{ content: [{ type: "text", text: "Hello from the model." }] }]);
  onTestFinished(() => model.close());
  const { spawn } = await import("node:child_process");
  const env = { ...place.env, OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${model.url}/v1` };
  const child = spawn("yume-cli", ["-P", "openai", "-p", "Say hello"], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (bytes) => {
    out += bytes;
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(out).toContain("Hello from the model.");
});

test("[INSTALL-COMMANDS-1] term judges a shipped task, and an agent written with the shipped SDK", () => {
  const { status, out } = run("term", ["oracle", join(place.folder, "lib/node_modules/hap/packages/term/tasks/hello-world")], {
    cwd: project,
    env: place.env,
  });
  expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining("1 passed") });
  const agent = join(place.folder, "agent");
  mkdirSync(agent);
  const made = mustRun("term", ["new", "agent", "--lang", "typescript", "."], { cwd: agent, env: place.env });
  const sdk = /npm install (\S+)/.exec(made)?.[1] ?? "";
  expect(sdk).toContain(place.folder);
  writeFileSync(join(agent, "package.json"), "{}");
  mustRun("npm", ["install", "--no-audit", "--no-fund", sdk], { cwd: agent, env: npmEnv(place) });
  const ran = run("term", ["run", "--agent", "node my-agent.mts", "--instruction", "Create hello.txt"], {
    cwd: agent,
    env: place.env,
  });
  expect({ status: ran.status, text: ran.out + ran.err }).toMatchObject({ status: 0 });
});
