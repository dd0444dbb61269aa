// Ollama, on this machine or elsewhere.
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { ollamaWire } from "../wires/ollama.ts";

export const ollama: ProviderKind = {
  name: "ollama",
  keys: ["OLLAMA_API_KEY"],
  chosenBy: ["OLLAMA_HOST"],
  needsKey: () => false,
  hasWires: false,
  signIn: {
    by: "program",
    login: ["ollama", "signin"],
    logout: ["ollama", "signout"],
    install:
      "Ollama; models on this machine need no sign-in, and for its cloud OLLAMA_API_KEY can hold a key of https://ollama.com/settings/keys",
  },
  create: overHttp("ollama", "qwen3-coder", ({ env, apiBase }) => ollamaWire(env, apiBase)),
};
