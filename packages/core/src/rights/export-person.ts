// `hap export-data` (draft 19.1): everything in the store that is a person's, as one document.
import {
  type Attachment,
  type ContentRef,
  type HapEvent,
  type Json,
  PERSON_DATA_FORMAT,
  type PersonData,
  type Role,
  ticketIdOf,
} from "@hap/protocol";
import { readAttachment } from "../conversations/attachments.ts";
import type { MessageRecord } from "../conversations/records.ts";
import { ContentReader } from "../log/contents.ts";
import type { DirectoryRow, StoreReader } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { resolveEvent, viewTicket } from "../tickets/view.ts";
import { type PersonTexts, personTexts, type TextOf, viewMention } from "./person-texts.ts";
import { wordsFor } from "./search-words.ts";

/** What the engine knows beside the store. */
export type ExportContext = { now: number; role: Role | null; credentials: PersonData["credentials"]; also?: readonly string[] };

/** Read all of a person's data, on one state of the store. */
export function exportPerson(store: StoreReader, person: DirectoryRow, context: ExportContext): PersonData {
  const { handle } = person;
  const subjects = store.listSubjects().filter((row) => row.person === handle);
  const texts = personTexts(store, handle, wordsFor(person.name, subjects, context.also));
  return {
    format: PERSON_DATA_FORMAT,
    exported_at: toIso(context.now),
    person: person.name,
    handle,
    known_since: person.created_at,
    role: context.role,
    accounts: subjects.map(({ issuer, subject, created_at }) => ({ issuer, subject, since: created_at })),
    credentials: context.credentials,
    sessions: store.listSessions(handle).map(({ kind, how, createdAt, lastUsedAt, expiresAt }) => ({
      kind,
      how,
      began_at: toIso(createdAt),
      last_used_at: toIso(lastUsedAt),
      expires_at: toIso(expiresAt),
    })),
    tickets: ticketsIn(store, texts.events, context.now),
    intents: texts.events.flatMap((event) =>
      event.type === "intent.sign" && event.intent.from === handle ? [resolved(store, event)] : [],
    ),
    comments: texts.own.flatMap((text) => comment(store, text)),
    conversations: texts.events.flatMap((event) =>
      event.type === "message.queue" && event.from === handle ? message(store, event.message_id) : [],
    ),
    settings: settingsOf(store, handle),
    events: texts.events.map((event) => resolved(store, event)),
    mentions: texts.mentions.map((mention) => viewMention(store, mention)),
  };
}

function resolved(store: StoreReader, event: HapEvent): Record<string, Json> {
  return resolveEvent(store, event) as Record<string, Json>;
}

/** The tickets that these events are about. */
function ticketsIn(store: StoreReader, events: PersonTexts["events"], now: number): PersonData["tickets"] {
  const ids = new Set(events.flatMap((event) => ticketIdOf(event) ?? []));
  return [...ids].flatMap((id) => {
    const record = store.ticketById(id);
    return record === undefined ? [] : [viewTicket(store, record, now)];
  });
}

/** Names, accounts and files are listed elsewhere. */
const LISTED_ELSEWHERE = new Set<string>(["directory.add", "account.link", "message.queue"]);

function comment(store: StoreReader, { event, place, field, ref }: TextOf): PersonData["comments"] {
  if (LISTED_ELSEWHERE.has(event.type)) return [];
  const text = new ContentReader(store, place).resolve(ref);
  return text === undefined ? [] : [{ event_id: event.id, ticket_id: ticketIdOf(event), at: event.ts, field, text }];
}

function message(store: StoreReader, id: string): PersonData["conversations"] {
  const record = store.messageById(id);
  if (record === undefined) return [];
  const contents = new ContentReader(store, record.seq);
  const text = record.text === null ? null : ((contents.resolve(record.text as ContentRef) as string | undefined) ?? null);
  const attachments = record.attachments.flatMap(({ about }, index) => attachment(store, record, contents, about, index));
  return [{ id, agent: record.agent, text, queued_at: record.queuedAt, taken_at: record.takenAt, attachments }];
}

/** A file that was erased is left out. */
function attachment(store: StoreReader, record: MessageRecord, contents: ContentReader, about: string, index: number) {
  const known = contents.resolve(about as ContentRef) as Attachment | undefined;
  if (known === undefined) return [];
  const { name, media_type, size, sha256 } = known;
  return [{ name, media_type, size, sha256, data: Buffer.from(readAttachment(store, record, index)).toString("base64") }];
}

function settingsOf(store: StoreReader, handle: string): PersonData["settings"] {
  return {
    browsers: store.pushSubscriptions(handle).map(({ endpoint, createdAt }) => ({ endpoint, created_at: toIso(createdAt) })),
    keys: store
      .listKeys()
      .filter(({ createdBy }) => createdBy === handle)
      .map(({ id, agent, createdAt, revokedAt }) => ({ id, agent, created_at: createdAt, revoked_at: revokedAt })),
    webhooks: store
      .listWebhooks()
      .filter(({ createdBy }) => createdBy === handle)
      .map(({ id, createdAt, removedAt }) => ({ id, created_at: createdAt, removed_at: removedAt })),
  };
}
