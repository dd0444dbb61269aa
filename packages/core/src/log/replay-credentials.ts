// Credentials in the replay of `hap verify` (D21): each signature is checked with the keys that the log had named by then.
import {
  type AnyStatement,
  type AssuranceLevel,
  type EnrolStatement,
  type EventOf,
  type HapEvent,
  INTENT_TTL_MS,
  type RevokeStatement,
  type Signature,
  statementOf,
  type TrustClass,
} from "@hap/protocol";
import { type Demand, type DemandRule, demandOn } from "../credentials/demand.ts";
import { labelHash, vouchStatement } from "../credentials/enrolment.ts";
import { keyDigest, readKey } from "../credentials/public-key.ts";
import { type CredentialRecord, foldEnrol, foldErased, foldRevoke, type UsedCredential } from "../credentials/record.ts";
import type { CredentialSource, SignatureVerifier } from "../credentials/verify-signature.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { fromIso, type TicketRecord } from "../tickets/record.ts";
import { sameValue } from "./alongside.ts";
import { Illegal, must } from "./illegal.ts";

/** An event that changes a credential. */
export type CredentialEvent = EventOf<"credential.enrol"> | EventOf<"credential.revoke">;

export function isCredentialEvent(event: HapEvent): event is CredentialEvent | EventOf<"person.erased"> {
  return event.type === "credential.enrol" || event.type === "credential.revoke" || event.type === "person.erased";
}

/** Write what one event makes of a credential. */
export function replayCredential(tx: StoreWriter, event: CredentialEvent | EventOf<"person.erased">): void {
  if (event.type === "person.erased") {
    for (const record of tx.credentialsOf(event.person)) tx.putCredential({ ...record, ...foldErased(record, event) });
    return;
  }
  if (event.type === "credential.enrol") {
    tx.putCredential({ ...foldEnrol(event), signCount: event.credential.sign_count });
    return;
  }
  const record = tx.credentialById(event.credential_id);
  if (record !== undefined) tx.putCredential({ ...record, ...foldRevoke(record, event) });
}

/** Where the log stands: statements are made for one runtime and epoch. */
export type Place = { runtime: string | undefined; epoch: number };

export class CredentialReplay {
  readonly #store: StoreReader;
  readonly #verify: SignatureVerifier;
  readonly #keys = new Map<string, UsedCredential>();

  constructor(store: StoreReader, verify: SignatureVerifier) {
    this.#store = store;
    this.#verify = verify;
  }

  take(event: CredentialEvent, place: Place): void {
    must(event.runtime === place.runtime && event.epoch === place.epoch, "it was made for another runtime or epoch");
    const ahead = fromIso(event.expires_at) - fromIso(event.ts);
    must(ahead > 0 && ahead <= INTENT_TTL_MS.longest, "it had expired, or was valid for too long");
    if (event.type === "credential.enrol") this.#enrol(event);
    else this.#revoke(event);
  }

  #enrol(event: EventOf<"credential.enrol">): void {
    const { credential, from, assertion } = event;
    const { id, kind, public_key, algorithm } = credential;
    must(!this.#keys.has(id), `a second credential ${id}`);
    must(readKey(kind, public_key).algorithm === algorithm, `its key is not ${algorithm}`);
    must(kind === "passkey" || id === keyDigest(public_key).toString("base64url"), "its id is not that of its key");
    const older = [...this.#keys.values()].some((key) => key.person === from && key.revokedAt === null);
    must(event.proof === (older ? "assertion" : "code"), older ? "no older key vouches for it" : "there was no older key");
    must((assertion !== null) === older, "its proof and its assertion do not belong together");
    if (assertion !== null) this.#check(assertion, vouchStatement(enrolStatementOf(event), public_key), from, event.trust, null);
    this.#keys.set(id, { ...foldEnrol(event), signCount: credential.sign_count, lastUsedAt: null });
  }

  #revoke(event: EventOf<"credential.revoke">): void {
    const key = this.#keys.get(event.credential_id);
    must(key !== undefined && key.revokedAt === null, "there was no such credential to revoke");
    if (event.assertion !== null) this.#check(event.assertion, revokeStatementOf(event), event.from, event.trust, null);
    this.#keys.set(key.id, { ...(this.#keys.get(key.id) as UsedCredential), ...foldRevoke(key, event) });
  }

