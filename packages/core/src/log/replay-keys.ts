// API keys, replayed from the log: into rows when they are rebuilt, and beside them when they are verified (D21).
import type { EventOf, HapEvent } from "@hap/protocol";
import { foldKey, foldRevoke, type KeyRecord } from "../people/records.ts";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { sameValue } from "./alongside.ts";
import { Illegal, must, mustBePerson } from "./illegal.ts";

type KeyEvent = EventOf<"key.create"> | EventOf<"key.revoke">;

/** True for events about API keys. */
export function isKeyEvent(event: HapEvent): event is KeyEvent {
  return event.type === "key.create" || event.type === "key.revoke";
}

/** Put what one event makes into the rows. */
export function replayKey(tx: StoreWriter, event: KeyEvent): void {
  if (event.type === "key.create") {
    tx.putKey(foldKey(event));
    return;
  }
  const record = tx.keyById(event.key_id);
  if (record !== undefined) tx.putKey(foldRevoke(record, event));
}

/** Replays keys and compares the end with the rows: a key that was put in past the log is found. */
export class KeyReplay {
  readonly #store: StoreReader;
  readonly #keys = new Map<string, KeyRecord>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  take(event: KeyEvent): void {
    mustBePerson(event.from);
    const known = this.#keys.get(event.key_id);
    if (event.type === "key.create") {
      must(known === undefined, `a second key ${event.key_id}`);
      this.#keys.set(event.key_id, foldKey(event));
      return;
    }
    must(known !== undefined && known.revokedAt === null, `${event.key_id} is no key in use`);
    this.#keys.set(event.key_id, foldRevoke(known, event));
  }

  finish(): void {
    for (const key of this.#keys.values())
      if (!sameValue(key, this.#store.keyById(key.id)))
        throw new Illegal(`the stored key ${key.id} is not what the log makes of it`);
    must(this.#store.listKeys().length === this.#keys.size, "keys are stored that the log does not know");
  }
}
