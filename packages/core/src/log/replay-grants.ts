// Grants, replayed from the log (D43): into rows when they are rebuilt, and beside them when they are verified. Every use must have
// been legal when it was written: in time, in number, in rate, and about a call that the grant covers.
import {
  allowsFacts,
  allowsTexts,
  type ContentRef,
  denies,
  type EventOf,
  type GrantFacts,
  type GrantPatterns,
  type GrantTexts,
  type HapEvent,
  INTENT_TTL_MS,
  refDigest,
} from "@hap/protocol";
import { foldGrant, foldGrantEnd, foldGrantUse, type GrantRecord, type GrantUseRecord, useRecord } from "../grants/records.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { fromIso } from "../tickets/record.ts";
import { sameValue } from "./alongside.ts";
import { Illegal, must, mustBePerson } from "./illegal.ts";
import type { CredentialReplay, Place } from "./replay-credentials.ts";
import type { DirectoryReplay, ReadText } from "./replay-directory.ts";

type GrantEvent = EventOf<"grant.create"> | EventOf<"grant.use"> | EventOf<"grant.end">;

/** How far the clock may go back between two events before a grant may not be used. */
const CLOCK_DRIFT_MS = 5_000;

/** True for events about grants. */
export function isGrantEvent(event: HapEvent): event is GrantEvent {
  return event.type === "grant.create" || event.type === "grant.use" || event.type === "grant.end";
}

/** Put what one event makes into the rows. */
export function replayGrant(tx: StoreWriter, event: GrantEvent): void {
  if (event.type === "grant.create") {
    tx.putGrant(foldGrant(event));
    return;
  }
  const record = tx.grantById(event.grant_id);
  if (record === undefined) return;
  tx.putGrant(event.type === "grant.use" ? foldGrantUse(record, event) : foldGrantEnd(record, event));
  if (event.type === "grant.use") tx.putGrantUse(useRecord(event));
}

/** What the log says beside the event: its texts, where it stands, and the newest time before it. */
type Around = { text: ReadText; place: Place; latest: number };
/** `patterns` is undefined where they were erased. */
type Known = { record: GrantRecord; patterns: GrantPatterns | undefined; uses: GrantUseRecord[] };

const NO_PATTERNS: GrantPatterns = { commands: null, paths: null, hosts: null };

/** Replays grants and compares the end with the rows. */
export class GrantReplay {
  readonly #store: StoreReader;
  readonly #credentials: CredentialReplay;
  readonly #directory: DirectoryReplay;
  readonly #grants = new Map<string, Known>();
  readonly #nonces = new Set<string>();
  readonly #erased = new Set<string>();

  constructor(store: StoreReader, credentials: CredentialReplay, directory: DirectoryReplay) {
    this.#store = store;
    this.#credentials = credentials;
    this.#directory = directory;
  }

  take(event: GrantEvent, around: Around): void {
    if (event.type === "grant.create") {
      this.#create(event, around);
      return;
    }
    const known = this.#grants.get(event.grant_id);
    must(known !== undefined, `there was no grant ${event.grant_id}`);
    must(known.record.endedAt === null, `${event.grant_id} had ended before it`);
    if (event.type === "grant.use") this.#use(known, event, around);
    else this.#end(known, event, around);
  }

  #create(event: EventOf<"grant.create">, { text, place }: Around): void {
    mustBePerson(event.from);
    must(!this.#grants.has(event.grant_id), `a second grant ${event.grant_id}`);
    must(event.ends_at === null || fromIso(event.ends_at) > fromIso(event.ts), "it had ended before it was made");
    this.#checkAct(event, event.ts, place);
    if (event.verdict === "allow") {
      must(event.agent !== null && (event.kinds !== null || event.patterns !== null), "it does not say what it allows");
      const signs = this.#credentials.hasKeys(event.from);
      must((event.assertion !== null) === signs, signs ? "its maker had a key, and did not sign it" : "its maker had no key");
      must(signs || event.confirmed, "no phrase confirmed it");
    }
    if (event.assertion !== null) {
      const level = this.#credentials.checkAct(event.assertion, grantStatementOf(event), event);
      must(level === event.assurance, `its signature proves ${level}, not ${event.assurance}`);
    }
    const body = event.patterns === null ? undefined : text(event.patterns as ContentRef);
    const patterns = event.patterns === null ? NO_PATTERNS : body === undefined ? undefined : JSON.parse(body);
    this.#grants.set(event.grant_id, { record: foldGrant(event), patterns, uses: [] });
  }

  #use(known: Known, event: EventOf<"grant.use">, { text, latest }: Around): void {
    const { record, patterns, uses } = known;
    const now = fromIso(event.ts);
    must(now >= fromIso(record.createdAt), "the grant did not exist yet");
    must(record.endsAt === null || now < fromIso(record.endsAt), "the grant had ended by then");
    must(event.use === record.used + 1, `it says that it is use ${event.use}, and is use ${record.used + 1}`);
    must(record.uses === null || event.use <= record.uses, `the grant allows ${record.uses} uses`);
    const { agent, kind, session, project, environment, tier, effects } = { ...event, agent: event.by };
    const facts: GrantFacts = { agent, kind, session, project, environment, tier, effects };
    const body = text(event.call as ContentRef);
    const texts = body === undefined ? undefined : (JSON.parse(body) as GrantTexts);
    if (record.verdict === "deny") {
      must(event.authority === null, "a denial needs no right to answer");
      if (patterns !== undefined && texts !== undefined)
        must(denies(record.scope, patterns, facts, texts), "the denial is not about this call");
    } else {
      must(latest <= now + CLOCK_DRIFT_MS, "the clock had been set back");
      assertRate(known, now);
      must(record.credential === null || this.#credentials.isInUse(record.credential), "the key that signed it was revoked");
      must(allowsFacts(record.scope, facts), "the grant does not cover this call");
      if (patterns !== undefined && texts !== undefined)
        must(allowsTexts(record.scope, patterns, texts), "the grant does not cover what this call does");
      must(event.authority !== null, "nobody had the right to answer");
      if (event.authority !== "addressee") this.#directory.useRole(record.person, event.authority, event.seq);
    }
    uses.push(useRecord(event));
    known.record = foldGrantUse(record, event);
  }

