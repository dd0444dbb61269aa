// The terminal frame: the same full set of fields in both dialects, whatever happened.
import { fitText, lineBytes } from "./cut-text.ts";
import { fitInput } from "./fit-input.ts";
import type { PermissionDenial, ResultFacts } from "./run-event.ts";

/** How much of the line these may take. The answer itself is never cut. */
const ERRORS_BYTES = 12_000;
const DENIALS_BYTES = 20_000;

/** The result as both dialects write it. */
export function resultFrame(facts: ResultFacts): Record<string, unknown> {
  const isError = facts.subtype !== "success";
  return {
    type: "result",
    subtype: facts.subtype,
    is_error: isError,
    duration_ms: facts.duration_ms,
    duration_api_ms: facts.duration_api_ms,
    num_turns: facts.num_turns,
    result: isError && facts.result === "" ? fitText(facts.errors.join("\n"), ERRORS_BYTES) : facts.result,
    stop_reason: facts.stop_reason,
    total_cost_usd: facts.total_cost_usd,
    usage: {
      ...facts.usage,
      // No wire of ours tells how long what it cached lives.
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: "standard",
    },
    modelUsage: Object.fromEntries(
      Object.entries(facts.models).map(([model, totals]) => [
        model,
        {
          inputTokens: totals.input_tokens,
          outputTokens: totals.output_tokens,
          cacheReadInputTokens: totals.cache_read_input_tokens,
          cacheCreationInputTokens: totals.cache_creation_input_tokens,
          webSearchRequests: 0,
          costUSD: totals.cost_usd,
          contextWindow: totals.context_window,
          maxOutputTokens: totals.max_output_tokens,
        },
      ]),
    ),
    permission_denials: shownDenials(facts.permission_denials),
    ...(facts.structured_output === undefined ? {} : { structured_output: facts.structured_output }),
    ...(isError ? { errors: facts.errors.map((text) => fitText(text, Math.floor(ERRORS_BYTES / facts.errors.length))) } : {}),
  };
}

/** Each call was told before, under its id. */
function shownDenials(denials: readonly PermissionDenial[]): PermissionDenial[] {
  if (lineBytes(denials) <= DENIALS_BYTES) return [...denials];
  const each = Math.floor(DENIALS_BYTES / denials.length);
  return denials.map((denial) => ({ ...denial, tool_input: fitInput(denial.tool_input, each, "[see the call]") }));
}
