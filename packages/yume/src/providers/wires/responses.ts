// OpenAI's Responses, as a wire.
import type { Wire } from "../wire.ts";
import { type OpenAiAccess, openAiHeaders, openAiSecrets } from "./openai-access.ts";
import { ResponsesDecoder } from "./responses-decoder.ts";
import { responsesBody } from "./responses-request.ts";

export function responsesWire(access: OpenAiAccess): Wire {
  const { label, authHint } = access;
  return {
    label,
    framing: "sse",
    authHint,
    call: (request) => ({
      url: `${access.base}/responses`,
      headers: openAiHeaders(access),
      secrets: openAiSecrets(access),
      body: responsesBody(request),
    }),
    decoder: (request) => new ResponsesDecoder(request, { label, authHint }),
  };
}
