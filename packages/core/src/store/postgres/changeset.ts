// Reads the keys of changed rows out of a changeset of SQLite's session extension.

/** A row that was inserted, changed or deleted: its table, and the values of its key's columns. */
export type Change = { table: string; key: (string | number | Uint8Array)[] };

type Value = string | number | Uint8Array | null | undefined;
const DELETE = 9;
const INSERT = 18;
const TABLE = 0x54;
const decoder = new TextDecoder();

/** The changes of a changeset, one for each row. */
export function readChangeset(bytes: Uint8Array): Change[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const changes: Change[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let part = 0; part < 8; part++) {
      const byte = view.getUint8(at++);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value * 256 + view.getUint8(at++);
  };
  const bytesOf = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const value = (): Value => {
    const type = view.getUint8(at++);
    if (type === 0) return undefined;
    if (type === 5) return null;
    if (type === 3) return decoder.decode(bytesOf(varint()));
    if (type === 4) return bytesOf(varint()).slice();
    at += 8;
    return type === 1 ? Number(view.getBigInt64(at - 8)) : view.getFloat64(at - 8);
  };
  let table = "";
  let keys: number[] = [];
  let columns = 0;
  while (at < bytes.length) {
    const kind = view.getUint8(at++);
    if (kind === TABLE) {
      columns = varint();
      // The n-th column of the key has the number n.
      const flags = [...bytesOf(columns)];
      keys = flags
        .map((place, column) => ({ place, column }))
        .filter(({ place }) => place > 0)
        .sort((a, b) => a.place - b.place)
        .map(({ column }) => column);
      const end = bytes.indexOf(0, at);
      table = decoder.decode(bytes.subarray(at, end));
      at = end + 1;
      continue;
    }
    at++; // Whether the change was made by a trigger.
    const record = () => Array.from({ length: columns }, value);
    const first = record();
    if (kind !== INSERT && kind !== DELETE) record();
    changes.push({ table, key: keys.map((column) => first[column] as string | number | Uint8Array) });
  }
  return changes;
}
