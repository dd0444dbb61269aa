// A run that ended before it began still says so in full: an error, and a terminal result.
import type { Emit, ResultFacts } from "../frames/run-event.ts";
import { NO_USAGE } from "../loop/ledger.ts";
import type { Redact } from "../redact.ts";
import { kindOf } from "../yume-error.ts";

/** Tell an error and end the turn with it. */
export function emitFailure(emit: Emit, error: unknown, redact: Redact): void {
  const message = redact(error instanceof Error ? error.message : String(error));
  const kind = kindOf(error);
  const facts: ResultFacts = {
    subtype: "error_during_execution",
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    result: "",
    stop_reason: null,
    total_cost_usd: 0,
    usage: NO_USAGE,
    models: {},
    permission_denials: [],
    errors: [message],
  };
  emit({ type: "error", message, kind });
  emit({ type: "result", ...facts });
}
