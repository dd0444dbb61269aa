// The addresses a browser visits on its way through a provider. They redirect; what is wrong is told on a plain page.

import type { HapEngine } from "@hap/core";
import { isHapError } from "@hap/protocol";
import type { Hono } from "hono";
import { cookie } from "../api/handlers/identity.ts";
import type { Env } from "../app.ts";
import { consentPage, handedOverPage } from "./consent-page.ts";
import type { SessionCookie } from "./principal.ts";
import type { SignInThrough, Terminal } from "./sign-in-through.ts";

const COOKIE = "hap-sign-in";
const LONGEST_FORM = 4_000;

type Front = { engine: HapEngine; through: SignInThrough; session: SessionCookie; base: string; publicOrigin: () => string };

/** Add the addresses. */
export function addSignInPages(app: Hono<Env>, { engine, through, session, base, publicOrigin }: Front): void {
  const { secure } = session;
  const action = `${base}/login/consent`;
  // One address for all spaces, since providers know it by heart; the state says which space the sign-in began in.
  const callback = (provider: string) => `${publicOrigin()}/login/${provider}/callback`;
  app.get("/login/:provider", async (c) => {
    const provider = c.req.param("provider");
    return told(async () => {
      const { url, browser } = await through.begin(provider, callback(provider), readTerminal(new URL(c.req.url)));
      // Lax: the browser comes back from another site, and must bring it along.
      const kept = `${COOKIE}=${browser}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure ? "; Secure" : ""}`;
      return redirect(url.href, { "set-cookie": kept });
    });
  });
  app.get("/login/:provider/callback", async (c) => {
    const provider = c.req.param("provider");
    return told(async () => {
      const browser = readBrowser(c.req.header("cookie"));
      const { person, consent } = await through.finish(provider, new URL(c.req.url), callback(provider), browser);
      if (consent !== null) return html(consentPage({ id: consent, person, action }));
      const { secret } = engine.signIn(person, "cookie", provider === "github" ? "github" : "oidc");
      return redirect(`${base}/`, { "set-cookie": cookie(secret, session) });
    });
  });
  app.post("/login/consent", async (c) => {
    return told(async () => {
      // A form of another site brings no cookie (SameSite), and does not know the consent's id.
      const form = new URLSearchParams((await c.req.text()).slice(0, LONGEST_FORM));
      const id = form.get("consent") ?? "";
      const given = through.giveConsent(id, readBrowser(c.req.header("cookie")), form.get("code") ?? "");
      return html("to" in given ? handedOverPage(given.to) : consentPage({ action, ...given }));
    });
  });
}

function readBrowser(cookies: string | undefined): string | null {
  return new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(cookies ?? "")?.[1] ?? null;
}

function html(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}

function readTerminal(url: URL): Terminal | null {
  const port = Number(url.searchParams.get("terminal"));
  const challenge = url.searchParams.get("challenge") ?? "";
  return Number.isInteger(port) && port > 1023 && port < 65_536 && /^[A-Za-z0-9_-]{43}$/.test(challenge)
    ? { port, challenge }
    : null;
}

function redirect(location: string, headers: Record<string, string>): Response {
  return new Response(null, { status: 302, headers: { location, ...headers } });
}

async function told(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!isHapError(error)) throw error;
    return new Response(`${error.message}\n`, { status: error.status, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
}
