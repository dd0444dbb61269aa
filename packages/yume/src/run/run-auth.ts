// `auth status`, which hosts of Claude's program run at their start to show who pays. There is nothing to log in to: providers have
// keys, in the environment.
import type { Options } from "../argv/options.ts";
import { keysOf } from "../providers/keys.ts";
import { chooseProvider } from "./choose-model.ts";
import type { World } from "./world.ts";

type Status = { loggedIn: boolean; authMethod: "api_key" | "external" | "none"; apiProvider: string; apiKeySource?: string };

/** Print the state as JSON; exit code 0 when a run could begin. */
export function runAuth(options: Options, { env, stdout, stderr }: World): number {
  if (options.auth !== "status") {
    stderr.write("yume-cli has no sign-in of its own. Set the key of your provider in the environment, e.g. OPENAI_API_KEY.\n");
    return 1;
  }
  const status = statusOf(options, env);
  stdout.write(`${JSON.stringify(status)}\n`);
  return status.loggedIn ? 0 : 1;
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
