// The server's log (13.3): JSON, one line a happening, on standard error, without secrets and without bodies.
import { HapError } from "@hap/protocol";
import { redactFields, redactText } from "./redact.ts";

/** From the wordiest; a line is written when its level is at least the log's. */
const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where lines go, and how to tell of what nobody expected. */
export type Log = {
  /** Is a line of this level written? For those who would collect its fields for nothing. */
  takes: (level: Exclude<LogLevel, "silent">) => boolean;
  write: (level: Exclude<LogLevel, "silent">, msg: string, fields?: Record<string, unknown>) => void;
  unexpected: (msg: string, error: unknown) => void;
};

/** A level by its name. */
export function readLogLevel(word: string, field: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === word);
  if (level !== undefined) return level;
  throw new HapError("invalid_input", `${field} is ${word.slice(0, 40)}; it must be of ${LOG_LEVELS.join(", ")}.`, { field });
}

/** A log that writes lines of a level and above. */
export function openLog(least: LogLevel, writeLine: (line: string) => void, now: () => number = Date.now): Log {
  const from = LOG_LEVELS.indexOf(least);
  const takes: Log["takes"] = (level) => LOG_LEVELS.indexOf(level) >= from;
  const write: Log["write"] = (level, msg, fields = {}) => {
    if (!takes(level)) return;
    writeLine(`${JSON.stringify({ level, ts: new Date(now()).toISOString(), msg: redactText(msg), ...redactFields(fields) })}\n`);
  };
  return {
    takes,
    write,
    unexpected: (msg, error) =>
      write("error", msg, error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) }),
  };
}
