// The environment that a bound command gets: built from an allow-list, never the caller's own as it is.
import { HapError, quote } from "@hap/protocol";
import { hashBytesOf } from "./hash-file.ts";

/** Taken over when they are there; their values are shown in the ticket. */
const allowed = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|NO_COLOR|TMPDIR|SYSTEMROOT|PATHEXT)$/;
const nameOf = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `NAME=VALUE` sets and shows; `NAME` takes over a value that is bound by its hash and not shown. */
export type EnvironmentRequest = { from: NodeJS.ProcessEnv; also: readonly string[] };

export function buildEnvironment({ from, also }: EnvironmentRequest): {
  env: Record<string, string>;
  secret: Record<string, string>;
} {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) if (value !== undefined && allowed.test(name)) env[name] = value;
  const secret: Record<string, string> = {};
  for (const word of also) {
    const [name = "", ...rest] = word.split("=");
    if (!nameOf.test(name))
      throw new HapError("invalid_input", `--env is ${quote(word)}; give NAME=VALUE, or NAME to take a value over.`, {
        field: "--env",
      });
    if (rest.length > 0) env[name] = rest.join("=");
    else secret[name] = hashBytesOf(takenOver(from, name));
  }
  for (const name of Object.keys(secret)) delete env[name];
  for (const [name, value] of Object.entries(env)) refuseBytes(value, `The variable ${name}`);
  return { env, secret };
}

function takenOver(from: NodeJS.ProcessEnv, name: string): string {
  const value = from[name];
  if (value === undefined) throw new HapError("invalid_input", `--env names ${name}, which is not set.`, { field: "--env" });
  return value;
}

/** Bytes that are no UTF-8 reach us as U+FFFD; what cannot be shown exactly cannot be approved. */
export function refuseBytes(text: string, what: string): void {
  if (!text.includes("\uFFFD") && text.isWellFormed()) return;
  throw new HapError(
    "invalid_input",
    `${what} has bytes that are not UTF-8 (or the character U+FFFD): they cannot be shown and bound.`,
    {
      field: what,
    },
  );
}
