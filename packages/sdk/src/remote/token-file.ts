// Where sign-ins of a terminal are kept: the token in the system's keyring where one is reachable, else in a file that only its user
// reads. The file lists the servers in both cases.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { type Keyring, systemKeyring } from "./keyring.ts";

/** An entry without a token has it in the keyring. */
type SignIns = Record<string, { token?: string; person: string }>;

/** Where sign-ins are kept: HAP_LOGIN_FILE, else ~/.hap/login.json. */
export function signInFile(env: NodeJS.ProcessEnv = process.env): string {
  return env.HAP_LOGIN_FILE || join(homedir(), ".hap", "login.json");
}

/** The keyring, unless a file was named: then the token belongs there. */
function keyringFor(env: NodeJS.ProcessEnv): Keyring | null {
  return env.HAP_LOGIN_FILE ? null : systemKeyring(env);
}

/** The token for a server, or null. */
export function readToken(url: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const origin = originOf(url);
  const entry = readSignIns(signInFile(env))[origin];
  if (entry === undefined) return null;
  return entry.token ?? keyringFor(env)?.read(origin) ?? null;
}

/** Keep a token; null forgets it. Returns where it is now. */
export function keepToken(
  url: string,
  signIn: { token: string; person: string } | null,
  env: NodeJS.ProcessEnv = process.env,
): "keyring" | "file" {
  const origin = originOf(url);
  const path = signInFile(env);
  const keyring = keyringFor(env);
  const { [origin]: _old, ...others } = readSignIns(path);
  if (signIn === null) {
    keyring?.remove(origin);
    writeSignIns(path, others);
    return "file";
  }
  // Read back: a keyring that takes a secret and does not give it again would lose the sign-in.
  const inKeyring = keyring?.write(origin, signIn.token) === true && keyring.read(origin) === signIn.token;
  writeSignIns(path, { ...others, [origin]: inKeyring ? { person: signIn.person } : signIn });
  return inKeyring ? "keyring" : "file";
}

/** At how many servers somebody is signed in. */
export function signInCount(env: NodeJS.ProcessEnv = process.env): number {
  return Object.keys(readSignIns(signInFile(env))).length;
}

/** How many tokens lie in the file itself. */
export function tokensInFile(env: NodeJS.ProcessEnv = process.env): number {
  return Object.values(readSignIns(signInFile(env))).filter(({ token }) => token !== undefined).length;
}

function writeSignIns(path: string, all: SignIns): void {
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
