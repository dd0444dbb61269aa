// The providers there are. A new one is a file in `all/` and a line here. The last two drive a program that has tools of its own.
import { anthropic } from "./all/anthropic.ts";
import { codex } from "./all/codex.ts";
import { codexCli } from "./all/codex-cli.ts";
import { copilot } from "./all/copilot.ts";
import { gemini } from "./all/gemini.ts";
import { ollama } from "./all/ollama.ts";
import { openai } from "./all/openai.ts";
import { openrouter } from "./all/openrouter.ts";
import type { ProviderKind } from "./provider-kind.ts";

/** All of them. Where several keys are set and no provider is named, the first whose key is there is taken. */
export const allProviders: readonly ProviderKind[] = [anthropic, openai, gemini, codex, openrouter, ollama, copilot, codexCli];

/** Their names, as --provider takes them. */
export const providerNames: readonly string[] = allProviders.map(({ name }) => name);

/** The provider of that name, or undefined. */
export function findProvider(name: string): ProviderKind | undefined {
  return allProviders.find((known) => known.name === name.toLowerCase());
}
