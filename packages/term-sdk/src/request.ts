// One request of the harness: what happened in the terminal since the last response.
import type { Screen } from "./screen.ts";

/** What the harness tells an agent before each step. On step 1 there is no command, output or exit code yet. */
export class Request {
  readonly instruction: string;
  readonly step: number;
  readonly lastCommand: string | null;
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly cwd: string;
  /** What the terminal shows, after a response with keystrokes; otherwise null. */
  readonly screen: Screen | null;

  constructor(fields: {
    instruction: string;
    step: number;
    lastCommand?: string | null;
    output?: string | null;
    exitCode?: number | null;
    cwd?: string;
    screen?: Screen | null;
  }) {
    this.instruction = fields.instruction;
    this.step = fields.step;
    this.lastCommand = fields.lastCommand ?? null;
    this.output = fields.output ?? null;
    this.exitCode = fields.exitCode ?? null;
    this.cwd = fields.cwd ?? "/";
    this.screen = fields.screen ?? null;
  }

  /** True on the first step. */
  get first(): boolean {
    return this.step === 1;
  }

  /** True when the last command ended with 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }

  /** True when the last command ended with anything but 0. */
  get failed(): boolean {
    return this.exitCode !== null && this.exitCode !== 0;
  }

  /** True when the output contains any of these; upper and lower case are the same. */
  has(...patterns: string[]): boolean {
    return contains(this.output, patterns);
  }

  /** True when the screen shows any of these; upper and lower case are the same. */
  shows(...patterns: string[]): boolean {
    return contains(this.screen?.text ?? null, patterns);
  }
}

function contains(text: string | null, patterns: readonly string[]): boolean {
  const folded = text?.toLowerCase();
  return folded !== undefined && patterns.some((pattern) => folded.includes(pattern.toLowerCase()));
}
