// A sign-in in the browser: OAuth with PKCE and a page on the loopback that the vendor sends the browser back to. The code is worth nothing
// without the verifier, which never leaves this process; the page takes one code, for one path that nobody can guess.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { SignIn } from "../providers/provider-kind.ts";
import { writeCredential } from "./credentials.ts";
import type { World } from "./world.ts";

/** The port that vendors document for programs on the user's own machine; another one when it is taken. */
const USUAL_PORT = 3_000;
const LONGEST_WAIT_MS = 600_000;
const EXCHANGE_MS = 60_000;

/** Sign in and keep the key; returns the exit code. */
export async function signInByBrowser(
  provider: string,
  { page, exchange }: Extract<SignIn, { by: "browser" }>,
  { env, home, stderr }: World,
): Promise<number> {
  const verifier = randomBytes(32).toString("base64url");
  const path = `/${randomBytes(16).toString("base64url")}`;
  const server = await listen();
  try {
    const { port } = server.address() as AddressInfo;
    const url = new URL(page(env));
    url.searchParams.set("callback_url", `http://localhost:${port}${path}`);
    url.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
    url.searchParams.set("code_challenge_method", "S256");
    stderr.write(`Sign in to ${provider} in your browser:\n\n  ${url.href}\n\n`);
    openBrowser(url.href, env);
    const code = await codeFrom(server, path);
    const key = await trade(exchange(env), code, verifier);
    writeCredential(home, provider, key);
    stderr.write(
      `Signed in to ${provider}. The key is in ~/.yume/credentials.json; \`yume-cli auth logout --provider ${provider}\` removes it.\n`,
    );
    return 0;
  } catch (error) {
    stderr.write(`You are not signed in to ${provider}: ${(error as Error).message}\n`);
    return 1;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function listen(): Promise<Server> {
  const server = createServer();
  const on = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await on(USUAL_PORT).catch(() => on(0));
  return server;
}

function codeFrom(server: Server, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("nobody signed in within ten minutes.")), LONGEST_WAIT_MS);
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.pathname !== path || request.method !== "GET") {
        response.writeHead(404).end();
        return;
      }
      const code = url.searchParams.get("code");
      const words = code === null ? "You are not signed in." : "You are signed in. You can close this page.";
      response.writeHead(code === null ? 400 : 200, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(`${words}\n`, () => {
        clearTimeout(timer);
        if (code === null) reject(new Error(url.searchParams.get("error") ?? "the page came back without a code."));
        else resolve(code);
      });
    });
  });
}

async function trade(address: string, code: string, verifier: string): Promise<string> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: "S256" }),
    redirect: "error",
    signal: AbortSignal.timeout(EXCHANGE_MS),
  });
  if (!response.ok) throw new Error(`${new URL(address).host} answered ${response.status} to the code.`);
  const { key } = (await response.json()) as { key?: unknown };
  if (typeof key !== "string" || key === "") throw new Error(`${new URL(address).host} gave no key.`);
  return key;
}

/** Open the page where a desktop is; the address is on the screen anyway. */
function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  if (process.platform === "win32" || (process.platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return;
  const child = spawn(command, [url], { env, stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
