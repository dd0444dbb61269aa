// Which texts of the store are whose (draft 19.1): those that a person wrote, and those of others in which their name stands.
import { type ContentRef, type HapEvent, type Json, type Mention, refDigest, ticketIdOf } from "@hap/protocol";
import { fieldsOf } from "../log/erase.ts";
import { makerOf } from "../log/maker-of.ts";
import { nameOf } from "../people/people.ts";
import type { StoreReader } from "../store/store.ts";
import type { Words } from "./search-words.ts";

/** One text: where it lies, which field of which event refers to it, and who wrote it (a handle, an agent, or null). */
export type TextOf = {
  place: number;
  ref: ContentRef;
  digest: string;
  field: string;
  event: HapEvent;
  author: string | null;
};

/** Everything that the log says about one handle. */
export type PersonTexts = {
  /** Texts that the person wrote, and the name and accounts themselves. */
  own: TextOf[];
  /** Texts of others that hold one of the searched words. */
  mentions: (TextOf & { found: string[]; excerpt: string })[];
  /** Events that name the person. */
  events: HapEvent[];
};

/** Read the whole log once, and every text once. */
export function personTexts(store: StoreReader, handle: string, words: Words): PersonTexts {
  const places = new Map<string, number>();
  const matches = new Map<string, { found: string[]; excerpt: string }>();
  for (const content of store.scanContents()) {
    const digest = `sha256:${content.digest}`;
    places.set(digest, content.ticketSeq);
    const match = words.find(content.body);
    if (match !== null) matches.set(digest, match);
  }
  const texts: PersonTexts = { own: [], mentions: [], events: [] };
  const quoted = `"${handle}"`;
  for (const { payload } of store.scanEvents(0)) {
    const event = JSON.parse(payload) as HapEvent;
    if (payload.includes(quoted)) texts.events.push(event);
    // A resolution repeats the references of its vote.
    if (event.type === "ticket.resolve") continue;
    for (const [field, ref] of fieldsOf(event as unknown as Json)) {
      const digest = refDigest(ref);
      const place = places.get(digest);
      if (place === undefined) continue;
      const text = { place, ref, digest, field, event, author: makerOf(event) ?? agentOf(event) };
      const match = matches.get(digest);
      if (isOwn(event, handle)) texts.own.push(text);
      else if (match !== undefined) texts.mentions.push({ ...text, ...match });
    }
  }
  return texts;
}

/** True for an event whose texts are the person's own. The address of a webhook is the organisation's. */
function isOwn(event: HapEvent, handle: string): boolean {
  if (event.type === "directory.add") return event.handle === handle;
  if (event.type === "account.link") return event.person === handle;
  return event.type !== "webhook.create" && makerOf(event) === handle;
}

function agentOf(event: HapEvent): string | null {
  if (event.type === "ticket.create") return event.ticket.from;
  return event.type === "agent.join" ? event.agent : null;
}

/** A mention as it is listed for a decision. */
export function viewMention(store: StoreReader, text: PersonTexts["mentions"][number]): Mention {
  const { event, author, digest, field, found, excerpt } = text;
  return {
    digest,
    field,
    event_id: event.id,
    ticket_id: ticketIdOf(event),
    written_by: author === null ? null : nameOf(store, author),
    found,
    excerpt,
    kept_because: keptBecause(store, event),
  };
}

/** Some texts are in use: why this one cannot go, or null. */
function keptBecause(store: StoreReader, event: HapEvent): string | null {
  if (event.type === "directory.add" && event.handle.startsWith("human:")) return "It is the name of another person.";
  if (event.type === "account.link") return "It is the account of another person.";
  if (event.type === "webhook.create" && store.webhookById(event.webhook_id)?.removedAt === null)
    return `It is the address of a webhook in use. Remove it first: \`hap webhook remove ${event.webhook_id}\`.`;
  return null;
}
