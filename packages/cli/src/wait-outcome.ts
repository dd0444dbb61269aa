// Waits for a ticket's end and tells it: the words as they are, or the ticket as JSON, and an exit code for each end.
import { showInvisible } from "@hap/protocol";
import type { Outcome, WaitOptions } from "@hap/sdk";
import type { Context } from "./context.ts";
import { waitExitCode } from "./exit-codes.ts";
import { INTERRUPTED_EXIT } from "./failure.ts";
import { parseDuration } from "./input/duration.ts";
import { printJson } from "./show/print-ticket.ts";

/** Longest delay that a timer of Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns the outcome, or null when Ctrl-C ended the wait. */
export async function waitOutcome(
  context: Context,
  timeout: string | undefined,
  wait: (options: WaitOptions) => Promise<Outcome>,
): Promise<Outcome | null> {
  const abort = new AbortController();
  const stop = context.onInterrupt(() => abort.abort());
  const timeoutMs = timeout === undefined ? {} : { timeoutMs: Math.min(parseDuration(timeout, "--timeout") * 1000, LONGEST_MS) };
  try {
    const outcome = await wait({ ...timeoutMs, signal: abort.signal });
    printOutcome(context, outcome);
    return outcome;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    context.exitCode = INTERRUPTED_EXIT;
    return null;
  } finally {
    stop();
  }
}

/** A program gets the person's words byte for byte; a terminal is not moved by them. */
function printOutcome(context: Context, outcome: Outcome): void {
  context.exitCode = waitExitCode(outcome);
  if (context.json) printJson(context, { status: outcome.status, ...outcome.ticket });
  else context.out.line(context.out.isTerminal ? showInvisible(outcome.words) : outcome.words);
}
