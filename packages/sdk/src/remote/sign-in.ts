// Signing in and out from a terminal.
import { HapError } from "@hap/protocol";
import type { LooseInputOf, OutputOf } from "@hap/protocol/operations";
import { serverOperations } from "@hap/protocol/operations/server";
import { openTransport } from "./open-transport.ts";
import { sendTo } from "./send.ts";
import { readToken } from "./token-file.ts";

export { keepToken, readToken, signInCount, signInFile, tokensInFile } from "./token-file.ts";

type Table = typeof serverOperations;
type Token = { token: string; person: string; expires_at: string };

/** Exchange the code that a person typed for a token. */
export function redeemLoginCode(url: string, code: string): Promise<Token> {
  return once(url, "loginByCode", { code, kind: "token" }) as Promise<Token>;
}

/** Take over a sign-in that a browser brought back from a provider. */
export function takeHandover(url: string, handover: string, verifier: string): Promise<Token> {
  return once(url, "loginByHandover", { handover, verifier }) as Promise<Token>;
}

/** How people run HAP on the server's machine, where a code is shown. */
export async function serverCommand(url: string): Promise<string> {
  // Older servers do not say; they run under their person's own command.
  const { command = "hap" }: { command?: string } = await once(url, "waysToLogIn", {});
  return command;
}

/** Sign out at a server, or everywhere there; false when there was no sign-in. */
export async function endSignIn(url: string, everywhere: boolean): Promise<boolean> {
  const token = readToken(url);
  if (token === null) return false;
  try {
    await once(url, "logout", { everywhere }, token);
    return true;
  } catch (error) {
    if (error instanceof HapError && error.code === "login_needed") return false;
    throw error;
  }
}

/** One operation on a connection of its own. */
async function once<K extends keyof Table>(
  url: string,
  name: K,
  input: LooseInputOf<Table[K]>,
  token: string | null = null,
): Promise<OutputOf<Table[K]>> {
  const transport = openTransport({ url }, token);
  try {
    return await sendTo(transport, serverOperations)(name, input);
  } finally {
    transport.close();
  }
}
