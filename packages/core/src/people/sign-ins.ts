// A person's sign-ins as they see them: which there are, what they called them, and how to end one. A paired device is a sign-in of its
// own, begun by a one-time link that another sign-in of the same person made (D44). Names are settings, not events: they are free text.
import { HapError, LIMITS, parseHumanId } from "@hap/protocol";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import type { Context } from "../transaction/context.ts";
import { endSessions } from "./identity.ts";
import type { SessionRecord } from "./records.ts";
import { hashSecret } from "./secret.ts";

/** A sign-in, without its secret. `id` names it for its person. */
export type SignInView = {
  id: string;
  name: string | null;
  kind: SessionRecord["kind"];
  how: SessionRecord["how"];
  began_at: string;
  last_used_at: string;
  current: boolean;
};

/** Names by the hash of a sign-in's secret, or of a pairing link's. */
const NAMES = "sign_in_names";
const ID_CHARS = 16;
const SEALING_KEY = "sealing_key";
const SEALING_KEY_BYTES = 32;

/** Sign-ins of people, for themselves. */
export class SignIns {
  readonly #engine: Context;

  constructor(engine: Context) {
    this.#engine = engine;
  }

  /** The person's sign-ins that are valid, last used first; `secret` is that of the one that asks. */
  listSignIns(person: string, secret: string): SignInView[] {
    const { rows } = this.#engine;
    const handle = rows.handleOf(parseHumanId(person, "person"));
    const names = readNames(rows);
    const own = hashSecret(secret);
    return (handle === undefined ? [] : rows.listSessions(handle))
      .filter(({ expiresAt }) => expiresAt > this.#engine.now())
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
      .map(({ hash, kind, how, createdAt, lastUsedAt }) => ({
        id: hash.slice(0, ID_CHARS),
        name: names[hash] ?? null,
        kind,
        how,
        began_at: toIso(createdAt),
        last_used_at: toIso(lastUsedAt),
        current: hash === own,
      }));
  }

  /** End one sign-in of a person. */
  endSignIn(person: string, id: string): void {
    this.#engine.run((session) => {
      const handle = session.tx.handleOf(parseHumanId(person, "person"));
      const found =
        handle === undefined ? [] : session.tx.listSessions(handle).filter(({ hash }) => hash.slice(0, ID_CHARS) === id);
      if (found.length === 0)
        throw new HapError("invalid_input", "You have no sign-in with this id. It may have ended already.", { field: "id" });
      endSessions(session, found, "signed_out");
      keepNames(session.tx);
    });
  }

  /** Key of the values that browsers keep for a server during a sign-in; created at the first call, the same on every node. */
  sealingKey(): Uint8Array {
    const known = this.#engine.rows.config(SEALING_KEY);
    if (known !== undefined) return Buffer.from(known, "base64url");
    const fresh = Buffer.from(this.#engine.random(new Uint8Array(SEALING_KEY_BYTES))).toString("base64url");
    const kept = this.#engine.write((rows) => {
      const first = rows.config(SEALING_KEY);
      if (first === undefined) rows.setConfig(SEALING_KEY, fresh);
      return first ?? fresh;
    });
    return Buffer.from(kept, "base64url");
  }

  /** Give the link of a pairing a name, which the sign-in that it begins takes over. */
  namePairing(secret: string, name: string): void {
    const words = name.trim();
    if (words === "" || [...words].length > LIMITS.summaryChars)
      throw new HapError("invalid_input", `name must be 1 to ${LIMITS.summaryChars} characters.`, { field: "name" });
    this.#engine.write((rows) => keepNames(rows, { [linkKey(secret)]: words }));
  }

  /** A link was used: the sign-in that it began is called what its pairing was, if it was one. */
  pairedAs(link: string, secret: string): void {
    const name = readNames(this.#engine.rows)[linkKey(link)];
    if (name !== undefined) this.#engine.write((rows) => keepNames(rows, { [hashSecret(secret)]: name }, linkKey(link)));
  }
}

const linkKey = (secret: string) => `link ${hashSecret(secret)}`;

function readNames(rows: StoreReader): Record<string, string> {
  return JSON.parse(rows.config(NAMES) ?? "{}") as Record<string, string>;
}

/** Add names, and forget those of sign-ins that have ended. Of links only the newest few are kept: they live for minutes. */
function keepNames(rows: StoreWriter, added: Record<string, string> = {}, used: string | null = null): void {
  const valid = new Set(rows.listSessions().map(({ hash }) => hash));
  const all = Object.entries({ ...readNames(rows), ...added }).filter(([key]) => key !== used);
  const links = all.filter(([key]) => key.startsWith("link ")).slice(-20);
  const kept = [...all.filter(([key]) => valid.has(key)), ...links];
  rows.setConfig(NAMES, kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept)));
}
