// What a command gets from the process: its environment, streams, clock and chance, all read once, in main.
import type { Output } from "./terminal/output.ts";

export type Context = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  readonly out: Output;
  readonly err: Output;
  /** `--json` was given: standard output holds JSON and nothing else. */
  readonly json: boolean;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** True when somebody can be asked on standard input and standard error. */
  readonly canAsk: boolean;
  /** Called when the person presses Ctrl-C, while a command listens. */
  readonly onInterrupt: (listener: () => void) => () => void;
  exitCode: number;
};

/** Columns to fit into: the terminal's, else COLUMNS, else no limit. */
export function fitWidth({ out, env }: Pick<Context, "out" | "env">): number | null {
  const stated = /^[1-9][0-9]{0,4}$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : null;
  return out.columns ?? stated;
}
