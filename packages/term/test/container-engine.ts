// A real container engine for the tests: the one that answers here, or one of our own in a temporary folder, which root can start
// (Debian's package is installed first where it is missing). No registry is needed: the image is made of this machine's programs.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { needProgram } from "../../../test/support/system-package.ts";

/** An image with bash and the programs below; nothing else is in it. */
export const IMAGE = "hap-term-test-base";
const PROGRAMS = ["bash", "sh", "cat", "chown", "grep", "id", "ls", "mkdir", "sleep", "stat", "stty", "touch", "wc"];

export type Engine = { env: NodeJS.ProcessEnv; docker: (...args: string[]) => string; stop: () => Promise<void> };

/** An engine that runs containers, or why none does here. */
export async function startEngine(): Promise<Engine | string> {
  try {
    needProgram("docker", "docker.io");
    if (spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0) return await sharedEngine();
    if (process.getuid?.() !== 0) return "no engine answers, and only root can start one";
    needProgram("dockerd", "docker.io");
    return await ownEngine();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Somebody's engine: what these tests leave in it is removed, and nothing else. */
async function sharedEngine(): Promise<Engine> {
  const engine = await ready(process.env, async () => {});
  const images = () =>
    engine.docker("images", "--format", "{{.Repository}}", "--filter", "reference=hap-term-*").trim().split("\n");
  const before = new Set(images());
  const stop = async () => {
    for (const image of [...images().filter((name) => !before.has(name)), IMAGE]) engine.docker("rmi", image);
  };
  return { ...engine, stop };
}

/** An engine that shares nothing with another one but the kernel: no bridge, no rules for packets, its files in one folder. */
async function ownEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "hap-engine-"));
  const at = (name: string) => join(folder, name);
  const host = `unix://${at("docker.sock")}`;
  const places = ["--data-root", at("data"), "--exec-root", at("exec"), "--pidfile", at("pid"), "--host", host];
  const apart = ["--bridge=none", "--iptables=false", "--ip6tables=false", "--storage-driver=vfs"];
  const log = openSync(at("log"), "w");
  // It ends with the tests, even when they are killed.
  const daemon = spawn("setpriv", ["--pdeathsig", "TERM", "dockerd", ...places, ...apart], { stdio: ["ignore", log, log] });
  const ended = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  const stop = async () => {
    daemon.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const env = { ...process.env, DOCKER_HOST: host };
  while (spawnSync("docker", ["info"], { env, stdio: "ignore" }).status !== 0) {
    if (daemon.exitCode !== null) {
      const words = readFileSync(at("log"), "utf8").trim().split("\n").at(-1);
      await stop();
      throw new Error(`dockerd does not start here: ${words}`);
    }
    await sleep(100);
  }
  return ready(env, stop);
}

/** An engine that answers may still be unable to run anything: that shows with the first container. */
async function ready(env: NodeJS.ProcessEnv, stop: () => Promise<void>): Promise<Engine> {
  const docker = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("docker", args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`docker ${args[0]} failed: ${stderr.trim()}`);
    return stdout;
  };
  try {
    importImage(env);
    docker("run", "--rm", "--network", "none", "--entrypoint", "bash", IMAGE, "-c", ":");
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, docker, stop };
}

/** The programs, the libraries that they say they need, and nothing that changes: the same each time. */
function importImage(env: NodeJS.ProcessEnv): void {
  const script = `set -e
root=$(mktemp -d); trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/tmp" "$root/etc"; chmod 755 "$root"; chmod 1777 "$root/tmp"
echo 'root:x:0:0::/root:/bin/bash
worker:x:1000:1000::/tmp:/bin/bash' > "$root/etc/passwd"
for name in ${PROGRAMS.join(" ")}; do
  path=$(command -v "$name")
  cp -L "$path" "$root/bin/$name"
  for library in $(ldd "$path" | grep -o '/[^ ]*'); do
    [ -e "$root$library" ] || { mkdir -p "$root$(dirname "$library")"; cp -L "$library" "$root$library"; }
  done
done
tar -C "$root" -c . | docker import - ${IMAGE}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The image could not be made: ${stderr.trim()}`);
}
