// Which provider and which model, from flags, environment and what keys there are. Pure.
import type { Options } from "../argv/options.ts";
import { allProviders, providerNames } from "../providers/index.ts";
import { YumeError } from "../yume-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Names that mean something only to Anthropic: hosts pass them without knowing who answers. */
const CLAUDE_NAMES = /^(?:claude\b.*|sonnet|opus|haiku|default|inherit|opusplan|best)(?:\[.*\])?$/i;

/** The provider; without one the run cannot begin. */
export function chooseProvider(options: Pick<Options, "provider">, env: Env): string {
  const found = options.provider ?? allProviders.find(({ chosenBy }) => chosenBy.some((name) => env[name]))?.name;
  if (found !== undefined && found !== null) return found;
  throw new YumeError(
    "provider",
    `No provider was named. Give --provider (${providerNames.join(", ")}) or set YUME_PROVIDER, and the provider's key.`,
  );
}

/** The model for a provider, or undefined for its default. */
export function chooseModel(named: string | null, provider: string, env: Env): string | undefined {
  const foreign = named !== null && provider !== "anthropic" && CLAUDE_NAMES.test(named);
  if (named !== null && named !== "default" && named !== "inherit" && !foreign) return named;
  return env.YUME_MODEL || undefined;
}
