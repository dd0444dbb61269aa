// OpenID Connect with any standard provider: discovery, PKCE, state and nonce, checked by the library made for it.
import { HapError } from "@hap/protocol";
import * as client from "openid-client";
import { isLoopback, type OidcOptions } from "../options.ts";
import type { Account, IdentityProvider, Pending } from "./provider.ts";

export class OidcProvider implements IdentityProvider {
  readonly #options: OidcOptions;
  #configuration: Promise<client.Configuration> | null = null;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  async begin(callback: string, prefix: string): Promise<{ url: URL; pending: Pending }> {
    const configuration = await this.#discover();
    const state = `${prefix}${client.randomState()}`;
    const pending = { verifier: client.randomPKCECodeVerifier(), state, nonce: client.randomNonce() };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: "openid profile email",
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
      state: pending.state,
      nonce: pending.nonce,
    });
    return { url, pending };
  }

  async finish(returned: URL, callback: string, pending: Pending): Promise<Account> {
    const configuration = await this.#discover();
    const current = new URL(callback);
    current.search = returned.search;
    const tokens = await client
      .authorizationCodeGrant(configuration, current, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        throw failed(this.#options.issuer, error);
      });
    const claims = tokens.claims();
    if (claims === undefined) throw failed(this.#options.issuer, "it sent no ID token");
    return { issuer: claims.iss, subject: claims.sub, name: await this.#name(configuration, tokens, claims) };
  }

  /** The claim that names a new person: from the ID token, else from the userinfo endpoint. */
  async #name(
    configuration: client.Configuration,
    tokens: client.TokenEndpointResponse,
    claims: { sub: string } & Record<string, unknown>,
  ): Promise<string | null> {
    const { claim, issuer } = this.#options;
    if (claim === undefined) return null;
    if (typeof claims[claim] === "string") return claims[claim];
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return null;
    const info = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch((error: unknown) => {
      throw failed(issuer, error);
    });
    return typeof info[claim] === "string" ? info[claim] : null;
  }

  #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const url = new URL(issuer);
    // A provider on this machine may speak plain HTTP; one elsewhere may not.
    const execute = url.protocol === "http:" && isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
    this.#configuration ??= client.discovery(url, clientId, clientSecret, undefined, { execute }).catch((error: unknown) => {
      this.#configuration = null;
      throw failed(issuer, error);
    });
    return this.#configuration;
  }
}

function failed(issuer: string, cause: unknown): HapError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HapError(
    "login_failed",
    `Signing in through ${issuer} did not succeed: ${why.slice(0, 200)}. Try again.`,
    {},
    cause,
  );
}
