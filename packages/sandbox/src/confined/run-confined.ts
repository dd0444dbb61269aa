// Runs one command in the namespaces of its session (D30): everything inside stands still while mounts are planned and while the
// disk is looked at afterwards; gate names that appeared are moved to quarantine.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { SandboxError } from "../sandbox-error.ts";
import { type Availability, tryConfinement } from "./availability.ts";
import { checkPlace, isNameable, listGates, type Place, planConfinement } from "./confine-plan.ts";
import { enterByBubblewrap, enterByUnshare } from "./enter-arguments.ts";
import type { Gate } from "./find-gates.ts";
import { gitIdentity } from "./git-identity.ts";
import { type GitPlaces, writesGit } from "./git-places.ts";
import { childrenOf } from "./host-process.ts";
import { insideEnvironment } from "./inside-environment.ts";
import type { Keeper } from "./keeper-protocol.ts";
import { appearedGates, type Quarantined, quarantine } from "./quarantine.ts";
import { refusalWords } from "./refusal-words.ts";
import { configuredRegistries } from "./registries.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { findSessionLeader } from "./session-leader.ts";
import { isWithin } from "./toolchains.ts";

export type ConfinedRun = Place & {
  /** A text for bash. */
  command: string;
  env: NodeJS.ProcessEnv;
  keeper: Keeper;
  /** The session's folder. */
  folder: string;
  /** Where to put gate names that appear. */
  quarantine: string;
  /** What the session's last command left behind; null where nothing was left running. */
  known: Watched | null;
  availability?: Availability;
};

/** The gates of a project at some time, and where else to look for them. */
export type Watched = { project: string; gates: Gate[]; git: GitPlaces };

export type ConfinedResult = {
  /** 128 and the signal's number when a signal ended it. */
  code: number;
  /** Where the command ended up, when that is a folder of the project. */
  cwd: string | null;
  quarantined: Quarantined[];
  /** What to look at later; null where nothing is left running inside. */
  left: Watched | null;
  /** What the sandbox refused and what to do about it, for the model; null where nothing points to it. */
  words: string | null;
};

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** bash reads the command, says before it that everything is mounted, and after it where it is. */
const INSIDE = `exec 19>&3 3>&-; printf 'r\\n' >&19; trap 'pwd -P >&19' EXIT; hap_command=$1; shift; eval "$hap_command"`;

