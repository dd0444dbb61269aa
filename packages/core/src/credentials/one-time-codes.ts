// One-time codes (D25) in the store: only a slow salted hash is kept, one code is open per purpose and person, and wrong
// guesses count against every open code of their purpose, durably, so that a restart gives nobody more tries.
import { timingSafeEqual } from "node:crypto";
import { CODE, type CodePurpose, HapError, LINK_BYTES, makeCode, makeLinkSecret, readCode, readLinkSecret } from "@hap/protocol";
import { ownCommand } from "../defaults.ts";
import type { CodeRow, StoreReader } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { SlowHashes } from "./slow-hash.ts";

/** A code and its row-to-be. */
export type PreparedCode = { code: string; salt: Uint8Array; hash: Uint8Array };

/** Make a code; slow, so it happens before the transaction. */
export function prepareCode(purpose: CodePurpose, random: (bytes: Uint8Array) => Uint8Array): PreparedCode {
  const code =
    purpose === "link" ? makeLinkSecret(random(new Uint8Array(LINK_BYTES))) : makeCode(random(new Uint8Array(CODE.bytes)));
  const salt = random(new Uint8Array(16));
  return { code, salt, hash: new SlowHashes().of(code, salt) };
}

/** Store it in place of the person's last code for this purpose. */
export function storeCode(session: Session, purpose: CodePurpose, person: string, { salt, hash }: PreparedCode): string {
  const expires = session.now + CODE.ttlMs;
  session.tx.putCode({ purpose, person, salt, hash, expires, wrong: 0 });
  return toIso(expires);
}

/** A typed code. It is hashed under the salts of the open codes before the transaction begins. */
export class TypedCode {
  readonly #code: string;
  readonly #hashes = new SlowHashes();

  constructor(typed: string, purpose: CodePurpose, rows: StoreReader) {
    this.#code = purpose === "link" ? readLinkSecret(typed) : readCode(typed);
    for (const { salt } of rows.codes(purpose)) this.#hashes.of(this.#code, salt);
  }

  fits(row: CodeRow): boolean {
    return timingSafeEqual(this.#hashes.of(this.#code, row.salt), row.hash);
  }
}

/** Use a code, once; returns the person's handle. A wrong guess counts although it is refused. */
export function redeemCode(session: Session, purpose: CodePurpose, typed: TypedCode): string | Refused {
  // Every row is compared, so that time says nothing about which one fits.
  const fitting = session.tx.codes(purpose).filter((row) => typed.fits(row));
  const [row] = fitting;
  // Guesses at a link's 256 bits are hopeless, and must not burn the link of the person who is about to open it.
  if (row === undefined && purpose === "link") return new Refused(usedLink());
  if (row === undefined) {
    const left = session.tx.countWrongCode(purpose, session.now, CODE.tries);
    return new Refused(wrongCode(purpose, left));
  }
  session.tx.dropCode(purpose, row.person);
  if (row.expires <= session.now) return new Refused(expiredCode(purpose, toIso(row.expires)));
  return row.person;
}

/** How a person gets another one. */
function again(purpose: CodePurpose): string {
  if (purpose === "enrol") return "Begin the enrolment again for a new one.";
  return `Get a new one with \`${ownCommand()} login --${purpose === "link" ? "link" : "code"}\` on a terminal.`;
}

function usedLink(): HapError {
  return new HapError("code_wrong", `This sign-in link was used already, or is not the newest one. ${again("link")}`, {
    field: "secret",
    tries_left: 0,
  });
}

function wrongCode(purpose: CodePurpose, left: number): HapError {
  const next = left > 0 ? `${left} ${left === 1 ? "try is" : "tries are"} left.` : `No code is open. ${again(purpose)}`;
  return new HapError("code_wrong", `The code is wrong, or was used. ${next}`, { field: "code", tries_left: left });
}

function expiredCode(purpose: CodePurpose, at: string): HapError {
  const what = purpose === "link" ? "sign-in link" : "code";
  return new HapError("code_expired", `The ${what} expired at ${at}. ${again(purpose)}`, { field: "code", expires_at: at });
}
