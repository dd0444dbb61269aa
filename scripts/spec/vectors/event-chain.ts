// The hash chain (D18, D20): a log with every event type, and what tampering does to it.
import { type ChainEvent, canonicalJson, eventHash, GENESIS_HASH, type Json, verifyChain } from "@hap/protocol";
import { sampleDeletion, sampleGrants, sampleLog, sampleNames, sampleQuorum } from "../sample-log.ts";
import { type Case, invalid, type Suite, sha256, valid } from "../vector.ts";

const whole = sampleLog();
const [a, b, c, d] = whole as [ChainEvent, ChainEvent, ChainEvent, ChainEvent];
const log = (events: readonly ChainEvent[]): Json => ({ events }) as unknown as Json;
const changed = (comment: string, events: ChainEvent[], ...flags: string[]): Case => invalid(comment, log(events), ...flags);
const payload = (event: ChainEvent, change: Record<string, Json | undefined>): ChainEvent => ({
  ...event,
  payload: { ...event.payload, ...change },
});

/** Hash what somebody rewrote, so that only the part after it tells. */
function rehash(event: ChainEvent, prev: string): ChainEvent {
  return { ...event, prev_hash: prev, hash: eventHash(prev, canonicalJson(event.payload), sha256) };
}

const names = sampleNames();
const deletion = sampleDeletion();
const granted = sampleGrants();
const several = sampleQuorum();
const stranger = `human:${"0".repeat(26)}`;
/** The log up to the event of a type, with that event changed. */
function upTo(type: string, change: Record<string, Json>): ChainEvent[] {
  const at = names.findIndex((event) => event.type === type);
  return [...names.slice(0, at), payload(names[at] as ChainEvent, change)];
}
const changeName = () => upTo("directory.add", { name: `text:sha256:${"0".repeat(64)}` });
const changeRole = () => upTo("role.set", { person: `human:${"0".repeat(26)}` });

const forged = rehash(payload(b, { confirmed: false }), a.hash);

