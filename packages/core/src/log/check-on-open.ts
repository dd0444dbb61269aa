// Opening a store looks at its head, its versions and a bounded tail (D21); `hap verify` looks at all of it.
import { eventHash, FOLD_VERSION, GENESIS_HASH, HapError, LOG_FORMAT, quote } from "@hap/protocol";
import type { Store } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { rebuildRows } from "./rebuild.ts";
import { rowEventId } from "./row-event-id.ts";

/** How many of the last events are checked. */
const TAIL = 64;

/** Refuse a newer log, make one that does not hash read-only, and rebuild older rows. */
export function checkOnOpen(store: Store): void {
  const head = store.head();
  if (head.seq === 0) return;
  const genesis = readGenesis(store);
  if ((genesis?.format ?? 0) > LOG_FORMAT) throw newer(store, `a log of format ${genesis?.format}`, LOG_FORMAT);
  const folded = Number(store.config("fold_version") ?? FOLD_VERSION);
  if (folded > FOLD_VERSION) throw newer(store, `tickets of version ${folded}`, FOLD_VERSION);
  if (genesis !== null && genesis.space !== store.space) throw otherSpace(store, genesis.space);
  if (store.config("violation") !== undefined) return;
  const violation = genesis === null ? "The log does not begin with log.genesis." : findBreak(store, head.seq);
  if (violation !== null) store.write((tx) => tx.setConfig("violation", violation));
  else if (folded < FOLD_VERSION) rebuildRows(store);
}

function readGenesis(store: Store): { format: number; space: string } | null {
  try {
    const genesis = JSON.parse(store.eventAt(1)?.payload ?? "null");
    return genesis?.type === "log.genesis" ? genesis : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What is wrong with the last events, or null. */
function findBreak(store: Store, headSeq: number): string | null {
  const start = Math.max(0, headSeq - TAIL);
  let prev = start === 0 ? GENESIS_HASH : store.hashAt(start);
  for (const row of store.eventsAfter(start, TAIL)) {
    if (row.prev_hash !== prev || row.hash !== eventHash(prev, row.payload, sha256))
      return `Integrity violation at event ${row.seq} (${rowEventId(row) ?? "unreadable"}): it does not hash to what is stored.`;
    prev = row.hash;
  }
  return null;
}

function newer(store: Store, what: string, known: number): HapError {
  return new HapError("store_newer", `${store.path} holds ${what}; this HAP knows ${known}. Update HAP; nothing was changed.`, {
    path: store.path,
  });
}

function otherSpace(store: Store, space: string): HapError {
  return new HapError(
    "invalid_input",
    `${store.path} holds the space ${quote(space)}, not ${quote(store.space)}. Open it as that.`,
    {
      field: "space",
      path: store.path,
    },
  );
}
