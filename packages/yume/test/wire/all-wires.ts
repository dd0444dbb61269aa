// Every wire, without a network.
import type { Wire } from "../../src/providers/wire.ts";
import { anthropicWire } from "../../src/providers/wires/anthropic.ts";
import { geminiWire } from "../../src/providers/wires/gemini.ts";
import { ollamaWire } from "../../src/providers/wires/ollama.ts";
import { openAiAccess } from "../../src/providers/wires/openai-access.ts";
import { chatWire } from "../../src/providers/wires/openai-chat.ts";
import { responsesWire } from "../../src/providers/wires/responses.ts";
import type { WireName } from "./encode-turn.ts";

export const wires: Record<WireName, () => Wire> = {
  chat: () => chatWire(openAiAccess({}, undefined)),
  responses: () => responsesWire(openAiAccess({}, undefined)),
  anthropic: () => anthropicWire({}, undefined),
  gemini: () => geminiWire({ GEMINI_API_KEY: "k" }, undefined),
  ollama: () => ollamaWire({}, undefined),
};