export const eventChain: Suite = {
  name: "event-chain",
  description:
    "input.events is a log from its first event on, as `hap events --json` exports it. The hash of each is sha256 of prev_hash, `||` and the payload's canonical JSON; the first prev_hash is 64 zeros. The output has the number of events and the head.",
  flags: {
    Types: "every event type",
    Payload: "a payload was changed",
    Link: "a link was changed",
    Order: "events removed, repeated or swapped",
    Beside: "what stands beside a payload is not what it says",
    Rewritten: "hashed again after a change",
    Names: "events that say who somebody is",
    Deletion: "a person who was deleted",
    Grants: "grants, their uses and their ends",
    Quorum: "votes of several people, and groups",
  },
  cases: [
    valid("a log with every event type", log(whole), "Types"),
    valid("a log of one event", log([a]), "Types"),
    valid("no event at all", log([]), "Types"),
    changed("a payload changed", [a, payload(b, { confirmed: false }), c], "Payload"),
    changed(
      "a number changed in its last place",
      whole.slice(0, 3).concat(payload(d, { ticket: { ...(d.payload.ticket as object), risk: 0.1401 } as Json })),
      "Payload",
    ),
    changed("a text changed from é to e", [a, payload(b, { from: "human:é" }), c], "Payload"),
    changed("a field added", [a, payload(b, { more: 1 }), c], "Payload"),
    changed("a field removed", [a, payload(b, { confirmed: undefined }), c], "Payload"),
    changed("null for a missing field", [payload(a, { extra: null }), b], "Payload"),
    changed("a payload and its hash changed, not the link after it", [a, forged, c], "Payload", "Rewritten"),
    changed("a hash changed", [{ ...a, hash: "0".repeat(64) }], "Link"),
    changed("a hash in upper case", [{ ...a, hash: a.hash.toUpperCase() }], "Link"),
    changed("a hash with its algorithm", [{ ...a, hash: `sha256:${a.hash}` }], "Link"),
    changed("a link changed", [a, { ...b, prev_hash: c.hash }, c], "Link"),
    changed("a first link that is not zeros", [rehash(a, "1".repeat(64)), rehash(b, a.hash)], "Link", "Rewritten"),
    changed("an empty first link", [rehash(a, "")], "Link", "Rewritten"),
    changed(
      "an event hashed over another separator",
      [{ ...a, hash: sha256(`${GENESIS_HASH}|${canonicalJson(a.payload)}`) }],
      "Link",
    ),
    changed("an event hashed without its predecessor", [{ ...a, hash: sha256(canonicalJson(a.payload)) }], "Link"),
    changed(
      "an event hashed over pretty JSON",
      [{ ...a, hash: sha256(`${GENESIS_HASH}||${JSON.stringify(a.payload, null, 1)}`) }],
      "Link",
    ),
    changed("an event in the middle removed", [a, c, d], "Order"),
    changed("the first event removed", [b, c, d], "Order"),
    changed("an event removed and the next one renumbered", [a, { ...c, seq: 2 }, d], "Order", "Beside"),
    changed("an event removed and the rest linked again", [a, rehash(c, a.hash)], "Order", "Rewritten"),
    changed("two events swapped", [a, c, b, d], "Order"),
    changed("two events swapped and linked again", [a, rehash(c, a.hash), rehash(b, c.hash)], "Order", "Rewritten"),
    changed("an event repeated", [a, b, b], "Order"),
    changed("an event put in between", [a, rehash({ ...b, seq: 2 }, a.hash), { ...b, seq: 3 }], "Order"),
    changed("another seq beside the payload", [a, { ...b, seq: 5 }], "Beside"),
    changed("another id beside the payload", [a, { ...b, id: c.id }], "Beside"),
    changed("another type beside the payload", [a, { ...b, type: "policy.decision" }], "Beside"),
    changed("another time beside the payload", [{ ...a, ts: "2026-01-31T10:00:00Z" }], "Beside"),
    changed(
      "a payload that says another seq, hashed again",
      [rehash(payload(a, { seq: 2 }), GENESIS_HASH)],
      "Beside",
      "Rewritten",
    ),
    changed(
      "a log that does not begin with log.genesis",
      [rehash({ ...b, seq: 1, payload: { ...b.payload, seq: 1 } }, GENESIS_HASH)],
      "Rewritten",
    ),
    valid("a log that names people, their accounts, roles and sign-ins", log(names), "Types", "Names"),
    changed("the digest of a name changed", changeName(), "Payload", "Names"),
    changed("a role given to somebody else", changeRole(), "Payload", "Names"),
    valid("a log of which a person was deleted", log(deletion), "Types", "Deletion"),
    changed(
      "a deletion by somebody else",
      [...deletion.slice(0, 3), payload(deletion[3] as ChainEvent, { from: stranger })],
      "Payload",
      "Deletion",
    ),
    changed(
      "a deletion of somebody else",
      [...deletion.slice(0, 3), payload(deletion[3] as ChainEvent, { person: stranger })],
      "Payload",
      "Deletion",
    ),
    valid("a log with grants", log(granted), "Types", "Grants"),
    changed("a grant that was widened", [...granted.slice(0, 3), payload(granted[3] as ChainEvent, { uses: 99 })], "Grants"),
    valid("a log with a quorum: events of version 2 beside those of version 1", log(several), "Types", "Quorum"),
    changed("a quorum that needs fewer", [...several.slice(0, 7), payload(several[7] as ChainEvent, { v: 1 })], "Quorum"),
    changed(
      "a vote from another seat",
      [...several.slice(0, 9), payload(several[9] as ChainEvent, { seat: "role:owner" })],
      "Quorum",
    ),
    changed("a member put into a group", [...several.slice(0, 6), payload(several[6] as ChainEvent, { members: [] })], "Quorum"),
    changed("a use for another call", [...granted.slice(0, 4), payload(granted[4] as ChainEvent, { use: 2 })], "Grants"),
  ],
  run: (input) => verifyChain((input as unknown as { events: ChainEvent[] }).events, sha256) as unknown as Json,
};
