// Signing in through a provider: the way there, the way back, and the hand-over to a terminal that asked for it.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { HapEngine } from "@hap/core";
import { HapError, handoverCode, isHapError, parseHumanId, readCode, toIdName } from "@hap/protocol";
import type { Account, IdentityProvider, Pending } from "./provider.ts";

/** How long somebody may be away at the provider, and how long a terminal may take. */
const AWAY_MS = 10 * 60_000;
const MOST_AWAY = 1_000;
/** How long the consent page waits for the terminal's code, and for how many tries. */
const CONSENT_MS = 5 * 60_000;
const CONSENT_TRIES = 3;

type Away = { browser: string; provider: string; pending: Pending; terminal: Terminal | null; until: number };
/** A sign-in that waits for the person to type the code of the terminal that asked. */
type Consent = { person: string; terminal: Terminal; browser: string; tries: number; until: number };
/** A terminal that waits on a port of its own machine, and proves by a secret that it is the one that asked. */
export type Terminal = { port: number; challenge: string };

export class SignInThrough {
  readonly #engine: HapEngine;
  readonly #providers: ReadonlyMap<string, IdentityProvider>;
  readonly #away = new Map<string, Away>();
  readonly #consents = new Map<string, Consent>();
  readonly #handovers = new Map<string, { person: string; challenge: string; until: number }>();
  readonly #now: () => number;

  constructor(engine: HapEngine, providers: ReadonlyMap<string, IdentityProvider>, now: () => number) {
    this.#engine = engine;
    this.#providers = providers;
    this.#now = now;
  }

  /** Their names, for the page to offer. */
  get names(): string[] {
    return [...this.#providers.keys()];
  }

  /** True if a sign-in with this state began here. */
  began(state: string): boolean {
    return this.#away.has(state);
  }

  /** Where to send the browser; `browser` is a secret for its cookie, so that nobody else can finish what it began. */
  async begin(provider: string, callback: string, terminal: Terminal | null): Promise<{ url: URL; browser: string }> {
    const { url, pending } = await this.#provider(provider).begin(callback);
    const browser = randomBytes(32).toString("base64url");
    this.#sweep();
    this.#away.set(pending.state, { browser, provider, pending, terminal, until: this.#now() + AWAY_MS });
    return { url, browser };
  }

  /** Who came back. For a terminal, the id of the consent that its person must give first. */
  async finish(
    provider: string,
    returned: URL,
    callback: string,
    browser: string | null,
  ): Promise<{ person: string; consent: string | null }> {
    const away = this.#away.get(returned.searchParams.get("state") ?? "");
    if (away === undefined || away.until < this.#now() || away.provider !== provider || !same(away.browser, browser ?? ""))
      throw new HapError("login_failed", "This sign-in was not begun in this browser, or too long ago. Begin again.");
    this.#away.delete(away.pending.state);
    const person = this.#personOf(await this.#provider(provider).finish(returned, callback, away.pending));
    if (away.terminal === null) return { person, consent: null };
    const consent = randomBytes(32).toString("base64url");
    const until = this.#now() + CONSENT_MS;
    this.#consents.set(consent, { person, terminal: away.terminal, browser: away.browser, tries: CONSENT_TRIES, until });
    return { person, consent };
  }

  /**
   * The person typed a code. Where it is the one that the terminal shows, the address to send the browser to; else what is wrong,
   * with a try less. Only the browser that went through the provider can give it.
   */
  giveConsent(id: string, browser: string | null, typed: string): { to: URL } | { person: string; problem: string } {
    const found = this.#consents.get(id);
    if (found === undefined || found.until < this.#now() || !same(found.browser, browser ?? ""))
      throw new HapError("login_failed", "This sign-in was not begun in this browser, or too long ago. Run `hap login` again.");
    const { person, terminal } = found;
    if (!same(handoverCode(terminal.challenge, sha256), readTyped(typed))) {
      found.tries--;
      if (found.tries > 0) return { person, problem: `That is not the code of the terminal. ${found.tries} tries left.` };
      this.#consents.delete(id);
      throw new HapError("login_failed", "That is not the code of the terminal. Run `hap login` again.");
    }
    this.#consents.delete(id);
    const handover = randomBytes(32).toString("base64url");
    this.#handovers.set(handover, { person, challenge: terminal.challenge, until: this.#now() + 60_000 });
    return { to: new URL(`http://127.0.0.1:${terminal.port}/?handover=${handover}`) };
  }

  /** The person whom a terminal may sign in, once, if it knows the secret behind its challenge. */
  takeHandover(id: string, verifier: string): string {
    const found = this.#handovers.get(id);
    this.#handovers.delete(id);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (found !== undefined && found.until >= this.#now() && same(found.challenge, challenge)) return found.person;
    throw new HapError("login_failed", "This hand-over is not valid any more. Run `hap login` again.");
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

  #sweep(): void {
    const now = this.#now();
    for (const [id, { until }] of this.#handovers) if (until < now) this.#handovers.delete(id);
    for (const [id, { until }] of this.#consents) if (until < now) this.#consents.delete(id);
    for (const [state, { until }] of this.#away) if (until < now || this.#away.size > MOST_AWAY) this.#away.delete(state);
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
