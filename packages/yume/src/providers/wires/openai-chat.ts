// Chat Completions, as a wire: OpenAI's own and every server that imitates it.
import type { ModelRequest } from "../../model/types.ts";
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
      body: chatBody(request, {
        ...flavour,
        // Whoever names an effort wants it sent; a server that refuses the field is asked again without it.
        reasoningEffort:
          (flavour.reasoningEffort && canReason(request.model)) || (wantsEffort(request) && !refusedEffort.has(flavour)),
      }),
    }),
    decoder: (request) => new ChatDecoder(request),
    learn: (error) => error.kind === "bad_request" && adapt(flavour, error.message),
  };
}

const wantsEffort = ({ effort, thinking }: ModelRequest) => effort !== undefined || thinking === "disabled";
const refusedEffort = new WeakSet<ChatFlavour>();

/** Servers differ in the fields that they know; a refusal that names one of ours tells which. */
function adapt(flavour: ChatFlavour, refusal: string): boolean {
  if (flavour.streamOptions && /stream_options|include_usage/.test(refusal)) flavour.streamOptions = false;
  else if (!refusedEffort.has(flavour) && /reasoning_effort/.test(refusal)) {
    flavour.reasoningEffort = false;
    refusedEffort.add(flavour);
  } else if (flavour.maxTokensField === "max_tokens" && /max_completion_tokens/.test(refusal))
    flavour.maxTokensField = "max_completion_tokens";
  else if (flavour.maxTokensField === "max_completion_tokens" && /max_completion_tokens/.test(refusal))
    flavour.maxTokensField = "max_tokens";
  else return false;
  return true;
}
