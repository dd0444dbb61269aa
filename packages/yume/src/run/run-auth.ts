// `auth status`, which hosts of Claude's program run at their start to show who pays, and `auth login`.
import type { Options } from "../argv/options.ts";
import { keysOf } from "../providers/keys.ts";
import { chooseProvider } from "./choose-model.ts";
import { signIn } from "./sign-in.ts";
import type { World } from "./world.ts";

type Status = { loggedIn: boolean; authMethod: "api_key" | "external" | "none"; apiProvider: string; apiKeySource?: string };

/** Print the state as JSON; exit code 0 when a run could begin. */
export function runAuth(options: Options, world: World): number | Promise<number> {
  const { env, stdout } = world;
  if (options.auth === "login" || options.auth === "logout") return signIn(options.auth, providerOr(options, env), world);
  const status = statusOf(options, env);
  stdout.write(`${JSON.stringify(status)}\n`);
  return status.loggedIn ? 0 : 1;
}

function providerOr(options: Options, env: NodeJS.ProcessEnv): string {
  try {
    return chooseProvider(options, env);
  } catch {
    return "your provider";
  }
}

function statusOf(options: Options, env: NodeJS.ProcessEnv): Status {
  let provider: string;
  try {
    provider = chooseProvider(options, env);
  } catch {
    return { loggedIn: false, authMethod: "none", apiProvider: "firstParty" };
  }
  // Claude's hosts know Anthropic's own service by this name.
  const apiProvider = provider === "anthropic" ? "firstParty" : provider;
  const { names, required } = keysOf(provider, env, options.apiBase ?? undefined);
  const apiKeySource = names.find((name) => env[name]);
  if (apiKeySource !== undefined) return { loggedIn: true, authMethod: "api_key", apiProvider, apiKeySource };
  return { loggedIn: !required, authMethod: required ? "none" : "external", apiProvider };
}
