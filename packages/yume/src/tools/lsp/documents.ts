// What a language server knows of files: those that were asked about are open with their text as it is on disk, and it hears of
// every other file of its languages that the model has seen change.
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { decode } from "../files/file-text.ts";
import { ToolError } from "../tool.ts";

type Stamp = { mtimeMs: number; size: number };
type Notify = (method: string, params: unknown) => Promise<void>;

const SIZE_LIMIT = 10 * 1024 * 1024;
const CHANGED = 2;
const DELETED = 3;

export class Documents {
  readonly #notify: Notify;
  readonly #languages: Readonly<Record<string, string>>;
  readonly #open = new Map<string, Stamp & { version: number }>();
  readonly #heardOf = new Map<string, Stamp>();

  constructor(notify: Notify, languages: Readonly<Record<string, string>>) {
    this.#notify = notify;
    this.#languages = languages;
  }

  /** Make the server see `path`, and everything else that it has been told of, as it is now. `seen`: files that the model knows. */
  async bringUpToDate(path: string, seen: readonly string[]): Promise<void> {
    for (const other of this.#open.keys()) if (other !== path) await this.#refresh(other);
    await this.#hear(seen.filter((other) => other !== path && !this.#open.has(other)));
    if (this.#open.has(path)) return this.#refresh(path);
    const { text, stamp } = await readText(path);
    this.#open.set(path, { ...stamp, version: 1 });
    const languageId = this.#languages[extname(path).toLowerCase()];
    await this.#notify("textDocument/didOpen", { textDocument: { uri: uriOf(path), languageId, version: 1, text } });
  }

  async #refresh(path: string): Promise<void> {
    const known = this.#open.get(path) as Stamp & { version: number };
    const stamp = await stampOf(path);
    if (stamp === null) {
      this.#open.delete(path);
      return this.#notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
    }
    if (isSame(known, stamp)) return;
    const changed = await readText(path);
    const version = known.version + 1;
    this.#open.set(path, { ...changed.stamp, version });
    await this.#notify("textDocument/didChange", {
      textDocument: { uri: uriOf(path), version },
      contentChanges: [{ text: changed.text }],
    });
  }

  async #hear(paths: readonly string[]): Promise<void> {
    const changes: { uri: string; type: number }[] = [];
    for (const path of paths) {
      if (this.#languages[extname(path).toLowerCase()] === undefined) continue;
      const stamp = await stampOf(path);
      const known = this.#heardOf.get(path);
      if (stamp === null ? known === undefined : known !== undefined && isSame(known, stamp)) continue;
      if (stamp === null) this.#heardOf.delete(path);
      else this.#heardOf.set(path, stamp);
      changes.push({ uri: uriOf(path), type: stamp === null ? DELETED : CHANGED });
    }
    if (changes.length > 0) await this.#notify("workspace/didChangeWatchedFiles", { changes });
  }
}

/** How the protocol names a file. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

async function readText(path: string): Promise<{ text: string; stamp: Stamp }> {
  const stamp = await stampOf(path);
  if (stamp === null) throw new ToolError(`There is no file ${path}. Use Glob or LS to find it.`);
  if (stamp.size > SIZE_LIMIT)
    throw new ToolError(`${path} has ${stamp.size} bytes; at most ${SIZE_LIMIT} are given to a server.`);
  const file = decode(await readFile(path));
  if (file === null) throw new ToolError(`${path} is a binary file.`);
  return { text: file.text, stamp };
}

async function stampOf(path: string): Promise<Stamp | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? { mtimeMs: found.mtimeMs, size: found.size } : null;
}

function isSame(a: Stamp, b: Stamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.size === b.size;
}
