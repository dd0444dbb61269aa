// Anthropic, and every server that imitates its Messages.
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { anthropicWire, isAnthropicItself } from "../wires/anthropic.ts";

export const anthropic: ProviderKind = {
  name: "anthropic",
  keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  chosenBy: ["ANTHROPIC_API_KEY"],
  needsKey: isAnthropicItself,
  hasWires: false,
  signIn: { by: "key", where: "Create a key at https://console.anthropic.com/settings/keys and set ANTHROPIC_API_KEY" },
  create: overHttp("anthropic", "claude-sonnet-5", ({ env, apiBase }) => anthropicWire(env, apiBase)),
};
