// Phrases that confirm an act which is no decision on a ticket: deleting a person, putting a policy in force. Issued for one act and
// one person, valid for two minutes, used once; only a slow salted hash is kept.
import { timingSafeEqual } from "node:crypto";
import { HapError, makePhrase, PHRASE, readPhrase } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";
import type { IssuedPhrase, PhraseDraw } from "./phrases.ts";
import { SlowHashes } from "./slow-hash.ts";

/** What is confirmed: `key` tells one act from every other, `words` begin the phrase. */
export type Act = { key: string; words: string };

/** Issue a phrase in place of the person's last one for this act. */
export function issueActPhrase(session: Session, act: Act, person: string, { chars, salt, hashes }: PhraseDraw): IssuedPhrase {
  const phrase = makePhrase(act.words, chars);
  const expires = session.now + PHRASE.ttlMs;
  session.tx.putPhrase({ ticketId: act.key, person, salt, hash: hashes.of(phrase, salt), expires, wrong: 0 }, session.now);
  return { phrase, expires_at: toIso(expires) };
}

/** Hash what was typed before the transaction, under the salt of the phrase that is open. */
export function hashActPhrase(rows: StoreReader, act: Act, person: string | undefined, typed: string | undefined): SlowHashes {
  const hashes = new SlowHashes();
  const open = person === undefined || typed === undefined ? undefined : rows.phrase(act.key, person);
  if (open !== undefined) hashes.of(readPhrase(typed as string), open.salt);
  return hashes;
}

/** Use up a phrase. Returns why what was typed is not it, or null; a wrong guess counts, so the transaction must commit. */
export function takeActPhrase(session: Session, act: Act, person: string, typed: string, hashes: SlowHashes): HapError | null {
  const row = session.tx.phrase(act.key, person);
  const refused = (why: string, left = 0) =>
    new HapError(
      "phrase_wrong",
      `${why} Nothing was done. ${left > 0 ? `${left} of ${PHRASE.tries} tries left.` : "Ask for a new one."}`,
      {
        field: "phrase",
        tries_left: left,
      },
    );
  if (row === undefined) return refused("No phrase is open for this: it was used, replaced or never issued.");
  if (row.expires <= session.now) {
    session.tx.dropPhrase(act.key, person);
    return refused(`The phrase expired at ${toIso(row.expires)}.`);
  }
  if (timingSafeEqual(hashes.of(readPhrase(typed), row.salt), row.hash)) {
    session.tx.dropPhrase(act.key, person);
    return null;
  }
  const left = PHRASE.tries - row.wrong - 1;
  if (left > 0) session.tx.putPhrase({ ...row, wrong: row.wrong + 1 }, session.now);
  else session.tx.dropPhrase(act.key, person);
  return refused("The phrase does not match the one that was issued.", left);
}
