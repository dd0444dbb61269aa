// What `hap exec` and `hap run` leave behind: the command's own exit code, or why nothing was started, on standard error.
import { showInvisible } from "@hap/protocol";
import type { Outcome, WaitOptions } from "@hap/sdk";
import type { Context } from "./context.ts";
import { waitExitCode } from "./exit-codes.ts";
import { Interrupted } from "./failure.ts";
import { parseDuration } from "./input/duration.ts";
import { printJson } from "./show/print-ticket.ts";

type Done = { ran: true; code: number } | { ran: false; outcome: Outcome };

export const GATE_EXIT_HELP = `
Exit code: the command's own (128 and the number of the signal that ended it).
When nothing was started, which is said on standard error:
   5  what was approved is no longer what would run; ask again
  10  rejected              11  changes requested     12  expired: nobody came in time
  13  canceled              14  still open            15  approved by a timer: no person said yes
 130  interrupted while waiting; the same command finds the same ticket`;

/** Print why nothing was started, or take over the command's exit code. */
export function finish(context: Context, done: Done): void {
  context.exitCode = done.ran ? done.code : waitExitCode(done.outcome);
  if (done.ran) return;
  if (context.json) printJson(context, done.outcome.ticket);
  else context.err.line(`Nothing was run. ${context.err.isTerminal ? showInvisible(done.outcome.words) : done.outcome.words}`);
}

/** Wait for a ticket's end; Ctrl-C leaves it open. */
export async function waitForEnd<Ended>(
  context: Context,
  timeout: string | undefined,
  wait: (options: WaitOptions) => Promise<Ended>,
): Promise<Ended> {
  const abort = new AbortController();
  const stop = context.onInterrupt(() => abort.abort());
  try {
    const timeoutMs = timeout === undefined ? {} : { timeoutMs: parseDuration(timeout, "--timeout") * 1000 };
    return await wait({ ...timeoutMs, signal: abort.signal });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw new Interrupted("Interrupted. Nothing was run; the ticket stays open, and the same command finds it.");
  } finally {
    stop();
  }
}
