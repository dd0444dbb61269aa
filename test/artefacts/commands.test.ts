// `npm install -g` of the one tarball: every command works in an empty folder, without the checkout.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { approveByLink, startAtTerminal } from "./by-link.ts";
import { artefact, emptyPlace, mustRun, npmEnv, run, shellCall, turnOfYume, walkReadme } from "./support.ts";

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
  walkReadme((...args) => hap(args), "tk_readme00000000000001");
});

test("[INSTALL-COMMANDS-1] a preview of an empty history changes nothing, and the manual is installed", () => {
  const before = readdirSync(place.env.HOME as string);
  expect(hap(["preview"]).err).not.toContain("Error");
  expect(readdirSync(place.env.HOME as string)).toEqual(before);
  const page = join(place.folder, "lib/node_modules/hap/man/hap.1");
  expect(readFileSync(page, "utf8")).toContain(".TH");
});

test("[INSTALL-COMMANDS-1] a browser goes from hap start to a decided ticket by the link alone", async () => {
  const id = "tk_bylink00000000000001";
  expect(hap(["create", "--id", id, "--summary", "Ship the release"]).status).toBe(0);
  const link = await startAtTerminal("hap start --port 0 --no-open", { cwd: project, env: place.env });
  await approveByLink(link, "Ship the release");
  expect(hap(["wait", id, "--timeout", "60s"]).status).toBe(0);
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

test("[INSTALL-COMMANDS-1] yume-cli runs a turn against a model", () => turnOfYume({ cwd: project, env: place.env }));

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
