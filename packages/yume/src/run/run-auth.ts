// `auth status`, which hosts of Claude's program run at their start to show who pays, and `auth login`.
import { resolve } from "node:path";
import type { Options } from "../argv/options.ts";
import { findProvider } from "../providers/index.ts";
import { readSettings } from "../settings/settings.ts";
import { chooseProvider } from "./choose-model.ts";
import { keySource } from "./find-key.ts";
import { settingPlaces } from "./setting-places.ts";
import { signIn } from "./sign-in.ts";
import type { World } from "./world.ts";

type Status = { loggedIn: boolean; authMethod: "api_key" | "external" | "none"; apiProvider: string; apiKeySource?: string };

/** Print the state as JSON; exit code 0 when a run could begin. */
export function runAuth(options: Options, world: World): number | Promise<number> {
  const { env, stdout } = world;
  if (options.auth === "login" || options.auth === "logout") return signIn(options.auth, providerOr(options, env), world);
  const status = statusOf(options, world);
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

function statusOf(options: Options, world: World): Status {
  const settings = readSettings(settingPlaces(options, world, resolve(world.cwd, options.cwd ?? ".")));
  const env = { ...world.env, ...settings.env };
  let provider: string;
  try {
    provider = chooseProvider({ provider: options.provider ?? settings.provider }, env);
  } catch {
    return { loggedIn: false, authMethod: "none", apiProvider: "firstParty" };
  }
  // Claude's hosts know Anthropic's own service by this name.
  const apiProvider = provider === "anthropic" ? "firstParty" : provider;
  const apiBase = options.apiBase ?? settings.providers[provider]?.apiBase ?? undefined;
  const required = findProvider(provider)?.needsKey(env, apiBase) ?? false;
  const apiKeySource = keySource(provider, settings, env, world.home);
  if (apiKeySource !== null) return { loggedIn: true, authMethod: "api_key", apiProvider, apiKeySource };
  return { loggedIn: !required, authMethod: required ? "none" : "external", apiProvider };
}
