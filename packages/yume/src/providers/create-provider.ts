// From a provider's name to something that can be asked. Only the driver of a program is loaded lazily: a file of its own costs more than all wires.
import { ModelError, type ModelProvider } from "../model/types.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { HttpProvider } from "./http-provider.ts";
import { type ProviderSettings, readSettings } from "./settings.ts";
import type { Wire } from "./wire.ts";
import { anthropicWire } from "./wires/anthropic.ts";
import { geminiWire } from "./wires/gemini.ts";
import { ollamaWire } from "./wires/ollama.ts";
import { openAiAccess, openAiFormat } from "./wires/openai-access.ts";
import { chatWire } from "./wires/openai-chat.ts";
import { responsesWire } from "./wires/responses.ts";

/** The providers there are. The last two drive a program that has tools of its own. */
export const providerNames = ["gemini", "openai", "codex", "anthropic", "ollama", "copilot", "codex-cli"] as const;
type ProviderName = (typeof providerNames)[number];
type HttpProviderName = Exclude<ProviderName, "copilot" | "codex-cli">;

export type ProviderOptions = {
  provider: string;
  /** The model that is used when a request names none; each provider has one of its own. */
  model?: string | undefined;
  /** Where its API is, when it is not where the vendor has it. */
  apiBase?: string | undefined;
  /** OpenAI's two formats; with an API base of one's own the default is chat. */
  wire?: "chat" | "responses" | undefined;
  env: NodeJS.ProcessEnv;
  /** Where a program that is driven works; by default where we are. */
  cwd?: string | undefined;
  settings?: Partial<ProviderSettings> | undefined;
};

const defaultModels: Record<HttpProviderName, string> = {
  gemini: "gemini-3.6-flash",
  openai: "gpt-5.6-terra",
  codex: "gpt-5.3-codex",
  anthropic: "claude-sonnet-5",
  ollama: "qwen3-coder",
};

/** The provider of that name. Throws a `ModelError` of kind `bad_request` when there is none, or when an option does not fit. */
export async function createProvider(options: ProviderOptions): Promise<ModelProvider> {
  const { env } = options;
  const name = providerNames.find((known) => known === options.provider.toLowerCase());
  if (name === undefined)
    throw new ModelError("bad_request", `there is no provider ${options.provider}; there are ${providerNames.join(", ")}`);
  if (options.wire !== undefined && name !== "openai" && name !== "codex")
    throw new ModelError("bad_request", `the wire can be chosen for openai and codex only, not for ${name}`);
  const settings = readSettings(env, options.settings);
  if (name === "copilot" || name === "codex-cli") return programProvider(name, options, settings);
  return new HttpProvider({
    name,
    defaultModel: options.model || defaultModels[name],
    wire: wireOf(name, options),
    capabilities: capabilitiesOf,
    settings,
    env,
  });
}

/** A program may run tools for long without a word. */
const idleTimesOfPrograms = 5;

async function programProvider(
  name: "copilot" | "codex-cli",
  { apiBase, model, env, cwd = process.cwd() }: ProviderOptions,
  { idleTimeoutMs }: ProviderSettings,
): Promise<ModelProvider> {
  if (apiBase)
    throw new ModelError("bad_request", `${name} is a program, and takes no API base; set it in its own configuration`);
  const { ProgramProvider } = await import("./programs/program-provider.ts");
  const kind =
    name === "copilot"
      ? (await import("./programs/copilot.ts")).copilotProgram()
      : (await import("./programs/codex-cli.ts")).codexCli(env);
  return new ProgramProvider({ kind, model, env, cwd, idleTimeoutMs: idleTimeoutMs * idleTimesOfPrograms });
}

function wireOf(name: HttpProviderName, { env, apiBase, wire }: ProviderOptions): Wire {
  switch (name) {
    case "gemini":
      return geminiWire(env, apiBase);
    case "anthropic":
      return anthropicWire(env, apiBase);
    case "ollama":
      return ollamaWire(env, apiBase);
    default: {
      const access = openAiAccess(env, apiBase);
      return openAiFormat(name, access, wire) === "chat" ? chatWire(access) : responsesWire(access);
    }
  }
}
