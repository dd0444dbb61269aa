// A provider's key from a command that the user's configuration names (`providers.NAME.keyCommand`, Claude Code's `apiKeyHelper`), so
// that a password manager can keep it. Run only when the environment has no key.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { keysOf } from "../providers/keys.ts";
import type { Settings } from "../settings/settings.ts";
import { YumeError } from "../yume-error.ts";

const TIMEOUT_MS = 60_000;

/** The variable with the key, or nothing. A command that fails is an error: the run would fail without the key anyway. */
export async function keyByCommand(
  provider: string,
  settings: Pick<Settings, "providers" | "apiKeyHelper">,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Record<string, string>> {
  const command = settings.providers[provider]?.keyCommand ?? (provider === "anthropic" ? settings.apiKeyHelper : null);
  const names = keysOf(provider, env, undefined).names;
  const [name] = names;
  if (command === null || name === undefined || names.some((one) => env[one])) return {};
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
