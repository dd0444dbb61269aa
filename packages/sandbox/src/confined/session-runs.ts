// A record of each command that runs in a session, with the gates that existed before it. A host can kill `hap run` at any time
// (an agent chooses its time limit): whoever comes next finds the record and looks for gates that the command made.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Gate } from "./find-gates.ts";
import type { GitPlaces } from "./git-places.ts";
import { identifyProcess, isRunning } from "./host-process.ts";

/** The gates of a project at some time, and where else to look for them. `path`: the session's PATH. */
export type Watched = { project: string; gates: Gate[]; git: GitPlaces; path: string };

const NAME = /^run-([0-9]+)-([0-9]+)$/;

/** Write the record of this process. Returns what removes it. */
export function recordRun(folder: string, watched: Watched): () => void {
  const path = join(folder, `run-${process.pid}-${identifyProcess(process.pid)?.started ?? "0"}`);
  writeFileSync(path, JSON.stringify(watched), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Records of commands that were killed, each with what removes it. */
export function killedRuns(folder: string): { watched: Watched; forget: () => void }[] {
  return records(folder)
    .filter(({ running }) => !running)
    .map(({ path }) => ({
      watched: JSON.parse(readFileSync(path, "utf8")) as Watched,
      forget: () => rmSync(path, { force: true }),
    }));
}

/** True while a command runs in the session. */
export function hasRuns(folder: string): boolean {
  return records(folder).some(({ running }) => running);
}

function records(folder: string): { path: string; running: boolean }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const [, pid, started] = NAME.exec(name) ?? [];
    if (pid === undefined || started === undefined) return [];
    return [{ path: join(folder, name), running: isRunning({ pid: Number(pid), started }) }];
  });
}
