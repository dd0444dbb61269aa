// What a terminal is started with, and what its commands give back.
import type { ScreenView } from "../protocol/request-line.ts";
import type { Recording } from "./recording.ts";

/** How the shell is started; each sandbox makes one. */
export type Launch = {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** Where the starting program itself begins; the shell's own folder is `cwd`. */
  hostCwd: string;
  /** The control folder as the host and as the shell see it. */
  control: { host: string; inside: string };
  /** The shell's first folder, as the shell sees it. */
  cwd: string;
  /** Where the shell's processes are not ours to signal: ends what it runs, or the shell itself. */
  stop?: (what: "command" | "shell") => Promise<void>;
};

export type TerminalOptions = {
  launch: Launch;
  size: { columns: number; rows: number };
  outputLimitBytes: number;
  recording?: Recording | undefined;
};

/** How a command ended. `exitCode` is null only while a program still has the terminal (keystrokes). */
export type TerminalResult = {
  output: string;
  exitCode: number | null;
  cwd: string;
  end: "done" | "timeout" | "died";
  omittedBytes: number;
  /** After keystrokes. */
  screen?: ScreenView;
};

/** 160 x 40, as Terminal-Bench has it. */
export const DEFAULT_SIZE = { columns: 160, rows: 40 };
/** As the legacy format has it. */
export const DEFAULT_OUTPUT_LIMIT_BYTES = 10_000;
/** What a shell says of a command that was stopped for its time. */
export const TIMEOUT_EXIT_CODE = 124;
