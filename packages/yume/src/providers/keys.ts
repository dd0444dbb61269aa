// Which variables hold a provider's key, and whether it does without one.
import { isAnthropicItself } from "./wires/anthropic.ts";
import { openAiAccess } from "./wires/openai-access.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  codex: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  gemini: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  ollama: ["OLLAMA_API_KEY"],
};

/** `required`: without one of these nothing is sent. Google has other ways to know who one is, programs have their own. */
export function keysOf(
  provider: string,
  env: NodeJS.ProcessEnv,
  apiBase: string | undefined,
): { names: readonly string[]; required: boolean } {
  const names = NAMES[provider] ?? [];
  if (provider === "anthropic") return { names, required: isAnthropicItself(env, apiBase) };
  return { names, required: (provider === "openai" || provider === "codex") && openAiAccess(env, apiBase).official };
}
