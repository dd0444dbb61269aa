// GitHub speaks OAuth without OpenID Connect: who came back is asked of its API.
import { createHash, randomBytes } from "node:crypto";
import { HapError } from "@hap/protocol";
import type { GithubOptions } from "../options.ts";
import type { Account, IdentityProvider, Pending } from "./provider.ts";

const SITE = "https://github.com";
const API = "https://api.github.com";

export class GithubProvider implements IdentityProvider {
  readonly #options: GithubOptions;

  constructor(options: GithubOptions) {
    this.#options = options;
  }

  async begin(callback: string, prefix: string): Promise<{ url: URL; pending: Pending }> {
    const pending = { verifier: secret(), state: `${prefix}${secret()}`, nonce: "" };
    const url = new URL("/login/oauth/authorize", this.#options.site ?? SITE);
    url.search = String(
      new URLSearchParams({
        client_id: this.#options.clientId,
        redirect_uri: callback,
        scope: "read:user",
        state: pending.state,
        code_challenge: createHash("sha256").update(pending.verifier).digest("base64url"),
        code_challenge_method: "S256",
      }),
    );
    return { url, pending };
  }

  async finish(returned: URL, callback: string, pending: Pending): Promise<Account> {
    const code = returned.searchParams.get("code");
    if (returned.searchParams.get("state") !== pending.state || code === null) throw failed("state or code do not fit");
    const { clientId, clientSecret, site = SITE, api = API } = this.#options;
    const { access_token: token } = await fetchJson(new URL("/login/oauth/access_token", site), {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: callback,
        code_verifier: pending.verifier,
      }),
    });
    if (typeof token !== "string") throw failed("it gave no token for the code");
    const user = await fetchJson(new URL("/user", api), {
      headers: { accept: "application/vnd.github+json", authorization: `Bearer ${token}`, "user-agent": "hap" },
    });
    // Names can be changed and taken over; the number stays.
    if (typeof user.id !== "number") throw failed("it did not say who it is");
    return { issuer: site, subject: String(user.id), name: null };
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

async function fetchJson(url: URL, init: RequestInit): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000), redirect: "error" });
    if (response.ok) return (await response.json()) as Record<string, unknown>;
    throw new Error(`${url.host} answered ${response.status}`);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(why: string): HapError {
  return new HapError("login_failed", `Signing in through GitHub did not succeed: ${why}. Try again.`);
}
