// Phrases that confirm a yes (D3): issued by the engine for one ticket and one person, short-lived, used once. Only a slow
// salted hash is kept, and wrong guesses count durably.
import { timingSafeEqual } from "node:crypto";
import {
  type Decision,
  HapError,
  makePhrase,
  PHRASE,
  type PhraseDecision,
  phraseWords,
  readPhrase,
  shortCode,
} from "@hap/protocol";
import type { ViewSource } from "../store/store.ts";
import { type TicketRecord, toIso } from "../tickets/record.ts";
import { presentable } from "../tickets/view.ts";
import type { Session } from "../transaction/session.ts";
import { SlowHashes } from "./slow-hash.ts";

/** A phrase as its person is shown it. */
export type IssuedPhrase = { phrase: string; expires_at: string };

/** What is drawn before the transaction to make a phrase. */
export type PhraseDraw = { chars: Uint8Array; salt: Uint8Array; hashes: SlowHashes };

/** Draw what a phrase is made of. */
export function drawPhrase(random: (bytes: Uint8Array) => Uint8Array): PhraseDraw {
  return { chars: random(new Uint8Array(PHRASE.chars)), salt: random(new Uint8Array(16)), hashes: new SlowHashes() };
}

/** The phrase for a ticket and its hash; slow the first time. */
export function makeTicketPhrase(
  rows: ViewSource,
  record: TicketRecord,
  decision: PhraseDecision,
  { chars, salt, hashes }: PhraseDraw,
): { phrase: string; hash: Uint8Array } {
  const phrase = makePhrase(phraseWords(presentable(rows, record), decision), chars);
  return { phrase, hash: hashes.of(phrase, salt) };
}

/** Issue a phrase in place of the person's last one for this ticket. */
export function issuePhrase(
  session: Session,
  record: TicketRecord,
  person: string,
  decision: PhraseDecision,
  draw: PhraseDraw,
): IssuedPhrase {
  const { phrase, hash } = makeTicketPhrase(session.tx, record, decision, draw);
  const expires = session.now + PHRASE.ttlMs;
  session.tx.putPhrase({ ticketId: record.ticket.id, person, salt: draw.salt, hash, expires, wrong: 0 }, session.now);
  return { phrase, expires_at: toIso(expires) };
}

/** Why what was typed is not the phrase, or null if it is. A wrong guess is counted, so the transaction must commit. */
export function checkPhrase(
  session: Session,
  record: TicketRecord,
  person: string,
  said: { decision: Decision; phrase: string },
  hashes: SlowHashes,
): HapError | null {
  const { id } = record.ticket;
  const row = session.tx.phrase(id, person);
  const again = `Get a new one: \`hap approve ${shortCode(id)}\` in a terminal, or on the review page.`;
  const refused = (why: string, left = 0) =>
    new HapError("phrase_wrong", `${why} Nothing was recorded. ${left > 0 ? `${left} of ${PHRASE.tries} tries left.` : again}`, {
      ticket_id: id,
      field: "phrase",
      tries_left: left,
    });
  if (row === undefined) return refused(`No phrase is open for ${id}: it was used, replaced or never issued.`);
  if (row.expires <= session.now) {
    session.tx.dropPhrase(id, person);
    return refused(`The phrase for ${id} expired at ${toIso(row.expires)}.`);
  }
  const typed = readPhrase(said.phrase);
  if (typed.startsWith(`${said.decision} `) && timingSafeEqual(hashes.of(typed, row.salt), row.hash)) return null;
  const left = PHRASE.tries - row.wrong - 1;
  if (left > 0) session.tx.putPhrase({ ...row, wrong: row.wrong + 1 }, session.now);
  else session.tx.dropPhrase(id, person);
  return refused(`The phrase does not match the one that was issued for ${id}.`, left);
}
