// Runs one command under Seatbelt (D30). Other than on Linux there are no namespaces of a session: each command has its own proxy, and
// what it leaves running in its process group ends with it.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { writesGit } from "@hap/shell/git";
import { GATE_PATTERNS } from "@hap/shell/paths";
import { closeOthers } from "../close-others.ts";
import type { HostRule } from "../confined/allowed-hosts.ts";
import { checkPlace, listGates, type Place } from "../confined/confine-plan.ts";
import { MOST_FOLDERS } from "../confined/find-gates.ts";
import { gitIdentity } from "../confined/git-identity.ts";
import { findGitPlaces } from "../confined/git-places.ts";
import { insideEnvironment } from "../confined/inside-environment.ts";
import { makeProxy } from "../confined/proxy.ts";
import { appearedGates, quarantine } from "../confined/quarantine.ts";
import { textOf } from "../confined/raw-path.ts";
import { refusalWords } from "../confined/refusal-words.ts";
import { configuredRegistries } from "../confined/registries.ts";
import type { ConfinedResult } from "../confined/run-confined.ts";
import { projectCache } from "../confined/session-folder.ts";
import { findToolchains, isWithin } from "../confined/toolchains.ts";
import { trustedPath } from "../confined/trusted-path.ts";
import { SandboxError } from "../sandbox-error.ts";
import { endGroup, seatbeltCommand } from "./run-inside.ts";
import { isPlainPath, seatbeltProfile } from "./seatbelt-profile.ts";

export type SeatbeltRun = Place & {
  command: string;
  env: NodeJS.ProcessEnv;
  /** The session's folder. */
  folder: string;
  quarantine: string;
  own: readonly string[];
  hosts: readonly HostRule[];
};

const INSIDE = `${closeOthers("/dev/fd", 3)}; trap 'pwd -P >&3' EXIT; hap_command=$1; shift; eval "$hap_command"`;

/** Run it to its end. */
export async function runSeatbelt(run: SeatbeltRun): Promise<ConfinedResult> {
  const place = checkPlace(run);
  const path = run.env.PATH ?? "";
  const trusted = trustedPath(path, place.project);
  const git = findGitPlaces(place.project, trusted);
  const before = listGates(place.project, git, path, MOST_FOLDERS);
  const folders = {
    home: join(run.folder, "home"),
    tmp: join(run.folder, "tmp"),
    cache: projectCache(place.home, place.project),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const toolchains = findToolchains({ home: place.home, path, writable: [place.project], exists: existsSync });
  const gitWritable = writesGit(run.command);
  const gateFiles = before.map(({ raw }) => textOf(raw)).filter((gate) => !git.dirs.some((dir) => isWithin(gate, dir)));
  const readOnly = [...gateFiles, ...run.own.filter((own) => isWithin(own, place.project))];
  for (const name of [place.project, ...readOnly, ...git.dirs])
    if (!isPlainPath(name))
      throw new SandboxError("place_refused", `${JSON.stringify(name)} cannot be named in a Seatbelt profile. Rename it.`);
  const refused: string[] = [];
  const proxy = makeProxy({ rules: run.hosts, refused: (host) => refused.push(host) }).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  try {
    const { port } = proxy.address() as AddressInfo;
    const profile = seatbeltProfile({
      project: place.project,
      writable: Object.values(folders),
      toolchains: toolchains.show,
      gates: GATE_PATTERNS,
      readOnly,
      gitDirs: git.dirs,
      gitWritable,
      proxyPort: port,
    });
    const env = {
      ...insideEnvironment({
        from: run.env,
        home: folders.home,
        path: toolchains.path,
        cache: folders.cache,
        proxyPort: port,
        registries: configuredRegistries(place.home, run.env).environment,
        git: gitIdentity(place.home, trusted),
        gitWritable,
      }),
      TMPDIR: folders.tmp,
    };
    const { code, cwd } = await start(profile, run.command, place.cwd, env);
    const after = listGates(place.project, git, path);
    const quarantined = quarantine(appearedGates(before, after), before, join(run.quarantine, "new"));
    const words = refusalWords({ code, refused, said: [] });
    return { code, cwd: cwd !== null && isWithin(cwd, place.project) ? cwd : null, quarantined, left: null, words };
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

async function start(profile: string, command: string, cwd: string, env: NodeJS.ProcessEnv) {
  const [program, args] = seatbeltCommand(profile, ["/bin/bash", "-c", INSIDE, "bash", command]);
  const child = spawn(program, args, { cwd, env, stdio: ["inherit", "inherit", "inherit", "pipe"], detached: true });
  const pass = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
  for (const signal of signals) process.on(signal, pass);
  let said = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-8_192);
  });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", (error) =>
        reject(new SandboxError("session_failed", `sandbox-exec cannot be started: ${error.message}`)),
      );
      child.once("exit", (ended, signal) =>
        setImmediate(() => resolve(ended ?? 128 + constants.signals[signal as NodeJS.Signals])),
      );
    });
    return { code, cwd: said.trimEnd().split("\n").at(-1) || null };
  } finally {
    endGroup(child.pid);
    child.stdio[3]?.destroy();
    for (const signal of signals) process.off(signal, pass);
  }
}
