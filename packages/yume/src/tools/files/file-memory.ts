// What the model has seen of files, so that a change made meanwhile by somebody else is not overwritten unseen.
import { stat } from "node:fs/promises";
import { ToolError } from "../tool.ts";

type Seen = { mtimeMs: number; size: number };

export class FileMemory {
  readonly #seen = new Map<string, Seen>();

  /** The files that the model has seen. */
  get paths(): string[] {
    return [...this.#seen.keys()];
  }

  /** The model has seen the file as it is now. */
  async remember(path: string): Promise<void> {
    const found = await stat(path).catch(() => null);
    if (found !== null) this.#seen.set(path, { mtimeMs: found.mtimeMs, size: found.size });
  }

  /** Refuse to change a file that is no longer what the model saw. A file that it never saw is nobody's surprise. */
  async refuseStale(path: string, shown: string): Promise<void> {
    const seen = this.#seen.get(path);
    const found = await stat(path).catch(() => null);
    if (seen === undefined || found === null || (seen.mtimeMs === found.mtimeMs && seen.size === found.size)) return;
    throw new ToolError(`${shown} has changed since you read it. Read it again before you change it.`);
  }
}