  /** The keys of a deleted person are revoked. */
  erase(event: EventOf<"person.erased">): void {
    for (const key of this.#keys.values())
      if (key.person === event.person) this.#keys.set(key.id, { ...key, ...foldErased(key, event) });
  }

  /** Check the signature of a vote, if it has one. */
  checkVote({ space, intent, assurance, trust }: EventOf<"intent.sign">): void {
    if (intent.signature === null) return;
    const level = this.#check(intent.signature, statementOf(intent, space), intent.from, trust, assurance);
    if (level !== assurance) throw new Illegal(`its signature proves ${level}, not ${assurance}`);
  }

  /** Check the signature of an act that is no decision; returns what it proves. */
  checkAct(
    signature: Signature,
    statement: AnyStatement,
    { from, trust, assurance }: { from: string; trust: TrustClass; assurance: AssuranceLevel | null },
  ): AssuranceLevel {
    return this.#check(signature, statement, from, trust, assurance);
  }

  /** True when the log has named a key of the person, revoked ones too. */
  hasKeys(person: string): boolean {
    return [...this.#keys.values()].some((key) => key.person === person);
  }

  isInUse(id: string): boolean {
    return this.#keys.get(id)?.revokedAt === null;
  }

  /** What a yes to this ticket needed from this person, as far as the log can tell. */
  demandOn(record: TicketRecord, person: string, trust: TrustClass, rule: DemandRule): Demand {
    const keys = [...this.#keys.values()].filter((key) => key.person === person);
    return demandOn(record, keys, (key) => certainlyAnchored(key, trust), null, rule);
  }

  #check(
    signature: Signature,
    statement: AnyStatement,
    person: string,
    trust: TrustClass,
    claimed: AssuranceLevel | null,
  ): AssuranceLevel {
    const source: CredentialSource = {
      credential: (id) => this.#keys.get(id),
      // What root's file held then is not in the log: there the claim stands, if everything else is right.
      anchored: (key) => certainlyAnchored(key, trust) || claimed === "passkey",
    };
    const { level, counter } = this.#verify(signature, statement, person, source);
    const key = this.#keys.get(signature.credential_id);
    if (key !== undefined && counter !== undefined) this.#keys.set(key.id, { ...key, signCount: counter });
    return level;
  }

  finish(): void {
    const stored = this.#store.credentialsOf();
    must(stored.length === this.#keys.size, "credentials are stored that the log does not know");
    for (const { signCount, lastUsedAt, ...record } of stored) {
      const key = this.#keys.get(record.id);
      if (key === undefined || !sameValue(withoutUse(key), record))
        throw new Illegal(`the stored credential ${record.id} is not what the log makes of it`);
      must(signCount >= key.signCount, `the counter of the stored credential ${record.id} is behind the log`);
    }
    this.#checkOwners();
  }

  /** They are looked up by a column beside the record, which must say the same. */
  #checkOwners(): void {
    const enrolled = Map.groupBy(this.#keys.values(), ({ person }) => person);
    for (const [person, keys] of enrolled) {
      const ids = keys.map(({ id }) => id).sort();
      const found = this.#store.credentialsOf(person).map(({ id }) => id);
      must(sameValue(ids, found.sort()), `the stored credentials of ${person} are not those that they enrolled`);
    }
  }
}

function withoutUse({ signCount: _, lastUsedAt: __, ...record }: UsedCredential): CredentialRecord {
  return record;
}

function certainlyAnchored(key: CredentialRecord, trust: TrustClass): boolean {
  return trust !== "open" && key.trust !== "open";
}

type Fixed = Pick<EnrolStatement, "space" | "runtime" | "epoch" | "from" | "nonce" | "issued_at" | "expires_at">;

function fixedOf({ space, runtime, epoch, from, nonce, issued_at, expires_at }: CredentialEvent): Fixed {
  return { space, runtime, epoch, from, nonce, issued_at, expires_at };
}

/** The statement that an enrolment stands for: nothing in it comes from anywhere but the log. */
function enrolStatementOf(event: EventOf<"credential.enrol">): EnrolStatement {
  const { kind, label, rp_id, origins } = event.credential;
  const particular = { kind, public_key_hash: null, label_hash: labelHash(label), rp_id, origin: origins[0] ?? null };
  return { typ: "hap.enrol/1", ...fixedOf(event), ...particular };
}

function revokeStatementOf(event: EventOf<"credential.revoke">): RevokeStatement {
  return { typ: "hap.revoke/1", ...fixedOf(event), credential_id: event.credential_id };
}
