// How a waiting process hears of a commit at once: a bell file beside the store, rung after each commit, watched by inotify
// and its kin. A slow poll stands behind it, since a watch may miss: `fs.watch` alone is never trusted.
import { closeSync, constants, type FSWatcher, openSync, watch, writeSync } from "node:fs";
import type { Bell } from "../store/store.ts";

/** How often a waiter looks by itself. */
const POLL_MS = 500;
/** How long the watch outlives the last listener: whoever asks one thing after the other need not begin it each time. */
const LINGER_MS = 1_000;

type WatchFile = (path: string, changed: () => void) => FSWatcher;

/** The bell of a store in a file. */
export class FileBell implements Bell {
  readonly #path: string;
  readonly #watchFile: WatchFile;
  readonly #listeners = new Set<() => void>();
  #ringer: number | null = null;
  #watcher: FSWatcher | null = null;
  #poll: NodeJS.Timeout | null = null;
  #linger: NodeJS.Timeout | null = null;

  /** `watchFile`: given by tests, as another system's. */
  constructor(storePath: string, watchFile: WatchFile = watch) {
    this.#path = `${storePath}-bell`;
    this.#watchFile = watchFile;
  }

  /** Tell other processes that something was committed. Whoever rings tells its own listeners itself. */
  ring(): void {
    try {
      this.#ringer ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
      writeSync(this.#ringer, "!", 0);
    } catch {
      // A bell that cannot be rung costs others half a second, not the commit: their poll sees it.
      this.#ringer = null;
    }
  }

  /** Call `listener` after commits, in this process or another; returns how to stop. Keeps the process alive. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#poll === null) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  #start(): void {
    this.#poll = setInterval(() => this.#tell(), POLL_MS);
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#linger = null;
    if (this.#watcher === null) this.#watch();
    else this.#watcher.ref();
  }

  #watch(): void {
    try {
      closeSync(openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600));
      this.#watcher = this.#watchFile(this.#path, () => this.#tell());
      // No watch to be had (a limit of the system): the poll remains.
      this.#watcher.on("error", () => this.#unwatch());
    } catch {
      this.#unwatch();
    }
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #unwatch(): void {
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#linger = null;
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** Nobody listens: the process may end, and the watch stands by for a while. */
  #rest(): void {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    this.#watcher?.unref();
    this.#linger ??= setTimeout(() => this.#unwatch(), LINGER_MS).unref();
  }

  close(): void {
    this.#listeners.clear();
    this.#rest();
    this.#unwatch();
    if (this.#ringer !== null) closeSync(this.#ringer);
    this.#ringer = null;
  }
}
