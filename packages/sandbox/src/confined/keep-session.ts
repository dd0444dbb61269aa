// Keeps the namespaces of one agent session: a process of its own, which holds them, runs the proxy that leads out of them, and
// ends them with the session: when it is told to, when the agent's program ends, or after a long time without a command.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { SandboxError } from "../sandbox-error.ts";
import type { HostRule } from "./allowed-hosts.ts";
import { childrenOf, identifyProcess, isRunning, type ProcessId } from "./host-process.ts";
import { type KeeperReply, type KeeperRequest, readLines } from "./keeper-protocol.ts";
import { makeProxy } from "./proxy.ts";
import { readHolder } from "./session-folder.ts";
import { trustedPath } from "./trusted-path.ts";

export type KeepOptions = {
  folder: string;
  rules: readonly HostRule[];
  /** The agent's program; null ends the session with its last command. */
  host: ProcessId | null;
  /** Called when the session has ended, and when a command was killed: looks for gate paths that were made. */
  onLeftovers: () => Promise<void>;
};

const WATCH_MS = 1_000;
const IDLE_MS = 12 * 60 * 60 * 1_000;
const PROXY_PORT = 48_080;
/** Longer than a host takes from a hook's answer to the end of a write. */
const PAUSE_MS = 1_500;

/** Runs until the session ends. */
export async function keepSession({ folder, rules, host, onLeftovers }: KeepOptions): Promise<void> {
  if (readHolder(folder) !== null) return;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const holder = await startHolder(folder);
  const refused: { at: number; host: string }[] = [];
  const proxy = makeProxy({ rules, refused: (name) => refused.push({ at: Date.now(), host: name }) });
  const listener = await listenInside(holder.inside.pid);
  listener.on("connection", (socket: Socket) => proxy.emit("connection", socket));
  const clients = new Set<Socket>();
  let leftBehind = false;
  let usedAt = Date.now();
  const freezer = new Freezer(holder);
  /** Commands that have begun and not yet looked at what they made. */
  const unchecked = new Set<Socket>();
  const sweep = async (socket: Socket): Promise<void> => {
    await freezer.take(socket);
    await onLeftovers().catch((error: unknown) => console.error(error));
    await freezer.release(socket);
  };
  const answer = async (socket: Socket, { ask, since = 0 }: KeeperRequest): Promise<KeeperReply> => {
    usedAt = Date.now();
    if (ask === "freeze") await freezer.take(socket);
    if (ask === "freeze") unchecked.add(socket);
    if (ask === "thaw") await freezer.release(socket);
    if (ask === "pause") await freezer.pause();
    if (ask === "left") {
      unchecked.delete(socket);
      leftBehind = childrenOf(holder.inside.pid).length > 0;
    }
    if (ask === "end") setImmediate(() => end());
    return {
      holder: holder.inside.pid,
      port: PROXY_PORT,
      refused: refused.filter(({ at }) => at >= since).map(({ host }) => host),
      left: leftBehind,
    };
  };
  const control = createServer((socket) => {
    clients.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clients.delete(socket);
      void freezer.release(socket).then(async () => {
        if (unchecked.delete(socket)) await sweep(socket);
        if (host === null && clients.size === 0) end();
      });
    });
    readLines<KeeperRequest>(
      socket,
      (request) => void answer(socket, request).then((reply) => socket.write(`${JSON.stringify(reply)}\n`)),
    );
  });
  const path = join(folder, "control");
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => control.on("error", reject).listen(path, resolve));
  writeFileSync(join(folder, "holder"), `${holder.inside.pid} ${holder.inside.started}\n`, { mode: 0o600 });
  const watch = setInterval(() => {
    if (host !== null && !isRunning(host)) end();
    if (clients.size === 0 && Date.now() - usedAt > IDLE_MS) end();
  }, WATCH_MS);
  holder.process.once("exit", () => end());
  process.once("SIGTERM", () => end());
  await ended;
  clearInterval(watch);
  holder.process.kill("SIGKILL");
  await holder.ended;
  listener.close();
  control.close();
  for (const socket of clients) socket.destroy();
  await onLeftovers();
  rmSync(folder, { recursive: true, force: true });
}

