// Failures for people: one message that says what to do next, and an exit code by kind. Never a stack trace, unless asked.
import type { Context } from "./context.ts";

/** Wrong usage. */
const USAGE_EXIT = 2;
/** Something that should not happen: a bug, and not the caller's. */
export const UNEXPECTED_EXIT = 70;
/** Ended by Ctrl-C, as shells count it. */
export const INTERRUPTED_EXIT = 130;

/** The person went back before anything was recorded. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Tell that the words were wrong. A command that needs another word is answered by its help. */
export function reportUsage(context: Context, complaint: string, command: string | null): void {
  context.exitCode = USAGE_EXIT;
  const said = complaint.replace(/^error: /, "").trim();
  const hint = `\`hap ${command === null ? "" : `${command} `}--help\` shows how it is used.`;
  if (context.json) printJson(context, "invalid_input", "Wrong usage", `${said} ${hint}`, {});
  else context.err.line(said.startsWith("Usage: ") ? said : `hap: ${said}\n${hint}`);
}

/** Tell what failed. */
export async function reportFailure(context: Context, error: unknown): Promise<void> {
  const { isHapError, showInvisible } = await import("@hap/protocol");
  if (error instanceof Interrupted) {
    context.exitCode = INTERRUPTED_EXIT;
    context.err.line(error.message);
  } else if (isHapError(error)) {
    context.exitCode = error.exitCode;
    const { code, title, message, fields } = error.toJSON();
    if (context.json) printJson(context, code, title, message, fields);
    else context.err.line(`hap: ${showInvisible(message)}`);
  } else {
    context.exitCode = UNEXPECTED_EXIT;
    const message = `Something unexpected went wrong: ${error instanceof Error ? error.message : String(error)}`;
    const hint = "Run it again with HAP_DEBUG=1 to see where, and please report it.";
    if (context.json) printJson(context, "unexpected", "Unexpected error", `${message}. ${hint}`, {});
    else context.err.line(`hap: ${showInvisible(message)}\n${hint}`);
  }
  if (context.env.HAP_DEBUG && error instanceof Error) context.err.line(error.stack ?? error.message);
}

function printJson(context: Context, code: string, title: string, message: string, fields: object): void {
  context.err.line(JSON.stringify({ error: { code, title, message, fields } }));
}
