// hap bridge --dir FOLDER: the same over files. Agents put envelopes into FOLDER/inbox, replies appear in FOLDER/outbox, and
// what was answered moves to FOLDER/processed. Every file is written beside its place first, and renamed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EnvelopeScanner, type Found, SCAN_LIMIT } from "../scanner.ts";
import { type BridgeOptions, beginRun } from "./run-command.ts";
import { Switchboard } from "./switchboard.ts";

/** How often the folder is looked at when nothing tells of a change. */
const POLL_MS = 500;
/** A file that cannot be read is given this long to be finished. */
const SETTLED_MS = 1000;

/** Serve the folder until the signal aborts. Open questions stay: the next bridge for this folder finds them again. */
export async function runFolder(
  folder: string,
  options: Omit<BridgeOptions, "input" | "output" | "resume"> & { signal: AbortSignal },
): Promise<void> {
  const root = resolve(options.cwd, folder);
  const [inbox, outbox, processed] = ["inbox", "outbox", "processed"].map((name) => join(root, name)) as [string, string, string];
  for (const path of [inbox, outbox, processed]) mkdirSync(path, { recursive: true });
  const { client, release } = await beginRun(`--dir ${root}`, { ...options, cwd: root, resume: true });
  const switchboard = new Switchboard(
    client,
    { to: options.to, timeoutSeconds: options.timeoutSeconds, project: root, strict: options.strict },
    options.warn,
  );
  const busy = new Map<string, Promise<void>>();
  const look = () => {
    for (const name of readdirSync(inbox)) {
      if (!name.endsWith(".json") || name.startsWith(".") || busy.has(name)) continue;
      const done = handle(name).then(
        (again) => void (again && busy.delete(name)),
        (error: unknown) => options.warn(`${name}: ${error instanceof Error ? error.message : String(error)}`),
      );
      busy.set(name, done);
    }
  };
  /** Says whether the name is to be looked at again. A message that is no question stays where it is: it is somebody else's. */
  const handle = async (name: string): Promise<boolean> => {
    const found = readMessage(join(inbox, name));
    if (found === null) return false;
    // A writer may be in the middle of it.
    if (found.kind === "broken" && Date.now() - statSync(join(inbox, name)).mtimeMs < SETTLED_MS) return true;
    const taken = await switchboard.take(found, async (envelope) => {
      const { id } = envelope as { id: string };
      replaceFile(join(outbox, `${id}.json`), `${JSON.stringify(envelope, null, 2)}\n`);
    });
    if (taken === "closed") return false;
    renameSync(join(inbox, name), freeName(processed, name));
    return true;
  };
  try {
    look();
    const poll = setInterval(look, POLL_MS);
    const watcher = watch(inbox, look);
    await new Promise<void>((done) => {
      if (options.signal.aborted) done();
      options.signal.addEventListener("abort", () => done());
    });
    clearInterval(poll);
    watcher.close();
    switchboard.close();
    await Promise.all(busy.values());
  } finally {
    release();
    await client.close();
  }
}

/** The question in a file, what is wrong with it, or null when it is another message. */
function readMessage(path: string): Found | null {
  if (statSync(path).size > SCAN_LIMIT)
    return { kind: "broken", id: null, problem: `the file has more than ${SCAN_LIMIT} bytes` };
  const scanner = new EnvelopeScanner();
  // A byte order mark is no part of the message.
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  const [found] = [...scanner.push(text), ...scanner.end()];
  if (found !== undefined) return found;
  try {
    JSON.parse(text);
    return null;
  } catch {
    return { kind: "broken", id: null, problem: "the file holds no JSON" };
  }
}

/** A name that is not taken: an older message of the same name is kept. */
function freeName(folder: string, name: string): string {
  let path = join(folder, name);
  for (let copy = 2; existsSync(path); copy++) path = join(folder, name.replace(/\.json$/, `.${copy}.json`));
  return path;
}

function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.part`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
