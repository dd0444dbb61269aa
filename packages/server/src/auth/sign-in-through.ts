// Signing in through a provider: the way there, the way back, and the hand-over to a terminal that asked for it.
import { createHash, timingSafeEqual } from "node:crypto";
import type { HapEngine } from "@hap/core";
import { HapError, handoverCode, isHapError, parseHumanId, readCode, toIdName } from "@hap/protocol";
import type { Account, IdentityProvider, Pending } from "./provider.ts";
import { seal, unseal } from "./seal.ts";

/** Time limits: at the provider, for typing the terminal's code, and for the terminal to redeem the result. */
const AWAY_MS = 10 * 60_000;
const CONSENT_MS = 5 * 60_000;
const HANDOVER_MS = 60_000;
const CONSENT_TRIES = 3;

/** A browser on its way to the provider. */
type Away = { provider: string; pending: Pending; terminal: Terminal | null };
/** A sign-in that waits for the person to type the code of the terminal. `browser` is the hash of the cookie that began it. */
type Consent = { person: string; terminal: Terminal; browser: string; tries: number };
/** A person whom the terminal with this challenge may sign in. */
type Handover = { person: string; challenge: string };
/** A terminal that waits on a port of its own machine, and proves by a secret that it is the one that asked. */
export type Terminal = { port: number; challenge: string };

/**
 * Every step hands the browser a sealed value, which is all that the next step needs: with several servers behind a balancer, each
 * step may reach another one. The key is in the store.
 */
export class SignInThrough {
  readonly #engine: HapEngine;
  readonly #providers: ReadonlyMap<string, IdentityProvider>;
  readonly #space: string | null;
  readonly #now: () => number;
  /** Sealed values that were used here, until they expire. On another node the provider, or the terminal's secret, stops a second use. */
  readonly #used = new Map<string, number>();

  constructor(
    engine: HapEngine,
    { providers, space, now }: { providers: ReadonlyMap<string, IdentityProvider>; space: string | null; now: () => number },
  ) {
    this.#engine = engine;
    this.#providers = providers;
    this.#space = space;
    this.#now = now;
  }

  /** Names of the providers, for the page to offer. */
  get names(): string[] {
    return [...this.#providers.keys()];
  }

  /** Where to send the browser, and the cookie without which no one can finish the sign-in. */
  async begin(provider: string, callback: string, terminal: Terminal | null): Promise<{ url: URL; browser: string }> {
    const { url, pending } = await this.#provider(provider).begin(callback, this.#space === null ? "" : `${this.#space}.`);
    const away: Away = { provider, pending, terminal };
    return { url, browser: this.#seal("away", away, AWAY_MS) };
  }

  /** The person who came back. For a terminal, also the id of the consent that the person must give first. */
  async finish(
    provider: string,
    returned: URL,
    callback: string,
    browser: string | null,
  ): Promise<{ person: string; consent: string | null }> {
    const away = browser === null ? null : this.#unseal<Away>("away", browser);
    const isOurs =
      away !== null && away.provider === provider && same(away.pending.state, returned.searchParams.get("state") ?? "");
    if (away === null || browser === null || !isOurs || !this.#useOnce(browser, AWAY_MS))
      throw new HapError("login_failed", "This sign-in was not begun in this browser, or too long ago. Begin again.");
    const person = this.#personOf(await this.#provider(provider).finish(returned, callback, away.pending));
    if (away.terminal === null) return { person, consent: null };
    const consent: Consent = { person, terminal: away.terminal, browser: sha256(browser), tries: CONSENT_TRIES };
    return { person, consent: this.#seal("consent", consent, CONSENT_MS) };
  }

  /**
   * The person typed a code. If it is the one that the terminal shows, returns the address to send the browser to; else the problem,
   * and a consent with one try less. Only the browser that went through the provider can give it.
   */
  giveConsent(id: string, browser: string | null, typed: string): { to: URL } | { id: string; person: string; problem: string } {
    const found = this.#unseal<Consent>("consent", id);
    if (found === null || !same(found.browser, sha256(browser ?? "")) || !this.#useOnce(id, CONSENT_MS))
      throw new HapError("login_failed", "This sign-in was not begun in this browser, or too long ago. Run `hap login` again.");
    const { person, terminal } = found;
    if (same(handoverCode(terminal.challenge, sha256), readTyped(typed))) {
      const handover: Handover = { person, challenge: terminal.challenge };
      return { to: new URL(`http://127.0.0.1:${terminal.port}/?handover=${this.#seal("handover", handover, HANDOVER_MS)}`) };
    }
    const tries = found.tries - 1;
    if (tries === 0) throw new HapError("login_failed", "That is not the code of the terminal. Run `hap login` again.");
    const next = this.#seal("consent", { ...found, tries }, CONSENT_MS);
    return { id: next, person, problem: `That is not the code of the terminal. ${tries} tries left.` };
  }

  /** The person whom a terminal may sign in, if it knows the secret behind its challenge. */
  takeHandover(id: string, verifier: string): string {
    const found = this.#unseal<Handover>("handover", id);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (found !== null && this.#useOnce(id, HANDOVER_MS) && same(found.challenge, challenge)) return found.person;
    throw new HapError("login_failed", "This hand-over is not valid any more. Run `hap login` again.");
  }

  #seal(purpose: string, value: Away | Consent | Handover, ms: number): string {
    return seal(this.#engine.sealingKey(), purpose, value, this.#now() + ms);
  }

  #unseal<T>(purpose: string, sealed: string): T | null {
    return unseal<T>(this.#engine.sealingKey(), purpose, sealed, this.#now());
  }

  /** False if this server has seen the value used before. */
  #useOnce(sealed: string, ms: number): boolean {
    const now = this.#now();
    for (const [id, until] of this.#used) if (until < now) this.#used.delete(id);
    const id = sha256(sealed);
    if (this.#used.has(id)) return false;
    this.#used.set(id, now + ms);
    return true;
  }

  #provider(name: string): IdentityProvider {
    const provider = this.#providers.get(name);
    if (provider !== undefined) return provider;
    throw new HapError("route_not_found", `Nobody signs in through ${name.slice(0, 40)} here. See \`hap serve --help\`.`);
  }

  /** The person whom an account means; where the server takes everybody whom the provider lets in, a new one. */
  #personOf({ issuer, subject, name }: Account): string {
    const known = this.#engine.personOf(issuer, subject);
    if (known !== null) return known;
    if (name === null)
      throw new HapError(
        "login_failed",
        `The account ${subject.slice(0, 80)} of ${issuer} means nobody here. An owner links it: \`hap people link human:NAME --issuer ${issuer} --subject ${subject.slice(0, 80)}\`.`,
        { issuer, subject },
      );
    const person = parseHumanId(`human:${toIdName(name)}`, "person");
    const taken = this.#engine.claimPerson(person, issuer, subject);
    if (taken === null) return person;
    throw new HapError(
      "login_failed",
      `${taken}. An owner links the account to the right person: \`hap people link human:NAME --issuer ${issuer} --subject ${subject.slice(0, 80)}\`.`,
      { issuer, subject },
    );
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** What was typed as a code in its one form; anything else stays what it is, and is wrong. */
function readTyped(typed: string): string {
  try {
    return readCode(typed);
  } catch (error) {
    if (isHapError(error)) return typed;
    throw error;
  }
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
