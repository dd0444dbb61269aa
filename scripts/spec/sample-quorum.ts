// A ticket that two people of a group approve, and one that goes to an owner because too few are left (D45): events of version 2.
import { makeId, makeNonce, type NewEvent } from "@hap/protocol";
import { alex, fixed, hash, ids, local, nothing, runtime, sam, text, ticket, time, vote } from "./sample-parts.ts";

/** The events in order, each with the second at which it is written. */
export function storyOfQuorum(): [number, (hashes: readonly string[], eventIds: readonly string[]) => NewEvent][] {
  const kim = makeId("human:", fixed(16));
  const [first, second] = ids;
  const file_hash = hash("policy");
  const quorum = {
    need: 2,
    not_alone: false,
    not_requester: true,
    of: ["group:platform-team"],
    order: "parallel" as const,
    rejections: 1,
    requester: alex,
  };
  const v2 = { v: 2 } as object;
  const person = (handle: string, name: string): [number, () => NewEvent] => [
    1,
    () => ({ type: "directory.add", handle, name: text(name), since: time(1) }),
  ];
  const says = (ticketId: string, ticketHash: string, from: string, byte: number, seconds: number): NewEvent => ({
    ...v2,
    type: "intent.sign",
    intent: { ...vote(ticketId, ticketHash, seconds), from, nonce: makeNonce(fixed(byte)) },
    ...local,
    authority: "member",
    unproven: true,
    seat: "group:platform-team",
    on_behalf_of: null,
  });
  return [
    [0, () => ({ type: "log.genesis", runtime, format: 1, protocol_version: "0.2", epoch: 1 })],
    person(alex, "human:alex"),
    person(sam, "human:sam"),
    person(kim, "human:kim"),
    [2, () => ({ type: "policy.trust", from: alex, file_hash, confirmed: true, trust: "open" })],
    [2, () => ({ type: "role.set", person: alex, role: "owner", file_hash })],
    [2, () => ({ type: "group.set", group: "platform-team", members: [sam, kim], file_hash })],
    [5, () => ({ ...v2, type: "ticket.create", ticket: ticket(first, 5, { to: sam, quorum }) })],
    [
      6,
      () => ({
        type: "ticket.state_change",
        ticket_id: first,
        from_state: "PENDING",
        to_state: "DELIVERED",
        delivered_to: sam,
        metadata: { reason: "delivered", at: time(6) },
      }),
    ],
    [7, (hashes) => says(first, `sha256:${hashes[7]}`, sam, 21, 7)],
    [9, (hashes) => says(first, `sha256:${hashes[7]}`, kim, 22, 9)],
    [
      9,
      (_, eventIds) => ({
        type: "ticket.resolve",
        ticket_id: first,
        from_state: "DELIVERED",
        to_state: "APPROVED",
        because: eventIds.at(-1) as string,
        resolution: { outcome: "approved", actor: { kind: "human", id: kim }, ...local, at: time(9), ...nothing },
      }),
    ],
    [20, () => ({ ...v2, type: "ticket.create", ticket: ticket(second, 20, { to: sam, quorum }) })],
    [30, () => ({ type: "policy.trust", from: alex, file_hash: hash("smaller"), confirmed: true, trust: "open" })],
    [30, () => ({ type: "group.set", group: "platform-team", members: [kim], file_hash: hash("smaller") })],
    [
      30,
      () => ({
        ...v2,
        type: "ticket.escalate",
        ticket_id: second,
        from_state: "PENDING",
        from: sam,
        to: alex,
        depth: 0,
        why: "quorum_short",
      }),
    ],
  ];
}