  #end(known: Known, event: EventOf<"grant.end">, { place }: Around): void {
    const { record } = known;
    const now = fromIso(event.ts);
    switch (event.because) {
      case "spent":
        must(record.uses !== null && record.used >= record.uses, "it was not used up");
        break;
      case "expired":
        must(record.endsAt !== null && now >= fromIso(record.endsAt), "its time was not over");
        break;
      case "key_revoked":
        must(record.credential !== null && !this.#credentials.isInUse(record.credential), "its key was not revoked");
        break;
      case "person":
        this.#endByPerson(record, event, place);
        break;
      case "person_erased":
        break;
    }
    known.record = foldGrantEnd(record, event);
  }

  /** A grant ends by a word; a denial as it would be allowed. */
  #endByPerson(record: GrantRecord, event: EventOf<"grant.end">, place: Place): void {
    must(event.from !== null, "nobody ended it");
    mustBePerson(event.from);
    if (record.verdict === "allow") return;
    const signs = this.#credentials.hasKeys(event.from);
    must((event.signed !== null) === signs && (signs || event.confirmed), "nothing confirmed the end of a denial");
    if (event.signed === null) return;
    this.#checkAct(event.signed, event.ts, place);
    const { runtime, epoch, nonce, issued_at, expires_at, assertion } = event.signed;
    const fixed = { space: event.space, runtime, epoch, nonce, issued_at, expires_at };
    const statement = { typ: "hap.end_grant/1", ...fixed, from: event.from, grant_id: event.grant_id } as const;
    this.#credentials.checkAct(assertion, statement, { from: event.from, trust: event.trust, assurance: null });
  }

  #checkAct(act: { runtime: string; epoch: number; nonce: string; expires_at: string }, ts: string, place: Place): void {
    must(act.runtime === place.runtime && act.epoch === place.epoch, "it was made for another runtime or epoch");
    must(!this.#nonces.has(act.nonce), "its nonce was used before");
    this.#nonces.add(act.nonce);
    const ahead = fromIso(act.expires_at) - fromIso(ts);
    must(ahead > 0 && ahead <= INTENT_TTL_MS.longest, "it had expired, or was valid for too long");
  }

  erase(event: EventOf<"person.erased">): void {
    this.#erased.add(event.person);
    for (const { record } of this.#grants.values())
      must(record.person !== event.person || record.endedAt !== null, `${record.id} outlives its person`);
  }

  finish(): void {
    let uses = 0;
    for (const { record, uses: own } of this.#grants.values()) {
      must(
        record.endedBecause !== "person_erased" || this.#erased.has(record.person),
        `the person of ${record.id} is still there`,
      );
      if (!sameValue(record, this.#store.grantById(record.id)))
        throw new Illegal(`the stored grant ${record.id} is not what the log makes of it`);
      const stored = this.#store.grantUses(record.id, own.length + 1);
      if (!sameValue(stored.reverse(), own)) throw new Illegal(`the stored uses of ${record.id} are not those of the log`);
      uses += own.length;
    }
    must(this.#store.listGrants().length === this.#grants.size, "grants are stored that the log does not know");
    must(this.#store.countGrantUses() === uses, "uses of grants are stored that the log does not know");
    const open = [...this.#grants.values()].filter(({ record }) => record.endedAt === null).length;
    must(this.#store.openGrants().length === open, "grants are stored as open that the log has ended, or the other way round");
  }
}

function assertRate({ record: { rate }, uses }: Known, now: number): void {
  if (rate === null || uses.length < rate.uses) return;
  const first = uses[uses.length - rate.uses] as GrantUseRecord;
  must(first.at <= now - rate.seconds * 1000, `the grant allows ${rate.uses} uses in ${rate.seconds} s`);
}

/** The statement that a grant stands for: nothing in it comes from anywhere but the log. */
function grantStatementOf(event: EventOf<"grant.create">) {
  const { space, runtime, epoch, nonce, issued_at, expires_at, from, grant_id, verdict, agent, session, project } = event;
  return {
    typ: "hap.grant/1",
    space,
    runtime,
    epoch,
    from,
    grant_id,
    verdict,
    agent,
    session,
    project,
    kinds: event.kinds,
    environments: event.environments,
    effects: event.effects,
    patterns_hash: event.patterns === null ? null : refDigest(event.patterns as ContentRef),
    ends_at: event.ends_at,
    uses: event.uses,
    rate_uses: event.rate?.uses ?? null,
    rate_seconds: event.rate?.seconds ?? null,
    ticket_id: event.ticket,
    nonce,
    issued_at,
    expires_at,
  } as const;
}
