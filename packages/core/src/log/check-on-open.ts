// Opening a store looks at its head, its versions and a bounded tail (D21); `hap verify` looks at all of it.
import { eventHash, FOLD_VERSION, GENESIS_HASH, HapError, LOG_FORMAT } from "@hap/protocol";
import { sha256 } from "../facts.ts";
import type { Store } from "../store/store.ts";
import { rebuildRows } from "./rebuild.ts";

/** How many of the last events are checked. */
const TAIL = 64;

/** Refuse a newer log, rebuild older rows, and notice a tail that does not hash. */
export function checkOnOpen(store: Store): void {
  const head = store.head();
  if (head.seq === 0) return;
  const first = store.eventAt(1);
  const genesis = first === undefined ? undefined : JSON.parse(first.payload);
  if (genesis?.type !== "log.genesis") throw violated(store, 1, "the log does not begin with log.genesis.");
  if (genesis.format > LOG_FORMAT) {
    throw new HapError(
      "store_newer",
      `${store.path} holds a log of format ${genesis.format}; this HAP knows ${LOG_FORMAT}. Update HAP; nothing was changed.`,
      { path: store.path },
    );
  }
  const start = Math.max(0, head.seq - TAIL);
  let prev = start === 0 ? GENESIS_HASH : (store.eventAt(start)?.hash ?? "");
  for (const row of store.eventsAfter(start, TAIL)) {
    if (row.prev_hash !== prev || row.hash !== eventHash(prev, row.payload, sha256))
      throw violated(store, row.seq, `event ${row.seq} (${row.id}) does not hash to what is stored.`);
    prev = row.hash;
  }
  const folded = Number(store.config("fold_version") ?? FOLD_VERSION);
  if (folded !== FOLD_VERSION) rebuildRows(store);
}

function violated(store: Store, seq: number, what: string): HapError {
  store.write((tx) => tx.setConfig("violation", what));
  return new HapError(
    "integrity_violation",
    `${store.path}: ${what} Nothing is written any more. Keep a copy for inquiry, and restore a backup.`,
    { path: store.path, seq },
  );
}
