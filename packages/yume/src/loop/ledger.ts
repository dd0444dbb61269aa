// What a run has used and cost, by model and in all.
import type { ModelTotals } from "../frames/run-event.ts";
import type { ModelCapabilities, Usage } from "../model/types.ts";

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** US dollars, or null when no price is known. */
export type CostOf = (model: string, usage: Usage) => number | null;

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}

export class Ledger {
  readonly #costOf: CostOf;
  readonly #models: Record<string, ModelTotals> = {};
  #turn: Usage = NO_USAGE;
  #requests = 0;
  #apiMs = 0;

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  /** A turn of the user begins; what models cost goes on adding up. */
  beginTurn(): void {
    this.#turn = NO_USAGE;
    this.#requests = 0;
    this.#apiMs = 0;
  }

  /** `asked` is the model that was asked for: servers may answer under another name, which has no price of its own. */
  add(model: string, usage: Usage, { context_window, max_output_tokens }: ModelCapabilities, asked = model): void {
    this.#turn = addUsage(this.#turn, usage);
    const before = this.#models[model] ?? { ...NO_USAGE, cost_usd: 0, context_window, max_output_tokens };
    const cost = this.#costOf(model, usage) ?? this.#costOf(asked, usage);
    this.#models[model] = {
      ...before,
      ...addUsage(before, usage),
      // Unknown is not free.
      cost_usd: before.cost_usd === null || cost === null ? null : before.cost_usd + cost,
    };
  }

  addTime(ms: number): void {
    this.#apiMs += ms;
  }

  countRequest(): void {
    this.#requests++;
  }

  get turnUsage(): Usage {
    return this.#turn;
  }

  get requests(): number {
    return this.#requests;
  }

  get apiMs(): number {
    return Math.round(this.#apiMs);
  }

  get models(): Record<string, ModelTotals> {
    return this.#models;
  }

  /** Null when some of it has no known price. */
  get costUsd(): number | null {
    return Object.values(this.#models).reduce<number | null>(
      (sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd),
      0,
    );
  }
}
