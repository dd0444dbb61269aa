// Reads tool calls from the transcripts that hosts keep. Read-only; entries of any other kind are skipped.
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { HOSTS, Host, PastCall } from "@hap/door-hook/preview";

/** A call in a transcript, with the time of its entry. */
export type RecordedCall = PastCall & { at: string };

/** Transcripts of one host. `confinedByHap`: HAP's sandbox confines its commands, not the host's own. */
export type Transcripts = { host: Host; title: string; confinedByHap: boolean; files: string[] };

/** The transcripts of every host that were written since a moment. */
export function findTranscripts(hosts: typeof HOSTS, home: string, env: NodeJS.ProcessEnv, since: number): Transcripts[] {
  return (Object.keys(hosts) as Host[]).flatMap((host) => {
    const { title, transcripts, confinement } = hosts[host];
    if (transcripts === null) return [];
    return [{ host, title, confinedByHap: confinement.by === "hap", files: newFiles(transcripts.folder(home, env), since) }];
  });
}

function newFiles(folder: string, since: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true }) as string[];
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since)
    .sort();
}

/** The calls of one transcript. `seen` holds the ids of calls that were returned already: resumed sessions repeat them. */
export async function* readCalls(
  { host, hosts }: { host: Host; hosts: typeof HOSTS },
  file: string,
  since: number,
  seen: Set<string>,
): AsyncGenerator<RecordedCall> {
  const read = hosts[host].transcripts?.reader() ?? (() => []);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = parse(line);
    if (entry === null) continue;
    const at = typeof entry.timestamp === "string" ? entry.timestamp : "";
    for (const { id, ...call } of read(entry)) {
      if (seen.has(id) || Date.parse(at) < since) continue;
      seen.add(id);
      yield { host, at, ...call };
    }
  }
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
