// OpenAI's two formats, as wires.
import type { ProviderOptions } from "../provider-kind.ts";
import type { Wire } from "../wire.ts";
import { openAiAccess, openAiFormat } from "./openai-access.ts";
import { chatWire } from "./openai-chat.ts";
import { responsesWire } from "./responses.ts";

/** The wire for a provider's name and options. */
export function openAiWire(provider: string, { env, apiBase, wire }: ProviderOptions): Wire {
  const access = openAiAccess(env, apiBase);
  return openAiFormat(provider, access, wire) === "chat" ? chatWire(access) : responsesWire(access);
}
