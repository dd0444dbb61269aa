// Sessions on disk, `~/.yume/sessions/<id>.json`: written whole or not at all, one process at a time, read with care.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { YumeError } from "../yume-error.ts";
import { findTranscript } from "./claude-transcript.ts";
import { readHistory } from "./read-history.ts";
import { repairTurns } from "./repair-turns.ts";
import { isSessionId, newSession, SESSION_VERSION, type Session } from "./session.ts";
import { type SessionLock, takeLock } from "./session-lock.ts";

export class SessionStore {
  readonly #folder: string;
  readonly #claudeFolder: string | null;
  readonly #held = new Map<string, SessionLock>();

  /** `claudeFolder`: where sessions that only Claude Code or its SDKs wrote are found. */
  constructor(home: string, claudeFolder: string | null = null) {
    this.#claudeFolder = claudeFolder;
    this.#folder = join(home, ".yume", "sessions");
  }

  exists(id: string): boolean {
    return isSessionId(id) && statSync(this.#path(id), { throwIfNoEntry: false }) !== undefined;
  }

  /** Read a session; an unknown or damaged one is an error, never a new conversation. */
  read(id: string): Session {
    let text: string;
    try {
      text = readFileSync(this.#path(id), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      const found = this.#claudeFolder === null ? null : findTranscript(this.#claudeFolder, id);
      if (found !== null) return { ...newSession(id, found.cwd ?? "", new Date()), turns: readHistory(found.text, found.path) };
      throw new YumeError("session", `There is no session ${id} in ${this.#folder}. Leave --resume out to begin a new one.`);
    }
    return parseSession(text, this.#path(id));
  }

  /** The last session of a folder. */
  last(cwd: string): Session {
    const names = readable(this.#folder).filter((name) => name.endsWith(".json"));
    const dated = names.map((name) => ({
      name,
      at: statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }));
    for (const { name } of dated.sort((a, b) => b.at - a.at)) {
      try {
        const session = parseSession(readFileSync(join(this.#folder, name), "utf8"), name);
        if (session.cwd === cwd) return session;
      } catch {
        // A damaged one is not the one that is meant.
      }
    }
    throw new YumeError("session", `There is no conversation in ${cwd} to continue. Leave --continue out to begin one.`);
  }

  /** Take a session for this process; an error names who has it. */
  lock(id: string): void {
    if (this.#held.has(id)) return;
    const taken = takeLock(this.#path(id).replace(/json$/, "lock"));
    if ("holder" in taken)
      throw new YumeError(
        "session",
        `Session ${id} is in use by process ${taken.holder}. Wait for it to end, or fork it with --fork-session.`,
      );
    this.#held.set(id, taken);
  }

  save(session: Session): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.#path(session.id)}.${process.pid}.tmp`;
    try {
      const file = openSync(temporary, "w", 0o600);
      try {
        writeFileSync(file, JSON.stringify(session));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, this.#path(session.id));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new YumeError("session", `Session ${session.id} could not be written: ${(error as Error).message}`, error);
    }
  }

  /** All sessions that can be read, the last one first. */
  list(): { id: string; cwd: string; title: string; updatedAt: string }[] {
    return readable(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        try {
          const { id, cwd, turns, updated_at } = parseSession(readFileSync(join(this.#folder, name), "utf8"), name);
          const first = turns[0]?.content.find((part) => part.type === "text");
          const title = first?.type === "text" ? first.text.replaceAll(/\s+/g, " ").trim().slice(0, 100) : id;
          return turns.length === 0 ? [] : [{ id, cwd, title, updatedAt: updated_at }];
        } catch {
          return [];
        }
      })
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  /** Remove a session for good. */
  delete(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  /** Give back what this process took: one session, or all. */
  release(id?: string): void {
    if (id !== undefined) {
      this.#held.get(id)?.release();
      this.#held.delete(id);
      return;
    }
    for (const lock of this.#held.values()) lock.release();
    this.#held.clear();
  }

  #path(id: string): string {
    if (!isSessionId(id))
      throw new YumeError("session", `"${id}" is no session id: letters, digits, ".", "_" and "-" only, at most 128.`);
    return join(this.#folder, `${id}.json`);
  }
}

function parseSession(text: string, path: string): Session {
  let value: Partial<Session>;
  try {
    value = JSON.parse(text) as Partial<Session>;
  } catch (error) {
    throw new YumeError("session", `${path} is damaged: ${(error as Error).message}`, error);
  }
  if (value.version !== SESSION_VERSION)
    throw new YumeError(
      "session",
      `${path} has version ${value.version}; this program reads version ${SESSION_VERSION}. Upgrade it.`,
    );
  if (typeof value.id !== "string" || !Array.isArray(value.turns))
    throw new YumeError("session", `${path} is damaged: it has no turns.`);
  return {
    ...(value as Session),
    turns: repairTurns(value.turns, value.begun),
    models: value.models ?? {},
    todos: value.todos ?? [],
  };
}

function readable(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
