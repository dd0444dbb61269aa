// Signing in through a provider from a terminal: the browser goes there, and comes back to a port of this machine with a
// hand-over that only this process can use, since only it knows the secret behind the challenge.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HapError, handoverCode } from "@hap/protocol";
import { takeHandover } from "@hap/sdk/sign-in";
import type { Context } from "./context.ts";
import { openBrowser } from "./terminal/open-browser.ts";

/** How long a person may take at the provider. */
const PATIENCE_MS = 5 * 60_000;

/** Send the person through a provider of the server; returns who they are there. */
export async function signInByBrowser(
  context: Context,
  url: string,
  provider: string,
): Promise<{ token: string; person: string; expires_at: string }> {
  const verifier = Buffer.from(context.randomBytes(32)).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const waiting = await listenForHandover();
  try {
    const address = `${url.replace(/\/$/, "")}/login/${encodeURIComponent(provider)}?terminal=${waiting.port}&challenge=${challenge}`;
    const code = handoverCode(challenge, (data) => createHash("sha256").update(data).digest("hex"));
    context.err.line(`Open this in your browser to sign in:\n\n    ${address}\n`);
    context.err.line(`The page then asks for the code of this terminal: ${code}\n`);
    openBrowser(address, context.env);
    return await takeHandover(url, await waiting.handover, verifier);
  } finally {
    waiting.close();
  }
}

async function listenForHandover(): Promise<{ port: number; handover: Promise<string>; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const handover = new Promise<string>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new HapError("login_failed", "Nobody signed in within five minutes. Run `hap login` again.")),
      PATIENCE_MS,
    );
    server.on("request", (request, response) => {
      const found = new URL(request.url ?? "/", "http://127.0.0.1").searchParams.get("handover");
      response.writeHead(found === null ? 404 : 200, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(found === null ? "Nothing is here.\n" : "You are signed in; go back to your terminal.\n");
      if (found === null) return;
      clearTimeout(late);
      resolve(found);
    });
  });
  return { port: (server.address() as AddressInfo).port, handover, close: () => server.close() };
}
