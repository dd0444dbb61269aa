// A cursor names a place in one history (D12): space, seq and part of that event's hash, so that a fork is noticed.
import { HapError } from "./errors.ts";
import { quote } from "./identifiers.ts";

/** A place in a log. `mark` is the first 16 hex characters of that event's hash. */
export type Position = { space: string; seq: number; mark: string };

/** Write a position as the opaque text that every face shows. */
export function encodeCursor(position: Position): string {
  return `cur_${toBase64Url(`${position.space}/${position.seq}/${position.mark}`)}`;
}

/** Read a cursor; what HAP did not make is an error. */
export function decodeCursor(cursor: string): Position {
  const text = cursor.startsWith("cur_") ? fromBase64Url(cursor.slice(4)) : undefined;
  const found = text === undefined ? null : /^([a-z0-9][a-z0-9_.:-]{0,63})\/([1-9][0-9]{0,15})\/([0-9a-f]{16})$/.exec(text);
  const [, space = "", seq = "", mark = ""] = found ?? [];
  const position = { space, seq: Number(seq), mark };
  if (found !== null && encodeCursor(position) === cursor) return position;
  throw new HapError(
    "invalid_cursor",
    `The cursor ${quote(cursor)} was not made by HAP; leave it out to start from the first event.`,
    { field: "cursor" },
  );
}

const notOfUrl = /[+/]/;

function toBase64Url(ascii: string): string {
  const base64 = btoa(ascii);
  const end = base64.indexOf("=");
  const bare = end === -1 ? base64 : base64.slice(0, end);
  return notOfUrl.test(bare) ? bare.replaceAll("+", "-").replaceAll("/", "_") : bare;
}

function fromBase64Url(text: string): string | undefined {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
}
