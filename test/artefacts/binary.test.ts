// The single file: `hap` and the other commands without Node.
import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { approveByLink, startAtTerminal } from "./by-link.ts";
import { artefact, emptyPlace, mustRun, run, shellCall, turnOfYume, walkReadme } from "./support.ts";

const place = emptyPlace();
/** No Node on this PATH. */
const env = { ...place.env, PATH: `${join(place.folder, "bin")}:/usr/sbin:/usr/bin:/bin` };

beforeAll(() => {
  mkdirSync(join(place.folder, "bin"));
  cpSync(artefact("bin", "hap-linux-x64.gz").replace(/\.gz$/, ""), join(place.folder, "bin/hap"));
  chmodSync(join(place.folder, "bin/hap"), 0o755);
});

test("[INSTALL-BINARY-1] the README's walk works from one file, which is 45 MB or less compressed", () => {
  walkReadme((...args) => run("hap", args, { cwd: place.folder, env }), "tk_binary00000000000001");
  expect(statSync(artefact("bin", "hap-linux-x64.gz")).size).toBeLessThanOrEqual(45e6);
});

test("[INSTALL-BINARY-1] by links with their names it is the other commands, too; term says how to get it", async () => {
  for (const name of ["hap-hook", "cueme", "yume-cli", "term"]) symlinkSync("hap", join(place.folder, "bin", name));
  expect(mustRun("cueme", ["join", "shell"], { cwd: place.folder, env })).toContain("agent_id=");
  // A project beside the program: in the program's own folder the gate asks.
  const cwd = join(place.folder, "linked");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const { out } = run("hap-hook", ["claude"], { cwd, env, input: shellCall("ls", cwd) });
  expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("allow");
  expect(run("term", [], { cwd: place.folder, env })).toMatchObject({ status: 1, err: expect.stringContaining("npm package") });
  await turnOfYume({ cwd: place.folder, env });
});

test("[INSTALL-BINARY-1] a browser goes from its start to a decided ticket by the link alone", async () => {
  const id = "tk_binary00000000000002";
  mustRun("hap", ["create", "--id", id, "--summary", "Ship the release"], { cwd: place.folder, env });
  const link = await startAtTerminal("hap start --port 0 --no-open", { cwd: place.folder, env });
  await approveByLink(link, "Ship the release");
  expect(run("hap", ["wait", id, "--timeout", "60s"], { cwd: place.folder, env }).status).toBe(0);
});

test("[INSTALL-BINARY-1] it installs itself as the gate and answers as the hook", () => {
  const project = join(place.folder, "project");
  mkdirSync(project);
  mustRun("git", ["init", "-q", "."], { cwd: project, env });
  expect(run("hap", ["init", "claude", "--yes"], { cwd: project, env }).status).toBe(0);
  expect(run("hap", ["doctor", "claude"], { cwd: project, env }).out).toContain("The gate is armed");
  const { out } = run("hap", ["hook", "claude"], { cwd: project, env, input: shellCall("ls", project) });
  expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("allow");
});

test("[INSTALL-BINARY-1] it serves the page from inside itself", async () => {
  const child = spawn("hap", ["serve", "--port", "0", "--json"], {
    cwd: place.folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const { url } = JSON.parse(await firstLines(child.stdout, /\}\s*$/));
  const page = await (await fetch(url)).text();
  expect(page).toContain("<title>");
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? "";
  const loaded = await fetch(new URL(script, url));
  expect(loaded.headers.get("content-type")).toContain("javascript");
  expect((await fetch(new URL("/no-such-file.js", url))).status).toBe(404);
  expect(mustRun("hap", ["health", url], { cwd: place.folder, env })).toContain("is ready");
});

/** What a stream says up to where it matches. */
async function firstLines(stream: NodeJS.ReadableStream, until: RegExp): Promise<string> {
  let text = "";
  for await (const bytes of stream) {
    text += bytes;
    if (until.test(text)) return text;
  }
  throw new Error(`The program ended after: ${text}`);
}
