// Signing in from a terminal: the token lies in a file that only its user reads, one for each server.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { openTransport } from "./open-transport.ts";
import { callJson } from "./transport.ts";

type SignIns = Record<string, { token: string; person: string }>;

type Token = { token: string; person: string; expires_at: string };

/** Trade the code that a person typed for a token. */
export function redeemLoginCode(url: string, code: string): Promise<Token> {
  return trade(url, "/v1/login/code", { code, kind: "token" });
}

/** Take over a sign-in that a browser brought back from a provider. */
export function takeHandover(url: string, handover: string, verifier: string): Promise<Token> {
  return trade(url, "/v1/login/handover", { handover, verifier });
}

/** How people run HAP on the server's machine, where a code is shown. */
export async function serverCommand(url: string): Promise<string> {
  const transport = openTransport({ url }, null);
  try {
    const { command } = await callJson<{ command?: string }>(transport, { method: "GET", path: "/v1/login" });
    // A server of before this was said runs under its person.
    return command ?? "hap";
  } finally {
    transport.close();
  }
}

async function trade(url: string, path: string, body: unknown): Promise<Token> {
  const transport = openTransport({ url }, null);
  try {
    return await callJson(transport, { method: "POST", path, body });
  } finally {
    transport.close();
  }
}

/** End the sign-in at a server, or all of them there; false when there was none. */
export async function endSignIn(url: string, everywhere: boolean): Promise<boolean> {
  const token = readToken(url);
  if (token === null) return false;
  const transport = openTransport({ url }, token);
  try {
    await callJson(transport, { method: "POST", path: "/v1/logout", body: { everywhere } });
    return true;
  } catch (error) {
    if (error instanceof HapError && error.code === "login_needed") return false;
    throw error;
  } finally {
    transport.close();
  }
}

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