/** Run it to its end. */
export async function runConfined(run: ConfinedRun): Promise<ConfinedResult> {
  const available = run.availability ?? tryConfinement(run.env);
  if (available.kind === null) throw new SandboxError("not_available", `${available.why} ${available.fix}`);
  const place = checkPlace(run);
  const startedAt = Date.now();
  const offsets = [1, 2].map(sizeOf);
  const frozen = await run.keeper.ask({ ask: "freeze" });
  const early = run.known === null ? [] : lookForGates(run.known, join(run.quarantine, "left"));
  const memory = join(run.folder, "memory");
  const gitWritable = writesGit(run.command);
  const plan = planConfinement(place, { path: run.env.PATH ?? "", memory, gitWritable, bindable: isNameable });
  const registries = configuredRegistries(place.home, run.env);
  const entry = {
    steps: plan.steps,
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    cwd: place.cwd,
    env: insideEnvironment({
      from: run.env,
      home: place.home,
      path: plan.path,
      cache: plan.cache,
      proxyPort: frozen.port,
      registries: registries.environment,
      git: gitIdentity(place.home),
      gitWritable,
    }),
    command: ["bash", "-c", INSIDE, "bash", run.command],
  };
  const words =
    available.kind === "bwrap"
      ? enterByBubblewrap(entry, { seccomp: 4, disableUserns: available.disableUserns })
      : enterByUnshare(entry, join(memory, "root"), (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false);
  const { child, told } = start(frozen.holder, words);
  const stop = passSignalsOn(child);
  try {
    await Promise.race([told.ready, told.ended]);
    await run.keeper.ask({ ask: "thaw" });
    const code = await told.ended;
    await run.keeper.ask({ ask: "freeze" });
    const after = listGates(place.project, plan.git);
    const appeared = appearedGates(plan.gates, after);
    const moved = quarantine(appeared, plan.gates, join(run.quarantine, "new"));
    const { left } = await run.keeper.ask({ ask: "left" });
    await run.keeper.ask({ ask: "thaw" });
    const refused = (await run.keeper.ask({ ask: "hello", since: startedAt })).refused;
    const cwd = told.lines.at(-1);
    return {
      code,
      cwd: cwd !== undefined && cwd !== "r" && isFolderIn(cwd, place.project) ? cwd : null,
      quarantined: [...early, ...moved],
      left: left ? { project: place.project, gates: after.filter((gate) => !appeared.includes(gate)), git: plan.git } : null,
      words: refusalWords({ code, refused, said: [1, 2].flatMap((fd, at) => readNew(fd, offsets[at] as number | null)) }),
    };
  } finally {
    stop();
  }
}

/** What appeared since the last command, while something that it had left behind was running. */
export function lookForGates({ project, gates, git }: Watched, folder: string): Quarantined[] {
  return quarantine(appearedGates(gates, listGates(project, git)), gates, folder);
}

type Told = { ready: Promise<void>; ended: Promise<number>; lines: string[] };

/** Ends with this process, by whatever signal: each of the programs dies with the one that started it. */
function start(holder: number, words: readonly string[]): { child: ChildProcess; told: Told } {
  const enter = ["--no-fork", "-t", String(holder), "-U", "-m", "-n", "-p", "-i", "-u", "--preserve-credentials", "--"];
  const hold = ["setpriv", "--pdeathsig", "KILL", "/bin/sh", "-c", '"$@"; exit $?', "sh"];
  const child = spawn("nsenter", [...enter, ...hold, ...words], {
    stdio: ["inherit", "inherit", "inherit", "pipe", "pipe"],
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
    cwd: "/",
  });
  const filter = child.stdio[4] as Writable;
  filter.on("error", () => {});
  filter.end(seccompFilter(process.arch) ?? Buffer.alloc(0));
  const lines: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  let rest = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    if (parts.length > 0) resolve();
  });
  const ended = new Promise<number>((done, failed) => {
    child.once("error", (error) => failed(new SandboxError("session_failed", `nsenter cannot be started: ${error.message}`)));
    child.once("exit", (code, signal) => setImmediate(() => done(code ?? 128 + constants.signals[signal as NodeJS.Signals])));
  });
  return { child, told: { ready, ended, lines } };
}

/** Signals go to the command's own process group, which is in a session of its own. */
function passSignalsOn(child: ChildProcess): () => void {
  const pass = (signal: NodeJS.Signals) => {
    const leader = child.pid === undefined ? null : findSessionLeader(child.pid, childrenOf);
    if (leader === null) child.kill("SIGKILL");
    else process.kill(-leader, signal);
  };
  for (const signal of PASSED_ON) process.on(signal, pass);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, pass);
    child.stdio[3]?.destroy();
  };
}

function isFolderIn(path: string, project: string): boolean {
  return isWithin(path, project) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** How much a descriptor's file holds; null for what is no file. */
function sizeOf(fd: number): number | null {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() ? stat.size : null;
  } catch {
    return null;
  }
}

const MOST_READ = 256 * 1024;

/** What was written since, where that can be read again. */
function readNew(fd: number, from: number | null): string[] {
  const now = sizeOf(fd);
  if (from === null || now === null || now <= from) return [];
  const start = Math.max(from, now - MOST_READ);
  let again: number | null = null;
  try {
    again = openSync(`/proc/self/fd/${fd}`, "r");
    const bytes = Buffer.alloc(now - start);
    return [bytes.toString("utf8", 0, readSync(again, bytes, 0, bytes.length, start))];
  } catch {
    return [];
  } finally {
    if (again !== null) closeSync(again);
  }
}
