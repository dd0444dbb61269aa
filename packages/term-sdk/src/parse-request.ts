// Reads one line of the harness. Keys that are left out are null, unknown ones are ignored.
import { Request } from "./request.ts";
import { readScreen, type Screen } from "./screen.ts";

/** A line that is no request. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly line: string;

  constructor(problem: string, line: string) {
    super(`This is no request of the harness: ${problem}. The line was: ${line.slice(0, 200)}`);
    this.line = line;
  }
}

/** Read a request. */
export function parseRequest(line: string): Request {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new RequestError(error instanceof Error ? error.message : "it is not JSON", line);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new RequestError("it is not an object", line);
  const fields = value as Record<string, unknown>;
  const { instruction, step } = fields;
  if (typeof instruction !== "string") throw new RequestError("instruction must be text", line);
  if (typeof step !== "number" || !Number.isInteger(step) || step < 1)
    throw new RequestError("step must be a whole number from 1 on", line);
  return new Request({
    instruction,
    step,
    lastCommand: textOrNull(fields, "last_command", line),
    output: textOrNull(fields, "output", line),
    exitCode: exitCode(fields, line),
    cwd: textOrNull(fields, "cwd", line) ?? "/",
    screen: screenOrNull(fields, line),
  });
}

function textOrNull(fields: Record<string, unknown>, name: string, line: string): string | null {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== "string") throw new RequestError(`${name} must be text or null`, line);
  return value;
}

function screenOrNull(fields: Record<string, unknown>, line: string): Screen | null {
  const value = fields.screen ?? null;
  const screen = value === null ? null : readScreen(value);
  if (screen === undefined)
    throw new RequestError("screen must have text, cursor, full_screen, rows and columns, or be null", line);
  return screen;
}

function exitCode(fields: Record<string, unknown>, line: string): number | null {
  const value = fields.exit_code ?? null;
  if (value !== null && !(typeof value === "number" && Number.isInteger(value)))
    throw new RequestError("exit_code must be a whole number or null", line);
  return value;
}
