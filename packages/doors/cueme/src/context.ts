// What a command gets from the process.
export type Context = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Resolves when the system has taken all of it, and rejects when nobody reads any more. */
  readonly write: (text: string) => Promise<void>;
  readonly warn: (text: string) => Promise<void>;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly signalled: () => NodeJS.Signals | null;
};

/** What every command may be given. */
export type Options = {
  json: boolean;
  timeout: string | undefined;
  to: string | undefined;
  lang: string | undefined;
  file: string | undefined;
  remove: boolean;
};

/** A command: it returns the exit code. */
export type CommandRun = (words: readonly string[], options: Options, context: Context) => Promise<number>;
