// Where sign-ins of a terminal are kept: a file that only its user reads, one token for each server.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";

type SignIns = Record<string, { token: string; person: string }>;

/** Where sign-ins are kept: HAP_LOGIN_FILE, else ~/.hap/login.json. */
export function signInFile(env: NodeJS.ProcessEnv = process.env): string {
  return env.HAP_LOGIN_FILE || join(homedir(), ".hap", "login.json");
}

/** The token for a server, or null. */
export function readToken(url: string, path = signInFile()): string | null {
  return readSignIns(path)[originOf(url)]?.token ?? null;
}

/** Keep a token; null forgets it. */
export function keepToken(url: string, signIn: { token: string; person: string } | null, path = signInFile()): void {
  const { [originOf(url)]: _old, ...others } = readSignIns(path);
  const all = signIn === null ? others : { ...others, [originOf(url)]: signIn };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}.part`;
  writeFileSync(unfinished, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function readSignIns(path: string): SignIns {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new HapError("invalid_input", `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { path });
  }
  try {
    return JSON.parse(text) as SignIns;
  } catch {
    throw new HapError("invalid_json", `${path} is not JSON. Delete it and sign in again: \`hap login\`.`, { path });
  }
}
