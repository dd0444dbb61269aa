// OpenAI, and every server that imitates it.
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { openAiWire } from "../wires/openai.ts";
import { openAiAccess } from "../wires/openai-access.ts";

export const openai: ProviderKind = {
  name: "openai",
  keys: ["OPENAI_API_KEY"],
  chosenBy: ["OPENAI_API_KEY"],
  needsKey: (env, apiBase) => openAiAccess(env, apiBase).official,
  hasWires: true,
  signIn: { by: "key", where: "Create a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY" },
  create: overHttp("openai", "gpt-5.6-terra", (options) => openAiWire("openai", options)),
};
