// The harness's side of the wire: one line a request, every field present, null where there is nothing.

/** A request as it is on the wire. */
export type WireRequest = {
  instruction: string;
  step: number;
  last_command: string | null;
  output: string | null;
  exit_code: number | null;
  cwd: string;
};

/** One line, without its line end. */
export function requestLine(request: WireRequest): string {
  const { instruction, step, last_command, output, exit_code, cwd } = request;
  return JSON.stringify({ instruction, step, last_command, output, exit_code, cwd });
}
