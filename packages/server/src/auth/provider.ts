// An identity provider that people sign in through: sent there with a fresh state, and back with who they are.

/** Who came back: an account of the provider, and the name that it offers for a new person. */
export type Account = { issuer: string; subject: string; name: string | null };

/** What is remembered while somebody is away at the provider. */
export type Pending = { verifier: string; state: string; nonce: string };

export interface IdentityProvider {
  /** Where to send the browser. The state begins with `prefix`. */
  begin(callback: string, prefix: string): Promise<{ url: URL; pending: Pending }>;
  /** Who came back to the callback; an error when anything about it does not fit. */
  finish(returned: URL, callback: string, pending: Pending): Promise<Account>;
}
