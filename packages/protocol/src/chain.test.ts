import { describe, expect, test } from "vitest";
import { refusal } from "../test/refusal.ts";
import { sha256 } from "../test/sha256.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type ChainEvent, verifyChain } from "./chain.ts";
import { GENESIS_HASH } from "./constants.ts";
import { eventHash } from "./hash.ts";

/** A log of `count` events that links up. */
function makeLog(count: number, change: (payload: Record<string, string | number>) => void = () => {}): ChainEvent[] {
  const log: ChainEvent[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const prev_hash = log.at(-1)?.hash ?? GENESIS_HASH;
    const about = { seq, id: `evt_${seq}`, type: seq === 1 ? "log.genesis" : "ticket.note", ts: "2026-01-31T10:00:00.000Z" };
    const payload: Record<string, string | number> = { ...about, words: "é", small: 0.00001 };
    change(payload);
    log.push({ ...about, payload, prev_hash, hash: eventHash(prev_hash, canonicalJson(payload), sha256) });
  }
  return log;
}

test("[CHAIN-HASH-1] a log that links up verifies, and its head is the last hash", () => {
  const log = makeLog(3);
  expect(verifyChain(log, sha256)).toEqual({ events: 3, head: log[2]?.hash });
  expect(verifyChain([], sha256)).toEqual({ events: 0, head: GENESIS_HASH });
});

test("what JSON and back does to a payload changes nothing, nor does the order of its keys", () => {
  const turned = makeLog(3).map((event) => ({ ...event, payload: Object.fromEntries(Object.entries(event.payload).reverse()) }));
  expect(verifyChain(JSON.parse(JSON.stringify(turned)), sha256).events).toBe(3);
});

describe("a log that was changed does not verify", () => {
  const [a, b, c, d] = makeLog(4) as [ChainEvent, ChainEvent, ChainEvent, ChainEvent];
  test.each<[string, ChainEvent[], number, string]>([
    ["a payload changed", [a, { ...b, payload: { ...b.payload, words: "e" } }, c], 2, "hash mismatch"],
    ["a field added", [a, { ...b, payload: { ...b.payload, more: 1 } }, c], 2, "hash mismatch"],
    ["a hash changed", [{ ...a, hash: "0".repeat(64) }, b], 1, "hash mismatch"],
    ["a link changed", [a, { ...b, prev_hash: "0".repeat(64) }, c], 2, "prev_hash is not the hash of the event before it"],
    ["an event removed", [a, c, d], 2, "it has seq 3, expected 2"],
    ["an event removed and the rest renumbered", [a, { ...c, seq: 2 }], 2, "prev_hash is not the hash of the event before it"],
    ["the first event removed", [b, c], 1, "it has seq 2, expected 1"],
    ["two events swapped", [a, c, b], 2, "it has seq 3, expected 2"],
    ["an event twice", [a, b, b], 3, "it has seq 2, expected 3"],
    ["another seq beside it", [a, { ...b, seq: 5 }], 2, "it has seq 5, expected 2"],
    ["another id beside it", [a, { ...b, id: "evt_x" }], 2, "its id is not that of its payload"],
    ["another type beside it", [a, { ...b, type: "ticket.heard" }], 2, "its type is not that of its payload"],
    ["another time beside it", [{ ...a, ts: "2027-01-01T00:00:00.000Z" }], 1, "its ts is not that of its payload"],
  ])("%s", (_, log, seq, problem) => {
    const id = log[seq - 1]?.id;
    expect(refusal(() => verifyChain(log, sha256))).toEqual({
      code: "integrity_violation",
      message: `Integrity violation at event ${seq} (${id}): ${problem}.`,
    });
  });

  test("a log rewritten from its first event on begins with the wrong type", () => {
    const log = makeLog(1);
    const payload = { ...log[0]?.payload, type: "ticket.note" };
    const forged = [
      { ...(log[0] as ChainEvent), type: "ticket.note", payload, hash: eventHash(GENESIS_HASH, canonicalJson(payload), sha256) },
    ];
    expect(refusal(() => verifyChain(forged, sha256)).message).toBe(
      "Integrity violation at event 1 (evt_1): the log does not begin with log.genesis.",
    );
  });

  test("a payload whose seq differs is found although it hashes", () => {
    const log = makeLog(2, (payload) => {
      payload.seq = 7;
    });
    expect(refusal(() => verifyChain(log, sha256)).message).toContain("its seq is not that of its payload");
  });
});
