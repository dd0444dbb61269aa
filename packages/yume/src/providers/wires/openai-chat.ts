// Chat Completions, as a wire: OpenAI's own and every server that imitates it.
import { canReason } from "../capabilities.ts";
import type { Wire } from "../wire.ts";
import { type OpenAiAccess, openAiHeaders, openAiSecrets } from "./openai-access.ts";
import { ChatDecoder } from "./openai-chat-decoder.ts";
import { type ChatFlavour, chatBody } from "./openai-chat-request.ts";

export function chatWire(access: OpenAiAccess): Wire {
  const flavour: ChatFlavour = {
    maxTokensField: access.official ? "max_completion_tokens" : "max_tokens",
    reasoningEffort: access.official,
    streamOptions: true,
  };
  return {
    label: access.label,
    framing: "sse",
    authHint: access.authHint,
    call: (request) => ({
      url: `${access.base}/chat/completions`,
      headers: openAiHeaders(access),
      secrets: openAiSecrets(access),
      body: chatBody(request, { ...flavour, reasoningEffort: flavour.reasoningEffort && canReason(request.model) }),
    }),
    decoder: (request) => new ChatDecoder(request),
    learn: (error) => error.kind === "bad_request" && adapt(flavour, error.message),
  };
}

/** Servers differ in the fields that they know; a refusal that names one of ours tells which. */
function adapt(flavour: ChatFlavour, refusal: string): boolean {
  if (flavour.streamOptions && /stream_options|include_usage/.test(refusal)) flavour.streamOptions = false;
  else if (flavour.reasoningEffort && /reasoning_effort/.test(refusal)) flavour.reasoningEffort = false;
  else if (flavour.maxTokensField === "max_tokens" && /max_completion_tokens/.test(refusal))
    flavour.maxTokensField = "max_completion_tokens";
  else if (flavour.maxTokensField === "max_completion_tokens" && /max_completion_tokens/.test(refusal))
    flavour.maxTokensField = "max_tokens";
  else return false;
  return true;
}
