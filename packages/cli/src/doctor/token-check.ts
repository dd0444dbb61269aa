// Where the person's tokens for servers are: one in a file can be read by any program of the same user. Alone it approves nothing
// critical (D3).
import { statSync } from "node:fs";
import { signInCount, signInFile, tokensInFile } from "@hap/sdk/sign-in";
import { type Check, check } from "./check.ts";

/** None where nobody signed in. */
export function tokenChecks(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Check[] {
  const path = signInFile(env);
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || signInCount(env) === 0) return [];
  if ((file.mode & 0o077) !== 0 && platform !== "win32")
    return [check("token", "fail", `${path} can be read by others: chmod 600 ${path}, then \`hap logout\` and \`hap login\`.`)];
  if (tokensInFile(env) === 0) return [check("token", "ok", "Your sign-in tokens are in the system's keyring.")];
  const text = `${path} holds your sign-in: every program of your user can read it and act as you. It cannot approve a critical ticket alone. Where the system has a keyring (Secret Service, macOS), sign in again to move it there.`;
  return [check("token", "warn", text)];
}
