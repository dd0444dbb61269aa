// What a turn costs in US dollars, by list prices of November 2026 per million tokens. Prices change: overrides win.
import type { Usage } from "../model/types.ts";
import { bareModelName } from "./capabilities.ts";

/** US dollars per million tokens. What is left out costs as much as input. `above`: the prices of long prompts. */
type Price = {
  input: number;
  output: number;
  cache_read?: number;
  cache_write?: number;
  above?: { tokens: number; input: number; output: number; cache_read?: number; cache_write?: number };
};

/** Model name (or the beginning of one) to price. */
export type PriceTable = Readonly<Record<string, Price>>;

/** Anthropic's cache costs a tenth to read, and a quarter more to write. */
const claude = (input: number, output: number): Price => ({ input, output, cache_read: input / 10, cache_write: input * 1.25 });
/** A tenth for what was cached. */
const tenth = (input: number, output: number): Price => ({ input, output, cache_read: input / 10 });
/** Twice the input and one and a half times the output for prompts above a size. */
const tiered = (base: Price, tokens: number): Price => ({
  ...base,
  above: {
    tokens,
    input: base.input * 2,
    output: base.output * 1.5,
    ...(base.cache_read !== undefined && { cache_read: base.cache_read * 2 }),
    ...(base.cache_write !== undefined && { cache_write: base.cache_write * 2 }),
  },
});

/** The longest name that begins a model's name counts, so that dated versions find their price. */
const listPrices: PriceTable = {
  "gpt-4.1": { input: 2, output: 8, cache_read: 0.5 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6, cache_read: 0.1 },
  "gpt-4o": { input: 2.5, output: 10, cache_read: 1.25 },
  "gpt-4o-mini": { input: 0.15, output: 0.6, cache_read: 0.075 },
  "gpt-5": tenth(1.25, 10),
  "gpt-5-mini": tenth(0.25, 2),
  "gpt-5-nano": tenth(0.05, 0.4),
  "gpt-5.1": tenth(1.25, 10),
  "gpt-5.2": tenth(1.75, 14),
  "gpt-5.3": tenth(1.75, 14),
  "gpt-5.4": tiered(tenth(2.5, 15), 272_000),
  "gpt-5.4-mini": tenth(0.75, 4.5),
  "gpt-5.4-nano": tenth(0.2, 1.25),
  "gpt-5.5": tiered(tenth(5, 30), 272_000),
  "gpt-5.6-luna": tiered(claude(0.2, 1.2), 200_000),
  "gpt-5.6-terra": tiered(claude(2, 12), 272_000),
  "gpt-5.6-sol": tiered(claude(5, 30), 272_000),
  o3: { input: 2, output: 8, cache_read: 0.5 },
  "o4-mini": { input: 1.1, output: 4.4, cache_read: 0.275 },
  "claude-haiku-4-5": claude(1, 5),
  "claude-sonnet-4": claude(3, 15),
  "claude-sonnet-5": claude(2, 10),
  "claude-opus-4": claude(5, 25),
  "claude-opus-5": claude(5, 25),
  "claude-opus-5-5": claude(4, 20),
  "claude-fable-5": claude(10, 50),
  "gemini-2.5-pro": tiered(tenth(1.25, 10), 200_000),
  "gemini-2.5-flash": tenth(0.3, 2.5),
  "gemini-3.1-pro": tiered(tenth(2, 12), 200_000),
  "gemini-3.5-flash": tenth(1.5, 9),
  "gemini-3.6-flash": tenth(0.75, 3.75),
  "gemini-3.7-flash": tenth(0.75, 3.75),
};

/**
 * The cost of one turn, or null when nobody told the price of this model: unknown is not free.
 * Overrides are looked at first, under the same rule of the longest beginning.
 */
export function costOf(model: string, usage: Usage, overrides: PriceTable = {}): number | null {
  const price = priceOf(model, overrides) ?? priceOf(model, listPrices);
  if (price === null) return null;
  const prompt = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  const rate = price.above !== undefined && prompt > price.above.tokens ? price.above : price;
  const dollars =
    usage.input_tokens * rate.input +
    usage.output_tokens * rate.output +
    usage.cache_read_input_tokens * (rate.cache_read ?? rate.input) +
    usage.cache_creation_input_tokens * (rate.cache_write ?? rate.input);
  return dollars / 1_000_000;
}

/** Reads a price table that a user wrote; throws an error that names the entry which is wrong. */
export function parsePrices(json: string): PriceTable {
  const table: unknown = JSON.parse(json);
  if (typeof table !== "object" || table === null || Array.isArray(table))
    throw new Error(
      'a price table is a JSON object like {"my-model": {"input": 1, "output": 2}} in US dollars per million tokens',
    );
  for (const [model, price] of Object.entries(table)) {
    const { input, output, cache_read = 0, cache_write = 0 } = (price ?? {}) as Record<string, unknown>;
    const fine = [input, output, cache_read, cache_write].every((n) => typeof n === "number" && Number.isFinite(n) && n >= 0);
    if (!fine) throw new Error(`the price of ${model} needs input and output (cache_read, cache_write) as numbers of at least 0`);
  }
  return table as PriceTable;
}

function priceOf(model: string, table: PriceTable): Price | null {
  for (const name of new Set([model.toLowerCase(), bareModelName(model)])) {
    const fits = Object.keys(table).filter((key) => name === key.toLowerCase() || beginsWith(name, key.toLowerCase()));
    const longest = fits.toSorted((a, b) => b.length - a.length)[0];
    if (longest !== undefined) return table[longest] ?? null;
  }
  return null;
}

/** `gpt-5` begins `gpt-5-2025-08-07`, and not `gpt-5.6`. */
const beginsWith = (name: string, start: string) => name.startsWith(start) && /[-:@]/.test(name[start.length] ?? "");
