// A grant as it is shown, and its journal.
import {
  type ContentRef,
  type EventOf,
  type GrantTexts,
  type GrantUseView,
  type GrantView,
  grantWords,
  type WordedGrant,
} from "@hap/protocol";
import { ContentReader } from "../log/contents.ts";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import { patternsOf } from "./find.ts";
import { type GrantRecord, type GrantUseRecord, leftOf, stateOf } from "./records.ts";

/** Names for handles, patterns for their digest. */
export function viewGrant(rows: StoreReader, record: GrantRecord, now: number): GrantView {
  const { scope, verdict, uses, rate } = record;
  const patterns = patternsOf(rows, record) ?? { commands: null, paths: null, hosts: null };
  const copy = (list: readonly string[] | null) => (list === null ? null : [...list]);
  const shown = {
    verdict,
    agent: scope.agent,
    session: scope.session,
    project: scope.project === null ? null : nameOf(rows, scope.project),
    kinds: copy(scope.kinds),
    commands: copy(patterns.commands),
    paths: copy(patterns.paths),
    hosts: copy(patterns.hosts),
    environments: copy(scope.environments),
    effects: copy(scope.effects),
    uses,
    rate,
  } satisfies WordedGrant;
  return {
    id: record.id,
    person: nameOf(rows, record.person),
    ...shown,
    created_at: record.createdAt,
    ends_at: record.endsAt,
    used: record.used,
    left: leftOf(record),
    last_used_at: record.lastUsedAt,
    state: stateOf(record, now),
    ended_at: record.endedAt,
    ended_because: record.endedBecause,
    ended_by: record.endedBy === null ? null : nameOf(rows, record.endedBy),
    ticket_id: record.ticket,
    assurance: record.assurance,
    confirmed: record.confirmed,
    words: grantWords(shown),
  };
}

/** One line of the journal. */
export function viewUse(rows: StoreReader, { seq }: GrantUseRecord): GrantUseView {
  const event = JSON.parse(rows.eventAt(seq)?.payload ?? "{}") as EventOf<"grant.use">;
  const texts = new ContentReader(rows, seq).resolve(event.call as ContentRef) as GrantTexts | undefined;
  return {
    at: event.ts,
    event_id: event.id,
    call_hash: event.call_hash,
    agent: event.by,
    kind: event.kind,
    tier: event.tier,
    effects: [...event.effects],
    commands: texts?.commands?.map((command) => [...command]) ?? null,
    paths: texts === undefined ? null : [...texts.paths],
    hosts: texts === undefined ? null : [...texts.hosts],
  };
}
