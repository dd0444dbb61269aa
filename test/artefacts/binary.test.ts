// The single file and the image: `hap` without Node, and in a container without a root user or a writable root.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { needProgram } from "../support/system-package.ts";
import { artefact, emptyPlace, mustRun, run, shellCall } from "./support.ts";

const place = emptyPlace();
/** No Node on this PATH. */
const env = { ...place.env, PATH: `${join(place.folder, "bin")}:/usr/sbin:/usr/bin:/bin` };

beforeAll(() => {
  mkdirSync(join(place.folder, "bin"));
  cpSync(artefact("bin", "hap-linux-x64.gz").replace(/\.gz$/, ""), join(place.folder, "bin/hap"));
  chmodSync(join(place.folder, "bin/hap"), 0o755);
});

test("[INSTALL-BINARY-1] one file opens, lists and decides tickets, and is 45 MB or less compressed", () => {
  const id = "tk_binary00000000000001";
  const hap = (...args: string[]) => run("hap", args, { cwd: place.folder, env });
  expect(hap("create", "--id", id, "--summary", "From one file").status).toBe(0);
  expect(hap("inbox").out).toContain("From one file");
  expect(hap("reject", id, "No").status).toBe(0);
  expect(hap("verify").out).toContain("Event log integrity: OK");
  expect(statSync(artefact("bin", "hap-linux-x64.gz")).size).toBeLessThanOrEqual(45e6);
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

test("[INSTALL-IMAGE-1] the image runs without root, with a read-only root, reports its health and is under 200 MB", async () => {
  needProgram("podman");
  // crun refuses machines that mount both versions of cgroups; runc takes them.
  needProgram("runc");
  const engine = [
    "--root",
    join(place.folder, "containers"),
    "--storage-driver=vfs",
    "--runtime=runc",
    "--cgroup-manager=cgroupfs",
  ];
  const podman = (...args: string[]) => mustRun("podman", [...engine, ...args], { env: process.env });
  const image = podman("load", "--quiet", "--input", artefact("oci", "hap.tar")).trim().split(" ").at(-1) as string;
  expect(Number(podman("image", "inspect", "--format", "{{.Size}}", image))).toBeLessThan(200e6);
  expect(podman("image", "inspect", "--format", "{{.Config.User}}", image).trim()).toBe("10001:10001");
  const name = `hap-test-${process.pid}`;
  const host = [
    "--network=host",
    "--ulimit=nofile=1024:1024",
    "--ulimit=nproc=1024:1024",
    "--read-only",
    "--volume=data:/data",
    "--name",
    name,
    "--detach",
  ];
  podman("run", ...host, image, "serve", "--port", "0", "--json");
  onTestFinished(() => void spawnSync("podman", [...engine, "rm", "--force", name]));
  const printed = await waitFor(() => {
    const logs = podman("logs", name);
    if (logs.includes("}")) return logs;
    expect(podman("inspect", "--format", "{{.State.Status}}", name).trim()).not.toBe("exited");
    return null;
  });
  const { url } = JSON.parse(printed);
  expect((await fetch(new URL("/healthz", url))).status).toBe(200);
  expect(podman("exec", name, "/usr/local/bin/hap", "health", url)).toContain("is ready");
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

async function waitFor<T>(look: () => T | null): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
