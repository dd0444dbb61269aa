// Runs one command in the namespaces of its session (D30). Processes of the session are stopped while mounts are planned and while
// the disk is scanned afterwards; gate paths that appeared are moved to quarantine.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { writesGit } from "@hap/shell/git";
import { closeOthers } from "../close-others.ts";
import { SandboxError } from "../sandbox-error.ts";
import { type Availability, tryConfinement } from "./availability.ts";
import { checkPlace, isNameable, listGates, type Place, planConfinement } from "./confine-plan.ts";
import { enterByBubblewrap, enterByUnshare } from "./enter-arguments.ts";
import { gitIdentity } from "./git-identity.ts";
import { childrenOf } from "./host-process.ts";
import { insideEnvironment } from "./inside-environment.ts";
import type { Keeper } from "./keeper-protocol.ts";
import { appearedGates, type Quarantined, quarantine } from "./quarantine.ts";
import { refusalWords } from "./refusal-words.ts";
import { configuredRegistries } from "./registries.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { findSessionLeader } from "./session-leader.ts";
import { killedRuns, recordRun, type Watched } from "./session-runs.ts";
import { isWithin } from "./toolchains.ts";
import { trustedPath } from "./trusted-path.ts";

export type ConfinedRun = Place & {
  /** A text for bash. */
  command: string;
  env: NodeJS.ProcessEnv;
  keeper: Keeper;
  /** The session's folder. */
  folder: string;
  /** Where to put gate names that appear. */
  quarantine: string;
  /** The state after the session's last command; null if it left nothing running. */
  known: Watched | null;
  /** HAP's own programs: files and folders. */
  own: readonly string[];
  availability?: Availability;
};

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
const INSIDE = `exec 19>&3 3>&-; ${closeOthers("/proc/self/fd", 19)}; printf 'r\\n' >&19; trap 'pwd -P >&19' EXIT; hap_command=$1; shift; eval "$hap_command"`;

/** Run it to its end. */
export async function runConfined(run: ConfinedRun): Promise<ConfinedResult> {
  const place = checkPlace(run);
  const path = run.env.PATH ?? "";
  const trusted = trustedPath(path, place.project);
  const available = run.availability ?? tryConfinement(trusted);
  if (available.kind === null) throw new SandboxError("not_available", `${available.why} ${available.fix}`);
  const startedAt = Date.now();
  const offsets = [1, 2].map(sizeOf);
  const frozen = await run.keeper.ask({ ask: "freeze" });
  const early = lookForGates(run.known, run.folder, join(run.quarantine, "left"));
  const memory = join(run.folder, "memory");
  const gitWritable = writesGit(run.command);
  const plan = planConfinement(place, { path, memory, gitWritable, own: run.own, bindable: isNameable });
  const forget = recordRun(run.folder, { project: place.project, gates: plan.gates, git: plan.git, path });
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
      git: gitIdentity(place.home, trusted),
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
    const after = listGates(place.project, plan.git, path);
    const appeared = appearedGates(plan.gates, after);
    const moved = quarantine(appeared, plan.gates, join(run.quarantine, "new"));
    forget();
    const { left } = await run.keeper.ask({ ask: "left" });
    await run.keeper.ask({ ask: "thaw" });
    const refused = (await run.keeper.ask({ ask: "hello", since: startedAt })).refused;
    const cwd = told.lines.at(-1);
    return {
      code,
      cwd: cwd !== undefined && cwd !== "r" && isFolderIn(cwd, place.project) ? cwd : null,
      quarantined: [...early, ...moved],
      left: left
        ? { project: place.project, gates: after.filter((gate) => !appeared.includes(gate)), git: plan.git, path }
        : null,
      words: refusalWords({ code, refused, said: [1, 2].flatMap((fd, at) => readNew(fd, offsets[at] as number | null)) }),
    };
  } finally {
    stop();
  }
}

/** Quarantine what processes that were left running, or commands that were killed, have made. `session`: the session's folder. */
export function lookForGates(left: Watched | null, session: string, folder: string): Quarantined[] {
  const look = ({ project, gates, git, path }: Watched, at: number) =>
    quarantine(appearedGates(gates, listGates(project, git, path)), gates, join(folder, String(at)));
  const killed = killedRuns(session).flatMap(({ watched, forget }, at) => {
    const found = look(watched, at + 1);
    forget();
    return found;
  });
  return [...killed, ...(left === null ? [] : look(left, 0))];
}

type Told = { ready: Promise<void>; ended: Promise<number>; lines: string[] };

/** Ends with this process, by whatever signal: each of the programs dies with the one that started it. */
function start(holder: number, words: readonly string[]): { child: ChildProcess; told: Told } {
  const enter = ["--no-fork", "-t", String(holder), "-U", "-m", "-n", "-p", "-i", "-u", "--preserve-credentials", "--"];
  const hold = ["setpriv", "--pdeathsig", "KILL", "/bin/sh", "-c", '"$@"; exit $?', "sh"];
  const child = spawn("nsenter", [...enter, ...hold, ...words], {
    stdio: ["inherit", "inherit", "inherit", "pipe", "pipe"],
    env: { PATH: trustedPath() },
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
  try {
    // Where the folder really is: a link made inside could lead out of the project.
    return isWithin(realpathSync(path), project) && statSync(path).isDirectory();
  } catch {
    return false;
  }
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
