// What the program needs to know of a provider. Each provider is one file in `all/`, listed in `all-providers.ts`.
import { ModelError, type ModelProvider } from "../model/types.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { HttpProvider } from "./http-provider.ts";
import type { ProgramKind } from "./programs/program-provider.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Wire } from "./wire.ts";

type Env = Readonly<NodeJS.ProcessEnv>;

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

/** How a user comes to be known: a program's own sign-in, one in the browser, or a key that is made by hand. */
export type SignIn =
  | { by: "program"; login: readonly string[]; logout: readonly string[]; install: string }
  /** A browser flow that the vendor offers to every program, without registration (OAuth with PKCE). */
  | { by: "browser"; page: (env: Env) => string; exchange: (env: Env) => string }
  | { by: "key"; where: string };

export type ProviderKind = {
  name: string;
  /** Variables that hold its key, the first one being that which a key command sets. No command of the model sees them. */
  keys: readonly string[];
  /** Variables that are enough to choose this provider when none is named. */
  chosenBy: readonly string[];
  /** False where it does without a key: a server of one's own, or another way to know who one is. */
  needsKey: (env: Env, apiBase: string | undefined) => boolean;
  /** OpenAI's two formats can be chosen. */
  hasWires: boolean;
  signIn: SignIn;
  create: (options: ProviderOptions, settings: ProviderSettings) => ModelProvider | Promise<ModelProvider>;
};

/** The `create` of a provider that is asked over HTTP. */
export function overHttp(name: string, defaultModel: string, wire: (options: ProviderOptions) => Wire): ProviderKind["create"] {
  return (options, settings) =>
    new HttpProvider({
      name,
      defaultModel: options.model || defaultModel,
      wire: wire(options),
      capabilities: capabilitiesOf,
      settings,
      env: options.env,
    });
}

/** A program may run tools for long without a word. */
const idleTimesOfPrograms = 5;

/** The `create` of a provider that is a program, loaded when it is wanted: a file of its own costs more than all wires. */
export function byProgram(name: string, load: (env: NodeJS.ProcessEnv) => Promise<ProgramKind>): ProviderKind["create"] {
  return async ({ apiBase, model, env, cwd = process.cwd() }, { idleTimeoutMs }) => {
    if (apiBase)
      throw new ModelError("bad_request", `${name} is a program, and takes no API base; set it in its own configuration`);
    const { ProgramProvider } = await import("./programs/program-provider.ts");
    return new ProgramProvider({
      kind: await load(env),
      model,
      env,
      cwd,
      idleTimeoutMs: idleTimeoutMs * idleTimesOfPrograms,
    });
  };
}
