// Real container engines for the tests. Docker: the daemon that answers here, or one of our own in a temporary folder, which root
// can start. Podman: with a store of its own in a temporary folder; rootless unless the tests run as root. Debian's packages are
// installed where they are missing. No registry is needed: the image is made of this machine's programs.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { needProgram } from "../../../test/support/system-package.ts";
import { type ContainerEngine, type EngineKind, findEngine } from "../src/sandbox/container-engine.ts";

/** An image with bash and the programs below; nothing else is in it. */
export const IMAGE = "hap-term-test-base";
const PROGRAMS = ["bash", "sh", "cat", "chown", "grep", "id", "ls", "mkdir", "sleep", "stat", "stty", "touch", "wc"];

const DOCKER = { program: ["docker"], runOptions: [] };

export type Engine = { env: NodeJS.ProcessEnv; call: (...args: string[]) => string; stop: () => Promise<void> };

/** Whom a process runs as, if not as whoever runs the tests. */
type Account = { uid?: number; gid?: number };

/** An engine that runs containers, or why there is none here. */
export async function startEngine(kind: EngineKind): Promise<Engine | string> {
  try {
    if (kind === "podman") return await ownPodman();
    needProgram("docker", "docker.io");
    if (spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0) return await sharedEngine();
    if (process.getuid?.() !== 0) return "no engine answers, and only root can start one";
    needProgram("dockerd", "docker.io");
    return await ownEngine();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Podman without a daemon: all its files are in one folder. */
async function ownPodman(): Promise<Engine> {
  const engine = needPodman();
  const { env, stop } = podmanFolder({});
  return ready(engine, env, stop);
}

/** Podman and the runtime that starts something here. */
function needPodman(): ContainerEngine {
  needProgram("podman", "podman uidmap slirp4netns");
  if (existsSync("/sys/fs/cgroup/unified/cgroup.controllers")) needProgram("runc");
  const engine = findEngine("podman");
  if (engine === null) throw new Error("podman info fails");
  return engine;
}

/** A folder with all that Podman writes, and the variables that lead there. */
function podmanFolder(account: Account) {
  const folder = mkdtempSync(join(tmpdir(), "hap-podman-"));
  const at = (name: string) => join(folder, name);
  const conf = at("storage.conf");
  const places = ["graphroot", "runroot"].map((name) => `${name} = "${at(name)}"`);
  writeFileSync(conf, `[storage]\ndriver = "vfs"\n${places.join("\n")}\n`);
  for (const name of ["home", "runtime", "tmp"]) mkdirSync(at(name), { mode: 0o700 });
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, ...["home", "runtime", "tmp"].map(at)]) chownSync(path, uid, gid);
  const own = uid === undefined ? {} : { HOME: at("home"), XDG_RUNTIME_DIR: at("runtime"), TMPDIR: at("tmp") };
  const env: NodeJS.ProcessEnv = { ...process.env, ...own, CONTAINERS_STORAGE_CONF: conf };
  const stop = async () => {
    spawnSync("podman", ["unshare", "rm", "-rf", at("graphroot"), at("runroot")], {
      cwd: folder,
      env,
      ...account,
      stdio: "ignore",
    });
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, env, stop };
}

/** The unprivileged user that root runs rootless Podman as. It is made once and kept, like an installed package. */
const ROOTLESS_USER = "hap-rootless";

/** Podman as an unprivileged user: whoever runs the tests, or a user of their own where that is root. */
export async function startRootlessPodman(): Promise<Engine & { account: Account; folder: string }> {
  needPodman();
  needProgram("newuidmap", "uidmap");
  const account: Account = process.getuid?.() === 0 ? rootlessAccount() : {};
  const name = account.uid === undefined ? (process.env.USER ?? "") : ROOTLESS_USER;
  if (!readFileSync("/etc/subuid", "utf8").includes(`${name}:`))
    throw new Error(
      `This test needs subordinate ids. Run: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${name}`,
    );
  const { folder, env, stop } = podmanFolder(account);
  const info = spawnSync("podman", ["info", "--format", "{{.Host.Security.Rootless}}"], {
    cwd: folder,
    env,
    ...account,
    encoding: "utf8",
  });
  if (info.stdout.trim() !== "true") throw new Error(`Podman is not rootless for ${name}: ${info.stdout}${info.stderr}`);
  const engine = { ...needPodman(), runOptions: ["--security-opt", "label=disable"] };
  return { ...(await ready(engine, env, stop, { ...account, cwd: folder })), account, folder };
}

function rootlessAccount(): { uid: number; gid: number } {
  const id = (option: string) => spawnSync("id", [option, ROOTLESS_USER], { encoding: "utf8" });
  if (id("-u").status !== 0) {
    // Another test file may have made it in this instant.
    const made = spawnSync("useradd", ["--no-create-home", "--shell", "/bin/sh", ROOTLESS_USER], { encoding: "utf8" });
    if (made.status !== 0 && id("-u").status !== 0) throw new Error(`useradd ${ROOTLESS_USER} failed: ${made.stderr}`);
  }
  return { uid: Number(id("-u").stdout), gid: Number(id("-g").stdout) };
}

/** An engine that others use too: only what these tests leave in it is removed. */
async function sharedEngine(): Promise<Engine> {
  const engine = await ready(DOCKER, process.env, async () => {});
  const images = () =>
    engine.call("images", "--format", "{{.Repository}}", "--filter", "reference=hap-term-*").trim().split("\n");
  const before = new Set(images());
  const stop = async () => {
    for (const image of [...images().filter((name) => !before.has(name)), IMAGE]) engine.call("rmi", image);
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
  return ready(DOCKER, env, stop);
}

/** An engine that answers may still be unable to run anything: that shows with the first container. */
async function ready(
  { program, runOptions }: Pick<ContainerEngine, "program" | "runOptions">,
  env: NodeJS.ProcessEnv,
  stop: () => Promise<void>,
  how: Account & { cwd?: string } = {},
): Promise<Engine> {
  const [file = "", ...options] = program;
  const call = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(file, [...options, ...args], { env, ...how, encoding: "utf8" });
    if (status !== 0) throw new Error(`${file} ${args[0]} failed: ${stderr.trim()}`);
    return stdout;
  };
  try {
    importImage(file, env, how);
    call("run", "--rm", ...runOptions, "--network", "none", "--entrypoint", "bash", IMAGE, "-c", ":");
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, call, stop };
}

/** The programs, the libraries that they say they need, and nothing that changes: the same each time. */
function importImage(file: string, env: NodeJS.ProcessEnv, how: Account & { cwd?: string }): void {
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
tar -C "$root" -c . | ${file} import - ${IMAGE}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], { env, ...how, encoding: "utf8" });
  if (status !== 0) throw new Error(`The image could not be made: ${stderr.trim()}`);
}
