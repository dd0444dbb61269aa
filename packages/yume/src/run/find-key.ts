// A provider's key where the environment has none: from a command that the user's configuration names (`providers.NAME.keyCommand`, Claude
// Code's `apiKeyHelper`), so that a password manager can keep it, or from a sign-in in the browser.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProvider } from "../providers/index.ts";
import type { Settings } from "../settings/settings.ts";
import { YumeError } from "../yume-error.ts";
import { readCredential } from "./credentials.ts";

const TIMEOUT_MS = 60_000;

/** Where a key would come from, in words; null when there is none. */
export function keySource(
  provider: string,
  settings: Pick<Settings, "providers" | "apiKeyHelper">,
  env: NodeJS.ProcessEnv,
  home: string,
): string | null {
  const variable = findProvider(provider)?.keys.find((name) => env[name]);
  if (variable !== undefined) return variable;
  if (commandOf(provider, settings) !== null) return "a command of your settings";
  return readCredential(home, provider) === null ? null : "yume-cli auth login";
}

function commandOf(provider: string, settings: Pick<Settings, "providers" | "apiKeyHelper">): string | null {
  return settings.providers[provider]?.keyCommand ?? (provider === "anthropic" ? settings.apiKeyHelper : null);
}

/** The variable with the key, or nothing. A command that fails is an error: the run would fail without the key anyway. */
export async function findKey(
  provider: string,
  settings: Pick<Settings, "providers" | "apiKeyHelper">,
  env: NodeJS.ProcessEnv,
  cwd: string,
  home: string,
): Promise<Record<string, string>> {
  const names = findProvider(provider)?.keys ?? [];
  const [name] = names;
  if (name === undefined || names.some((one) => env[one])) return {};
  const command = commandOf(provider, settings);
  if (command === null) {
    const signedIn = readCredential(home, provider);
    return signedIn === null ? {} : { [name]: signedIn };
  }
  try {
    const shell = process.platform === "win32" ? ["cmd", "/c"] : ["/bin/sh", "-c"];
    const { stdout } = await promisify(execFile)(shell[0] as string, [shell[1] as string, command], {
      env,
      cwd,
      timeout: TIMEOUT_MS,
    });
    if (stdout.trim() !== "") return { [name]: stdout.trim() };
  } catch (error) {
    throw new YumeError("provider", `The command for the key of ${provider} failed: ${(error as Error).message}`, error);
  }
  throw new YumeError("provider", `The command for the key of ${provider} printed nothing: ${command}`);
}
