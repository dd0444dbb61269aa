// OpenAI's Responses API with our tools (D28).
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { openAiWire } from "../wires/openai.ts";
import { openai } from "./openai.ts";

export const codex: ProviderKind = {
  ...openai,
  name: "codex",
  chosenBy: [],
  signIn: {
    by: "key",
    where: "Create a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY (ChatGPT plans: --provider codex-cli)",
  },
  create: overHttp("codex", "gpt-5.3-codex", (options) => openAiWire("codex", options)),
};
