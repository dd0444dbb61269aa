// Anthropic's Messages, as a wire.
import { capabilitiesOf } from "../capabilities.ts";
import { PermanentModelError } from "../permanent-error.ts";
import type { Wire } from "../wire.ts";
import { AnthropicDecoder } from "./anthropic-decoder.ts";
import { anthropicBody } from "./anthropic-request.ts";
import { hostOf, withoutSlash } from "./openai-access.ts";

const officialBase = "https://api.anthropic.com";

/** Whether it is Anthropic itself that would be asked. */
export const isAnthropicItself = (env: NodeJS.ProcessEnv, apiBase: string | undefined): boolean =>
  anthropicBase(env, apiBase) === officialBase;

/** Where the API is, without its version. */
function anthropicBase(env: NodeJS.ProcessEnv, apiBase: string | undefined): string {
  return withoutSlash(apiBase || env.ANTHROPIC_BASE_URL || officialBase).replace(/\/v1$/, "");
}

export function anthropicWire(env: NodeJS.ProcessEnv, apiBase: string | undefined): Wire {
  const base = anthropicBase(env, apiBase);
  const key = env.ANTHROPIC_API_KEY || null;
  const token = env.ANTHROPIC_AUTH_TOKEN || null;
  const official = isAnthropicItself(env, apiBase);
  const authHint =
    key === null && token === null
      ? "Set ANTHROPIC_API_KEY to your key, or ANTHROPIC_AUTH_TOKEN to a bearer token."
      : `What ${key === null ? "ANTHROPIC_AUTH_TOKEN" : "ANTHROPIC_API_KEY"} holds was not accepted: set it to a valid one.`;
  return {
    label: official ? "Anthropic" : `the Anthropic-compatible server ${hostOf(base)}`,
    framing: "sse",
    authHint,
    call: (request) => {
      if (official && key === null && token === null)
        throw new PermanentModelError("auth", `Anthropic wants a key, and there is none. ${authHint}`);
      return {
        url: `${base}/v1/messages`,
        headers: {
          accept: "text/event-stream",
          "anthropic-version": "2023-06-01",
          ...(key !== null && { "x-api-key": key }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        secrets: [key, token].filter((secret) => secret !== null),
        body: anthropicBody(request, capabilitiesOf(request.model).max_output_tokens),
      };
    },
    decoder: (request) => new AnthropicDecoder(request),
  };
}
