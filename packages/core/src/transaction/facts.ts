// Time, chance and hashing come from outside (architecture: they are inputs), so that every behaviour can be tested.
import { hash, randomFillSync } from "node:crypto";
import { uptime } from "node:os";
import { ID_BYTES, makeEventId, makeId, makeNonce, type Sha256 } from "@hap/protocol";

/** What the engine takes from the world. */
export type World = {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds since the machine started, sleep included; only differences mean anything. */
  uptime: () => number;
  /** True if `now` was watched since a time and ran evenly; in place of `uptime`, where the time is a database's. */
  steadySince?: (at: number) => boolean;
  /** Fill an array with random bytes. */
  random: (bytes: Uint8Array) => Uint8Array;
};

/** The real world. Random bytes are drawn in blocks: one system call for many ids. */
export function realWorld(): World {
  const pool = new Uint8Array(4096);
  let used = pool.length;
  return {
    now: Date.now,
    uptime: () => Math.round(uptime() * 1000),
    random: (bytes) => {
      if (used + bytes.length > pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      bytes.set(pool.subarray(used, used + bytes.length));
      used += bytes.length;
      return bytes;
    },
  };
}

/** sha256 as lower-case hex. */
export const sha256: Sha256 = (data) => hash("sha256", data, "hex");

/** New names and salts from the world's chance. */
export class Names {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  id(prefix: Parameters<typeof makeId>[0]): string {
    return makeId(prefix, this.#world.random(new Uint8Array(ID_BYTES)));
  }

  eventId(seq: number): string {
    return makeEventId(seq, this.#world.random(new Uint8Array(ID_BYTES)));
  }

  nonce(): string {
    return makeNonce(this.#world.random(new Uint8Array(16)));
  }

  /** A nonce that nobody is asked to sign: 80 random bits after the time, so that the table of used ones grows at its end. */
  timedNonce(now: number): string {
    const bytes = this.#world.random(new Uint8Array(16));
    // The last 48 bits of the time, in big-endian order.
    for (let at = 5, rest = now; at >= 0; at--) {
      bytes[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return makeNonce(bytes);
  }

  salt(): Uint8Array {
    return this.bytes(16);
  }

  /** So many random bytes. */
  bytes(count: number): Uint8Array {
    return this.#world.random(new Uint8Array(count));
  }
}
