// `hap run --confined`: one command in the namespaces of its session, which are made when the first one comes.
import { spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HapError } from "@hap/protocol";
import {
  type ConfinedResult,
  configuredRegistries,
  connectKeeper,
  DEFAULT_REGISTRY_HOSTS,
  findHostProcess,
  type Keeper,
  keepSession,
  lookForGates,
  makeSessionFolder,
  type ProcessId,
  runConfined,
  runSeatbelt,
  SandboxError,
  trustedPath,
  tryConfinement,
} from "@hap/sandbox";
import { quarantineWords, raiseQuarantine } from "./raise-quarantine.ts";
import { readLeft, readSessionFile, writeLeft } from "./session-file.ts";

export type ConfinedRequest = {
  command: string;
  cwd: string;
  project: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** The session's key; null for a command by itself, whose namespaces end with it. */
  session: string | null;
  agent: string;
  /** Words that start the keeper of a session: `hap run --keep-session`. */
  keeper: (key: string, host: ProcessId | null) => readonly string[];
  /** The files and folders of `hap` itself. */
  own: readonly string[];
  /** Hosts that the person's policy names; on Linux the keeper of the session gets them. */
  hosts: readonly string[];
  now: number;
  say: (text: string) => void;
};

const KEEPER_MS = 20_000;

/** Run it; gives its exit code. Only a command that never started is an error. */
export async function runConfinedCommand(request: ConfinedRequest): Promise<number> {
  const key = request.session ?? `alone-${process.pid}-${request.now}`;
  const folder = makeSessionFolder(request.home, key);
  const host = request.session === null ? null : findHostProcess(process.ppid);
  try {
    if (process.platform === "darwin") return await runOnMac(request, folder);
    const trusted = trustedPath(request.env.PATH, request.project);
    const keeper = await reachKeeper(folder, request.keeper(key, host), trusted);
    try {
      return await run(request, folder, keeper);
    } finally {
      keeper.close();
    }
  } catch (error) {
    if (error instanceof SandboxError) throw new HapError("sandbox_unavailable", error.message, { reason: error.code }, error);
    throw error;
  }
}

/** Seatbelt has no session to keep. */
async function runOnMac(request: ConfinedRequest, folder: string): Promise<number> {
  const available = tryConfinement();
  if (available.kind === null) throw new SandboxError("not_available", `${available.why} ${available.fix}`);
  const { own, ...rest } = begin(request, folder);
  const hosts = [...DEFAULT_REGISTRY_HOSTS, ...configuredRegistries(request.home, request.env).hosts, ...request.hosts];
  return finish(request, folder, await runSeatbelt({ ...request, ...rest, own, folder, hosts }));
}

async function run(request: ConfinedRequest, folder: string, keeper: Keeper): Promise<number> {
  const { own, quarantine } = begin(request, folder);
  return finish(request, folder, await runConfined({ ...request, own, keeper, folder, quarantine, known: readLeft(folder) }));
}

function begin(request: ConfinedRequest, folder: string): { own: string[]; quarantine: string } {
  rmSync(join(folder, "cwd"), { force: true });
  const quarantine = join(request.home, ".hap", "quarantine", `${request.now}-${process.pid}`);
  return { own: [...request.own, ...readSessionFile(folder).own], quarantine };
}

/** Leave what the host needs, and tell a person of what was moved to quarantine. */
async function finish(request: ConfinedRequest, folder: string, result: ConfinedResult): Promise<number> {
  const told = readSessionFile(folder);
  writeLeft(folder, result.left);
  if (result.cwd !== null) writeFileSync(join(folder, "cwd"), `${result.cwd}\n`, { mode: 0o600 });
  if (result.words !== null) request.say(result.words);
  if (result.quarantined.length > 0) {
    request.say(quarantineWords(result.quarantined));
    const { quarantined } = result;
    await raiseQuarantine(told, {
      quarantined,
      project: request.project,
      command: request.command,
      agent: request.agent,
    });
  }
  return result.code;
}

/** Connect to the keeper of a session; start one where none answers. */
async function reachKeeper(folder: string, [program = "", ...args]: readonly string[], path: string): Promise<Keeper> {
  const there = await connectKeeper(folder);
  if (there !== null) return there;
  const available = tryConfinement(path);
  if (available.kind === null) throw new SandboxError("not_available", `${available.why} ${available.fix}`);
  const log = join(folder, "keeper.log");
  const out = openSync(log, "w", 0o600);
  const child = spawn(program, args, { detached: true, stdio: ["ignore", out, out], cwd: "/" });
  child.unref();
  let over = false;
  child.once("error", () => {
    over = true;
  });
  child.once("exit", () => {
    over = true;
  });
  for (let waited = 0; waited < KEEPER_MS; waited += 10) {
    const keeper = await connectKeeper(folder);
    if (keeper !== null) return keeper;
    // Another one may have been faster: it is looked for once more.
    if (over) {
      const other = await connectKeeper(folder);
      if (other !== null) return other;
      break;
    }
    await sleep(10);
  }
  const said = readFileSync(log, "utf8").trim();
  rmSync(folder, { recursive: true, force: true });
  throw new SandboxError("session_failed", said || "The session's namespaces did not come up. Run `hap doctor`.");
}

export type KeepRequest = {
  key: string;
  host: ProcessId | null;
  home: string;
  env: NodeJS.ProcessEnv;
  hosts: readonly string[];
  agent: string;
  now: () => number;
};

/** Keep a session's namespaces until it ends. */
export async function keepConfinedSession({ key, host, home, env, hosts, agent, now }: KeepRequest): Promise<void> {
  const folder = makeSessionFolder(home, key);
  await keepSession({
    folder,
    host,
    rules: [...DEFAULT_REGISTRY_HOSTS, ...configuredRegistries(home, env).hosts, ...hosts],
    async onLeftovers() {
      const left = readLeft(folder);
      const quarantined = lookForGates(left, folder, join(home, ".hap", "quarantine", `${now()}-${process.pid}`));
      const project = left?.project ?? dirname(quarantined[0]?.path ?? "");
      if (quarantined.length > 0) await raiseQuarantine(readSessionFile(folder), { quarantined, project, command: null, agent });
    },
  });
}
