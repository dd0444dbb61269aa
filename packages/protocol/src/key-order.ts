// The order of an object's keys in canonical JSON: by code point (D20). Objects of the same make come again and again, so that
// what was found out about their keys is kept; it is used only where every key is the same, and what is kept is bounded.

/** Keys in their order, and how each is written; null where one must be escaped. */
export type KeyOrder = { given: readonly string[]; keys: readonly string[]; names: readonly (KeyName | null)[] };

/** A key with the comma before and the colon after it. Ready-made are also the quotes of what stands on either side. */
export type KeyName = { bare: string; opens: string; closes: string; both: string };

/** The forms of a key that is quoted already. */
export function nameKey(quoted: string): KeyName {
  return { bare: `,${quoted}:`, opens: `,${quoted}:"`, closes: `",${quoted}:`, both: `",${quoted}:"` };
}

const MOST_ORDERS = 512;
const MOST_KEYS = 64;
const MOST_CHARS = 2_000;

const plainKey = /^[ !#-[\]-~]*$/;
const beyondUtf16Order = /[\ud800-\uffff]/;
const orders = new Map<number, KeyOrder>();

/** The order of these keys, as `Object.keys` gives them. */
export function orderKeys(given: readonly string[]): KeyOrder {
  let make = given.length;
  for (let i = 0; i < given.length; i++) {
    const key = given[i] as string;
    make = (make * 31 + key.length * 128 + key.charCodeAt(0)) | 0;
  }
  const known = orders.get(make);
  if (known !== undefined && sameKeys(known.given, given)) return known;
  const keys = sortKeys([...given]);
  const order = { given, keys, names: keys.map((key) => (plainKey.test(key) ? nameKey(`"${key}"`) : null)) };
  if (given.length > MOST_KEYS || given.reduce((chars, key) => chars + key.length, 0) > MOST_CHARS) return order;
  if (orders.size >= MOST_ORDERS) orders.clear();
  orders.set(make, order);
  return order;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** JavaScript's own order is that of code points as long as nothing lies beyond U+D7FF. */
function sortKeys(keys: string[]): string[] {
  return keys.some((key) => beyondUtf16Order.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}

/** Order by code point, as Python and UTF-8 bytes do; JavaScript's own order differs beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
