// The harness's side of the wire: one line a request, every field present, null where there is nothing.

/** A request as it is on the wire. */
export type WireRequest = {
  instruction: string;
  step: number;
  last_command: string | null;
  output: string | null;
  exit_code: number | null;
  cwd: string;
  /** Only after keystrokes of the command format. */
  screen?: ScreenView;
};

/** The screen of the terminal. Rows and columns count from 1. */
export type ScreenView = {
  text: string;
  cursor: { row: number; column: number };
  /** True while a full-screen program has the terminal. */
  full_screen: boolean;
  rows: number;
  columns: number;
};

/** One line, without its line end. */
export function requestLine(request: WireRequest): string {
  const { instruction, step, last_command, output, exit_code, cwd, screen } = request;
  return JSON.stringify({ instruction, step, last_command, output, exit_code, cwd, screen });
}
