// Tokens and cost of an agent's model calls, as its responses report them. An unknown number is null, never 0.

export type Usage = {
  /** All input tokens, cached ones included. */
  prompt_tokens: number | null;
  completion_tokens: number | null;
  /** Those of prompt_tokens that came from a cache. */
  cached_tokens: number | null;
  cost_usd: number | null;
};

/** US dollars for a million tokens. Cached tokens cost what input does unless a price is given. */
export type Price = { input: number; output: number; cached: number | null };

/** Read a response's `usage`: our names, OpenAI's or Anthropic's. Null without one; text says what is wrong. */
export function readUsage(given: unknown): Usage | null | string {
  if (given === undefined || given === null) return null;
  if (typeof given !== "object" || Array.isArray(given)) return "usage must be an object";
  const fields = given as Record<string, unknown>;
  const details = (fields.prompt_tokens_details ?? fields.input_tokens_details ?? {}) as Record<string, unknown>;
  const cached = number(fields.cached_tokens ?? details.cached_tokens ?? fields.cache_read_input_tokens);
  // Anthropic counts cached tokens beside input_tokens; the others count them in it.
  const beside = [fields.cache_read_input_tokens, fields.cache_creation_input_tokens].map((value) => number(value) ?? 0);
  const input = number(fields.prompt_tokens) ?? number(fields.input_tokens);
  return {
    prompt_tokens: input === null ? null : input + (beside[0] ?? 0) + (beside[1] ?? 0),
    completion_tokens: number(fields.completion_tokens) ?? number(fields.output_tokens),
    cached_tokens: cached,
    cost_usd: number(fields.cost_usd),
  };
}

/** The sum. A number that some response left out is unknown in the sum too, except for cached tokens, which are optional. */
export function addUsage(all: readonly Usage[]): Usage | null {
  if (all.length === 0) return null;
  const sum = (values: readonly (number | null)[]) =>
    values.includes(null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const cached = all.map(({ cached_tokens }) => cached_tokens);
  return {
    prompt_tokens: sum(all.map(({ prompt_tokens }) => prompt_tokens)),
    completion_tokens: sum(all.map(({ completion_tokens }) => completion_tokens)),
    cached_tokens: cached.every((value) => value === null) ? null : sum(cached.map((value) => value ?? 0)),
    cost_usd: sum(all.map(({ cost_usd }) => cost_usd)),
  };
}

/** The same with a cost, from a price where the agent reported none. */
export function priced(usage: Usage, price: Price | null): Usage {
  const { prompt_tokens, completion_tokens, cached_tokens, cost_usd } = usage;
  if (price === null || cost_usd !== null || prompt_tokens === null || completion_tokens === null) return usage;
  const cached = cached_tokens ?? 0;
  const dollars =
    (prompt_tokens - cached) * price.input + cached * (price.cached ?? price.input) + completion_tokens * price.output;
  return { ...usage, cost_usd: dollars / 1_000_000 };
}

/** `3/15` or `3/15/0.3`: input, output and cached, in dollars for a million tokens. Null for anything else. */
export function parsePrice(text: string): Price | null {
  const [input, output, cached, ...more] = text.split("/").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const valid = (value: number | undefined) => value !== undefined && Number.isFinite(value) && value >= 0;
  if (!valid(input) || !valid(output) || (cached !== undefined && !valid(cached)) || more.length > 0) return null;
  return { input: input as number, output: output as number, cached: cached ?? null };
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}