type Holder = { process: ChildProcess; inside: ProcessId; ended: Promise<void>; say: (word: "s" | "c") => Promise<void> };

/** The first process inside: it takes in what is left without a parent, and stops and continues everything else there. */
const HOLD = `ip link set lo up || ifconfig lo up || exit 1
mount -t tmpfs -o mode=700,nosuid,nodev tmpfs "$1" || exit 1
mkdir -m 1777 "$1/tmp" "$1/var-tmp" && mkdir -m 700 "$1/home" "$1/root" || exit 1
echo up
while read -r word; do
  case $word in s) kill -STOP -1;; c) kill -CONT -1;; esac 2>/dev/null
  echo done
done`;

const NAMESPACES = [
  "--user",
  "--map-root-user",
  "--net",
  "--pid",
  "--ipc",
  "--uts",
  "--mount",
  "--fork",
  "--mount-proc",
  "--kill-child",
];

async function startHolder(folder: string): Promise<Holder> {
  const memory = join(folder, "memory");
  mkdirSync(memory, { recursive: true, mode: 0o700 });
  // Standard input is ours: when this process ends, by whatever signal, everything inside ends.
  const child = spawn("unshare", [...NAMESPACES, "--", "bash", "--norc", "--noprofile", "-c", HOLD, "hold", memory], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: trustedPath() },
    cwd: "/",
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", (error) => {
      said += error.message;
      resolve();
    });
  });
  const waiting: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    for (const _line of chunk.toString().split("\n").slice(1)) waiting.shift()?.();
  });
  child.stdin.on("error", () => {});
  const line = () => new Promise<void>((resolve) => waiting.push(resolve));
  const up = await Promise.race([line().then(() => true), ended.then(() => false)]);
  const [first] = childrenOf(child.pid ?? 0);
  const inside = first === undefined ? null : identifyProcess(first);
  if (!up || inside === null)
    throw new SandboxError(
      "not_available",
      `The namespaces of the session cannot be made: ${said.trim() || "unshare said nothing"}. Run \`hap doctor\`.`,
    );
  const say = (word: "s" | "c") => {
    const done = Promise.race([line(), ended]);
    child.stdin.write(`${word}\n`);
    return done;
  };
  return { process: child, inside, ended, say };
}

/** A listener in the session's network namespace: a short-lived process makes it there and hands it over. */
function listenInside(pid: number): Promise<Server> {
  const program = `const s=require("node:net").createServer();s.on("error",(e)=>{console.error(e.message);process.exit(1)});s.listen(${PROXY_PORT},"127.0.0.1",()=>process.send("listening",s,()=>process.exit(0)))`;
  const child = spawn(
    "nsenter",
    ["-t", String(pid), "-U", "-n", "--preserve-credentials", "--", process.execPath, "-e", program],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { PATH: trustedPath() },
      cwd: "/",
    },
  );
  return new Promise((resolve, reject) => {
    child.once("message", (_message, handle) => resolve(handle as Server));
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code !== 0) reject(new SandboxError("session_failed", `The session's proxy cannot listen (exit ${code}).`));
    });
  });
}

/** Stops every process of the session while one client scans the disk or builds mounts. */
class Freezer {
  readonly #holder: Holder;
  #owner: object | null = null;
  readonly #waiting: { socket: object; go: () => void }[] = [];
  #pause: NodeJS.Timeout | undefined;

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  /** Stop everything for a moment; asked again meanwhile, for longer. */
  async pause(): Promise<void> {
    await this.take(this);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.release(this), PAUSE_MS);
  }

  async take(socket: object): Promise<void> {
    if (this.#owner === socket) return;
    if (this.#owner !== null) await new Promise<void>((go) => this.#waiting.push({ socket, go }));
    this.#owner = socket;
    await this.#holder.say("s");
  }

  async release(socket: object): Promise<void> {
    if (this.#owner !== socket) {
      const at = this.#waiting.findIndex((other) => other.socket === socket);
      if (at >= 0) this.#waiting.splice(at, 1);
      return;
    }
    await this.#holder.say("c");
    const next = this.#waiting.shift();
    this.#owner = next?.socket ?? null;
    next?.go();
  }
}
