// A small log with every event type in it, made as a runtime makes one: for the chain's vectors and for trying the schemas.
import { type ChainEvent, canonicalJson, eventHash, GENESIS_HASH, makeEventId, makeId, type NewEvent } from "@hap/protocol";
import { storyOfGrants } from "./sample-grants.ts";
import {
  act,
  agent,
  alex,
  fixed,
  hash,
  ids,
  json,
  local,
  nothing,
  runtime,
  sam,
  start,
  text,
  ticket,
  time,
  vote,
} from "./sample-parts.ts";
import { storyOfQuorum } from "./sample-quorum.ts";
import { sha256 } from "./vector.ts";

/** The events in order, each with the second at which it is written; `hashes` are those of the events before. */
type Story = [number, (hashes: readonly string[], eventIds: readonly string[]) => NewEvent][];

function story(): Story {
  const [first, second, third] = ids;
  const open = { ticket_id: first };
  return [
    [0, () => ({ type: "log.genesis", runtime, format: 1, protocol_version: "0.2", epoch: 1 })],
    [1, () => ({ type: "policy.trust", from: alex, file_hash: hash("policy"), confirmed: true, trust: "open" })],
    [
      2,
      () => ({
        type: "policy.decision",
        from: agent,
        call_hash: hash("call"),
        verdict: "ask",
        rule: "ask-before-deploy",
        file_hash: hash("policy"),
      }),
    ],
    [5, () => ({ type: "ticket.create", ticket: ticket(first, 5) })],
    [
      10,
      () => ({
        type: "ticket.state_change",
        ...open,
        from_state: "PENDING",
        to_state: "DELIVERED",
        delivered_to: alex,
        metadata: { reason: "delivered", at: time(10) },
      }),
    ],
    [20, () => ({ type: "ticket.ack", ...open, from: alex, note: text("Reviewing now..."), ack_ttl_seconds: 600 })],
    [
      625,
      () => ({
        type: "ticket.state_change",
        ...open,
        from_state: "ACKED",
        to_state: "DELIVERED",
        delivered_to: alex,
        metadata: { reason: "ack_lapsed", at: time(620) },
      }),
    ],
    [700, () => ({ type: "ticket.extend", ...open, by: "waiter", from: agent, seconds: 12.5 })],
    [800, () => ({ type: "ticket.snooze", ...open, from: alex, seconds: 60, until: time(860) })],
    [900, () => ({ type: "ticket.note", ...open, from: agent, note: text("Tests pass now.") })],
    [1000, () => ({ type: "ticket.reassign", ...open, from_state: "DELIVERED", from: alex, to: sam })],
    [4600, () => ({ type: "ticket.escalate", ...open, from_state: "PENDING", from: sam, to: alex, depth: 1 })],
    [
      4700,
      () => ({
        type: "intent.invalid",
        ...open,
        from: sam,
        decision: "approve",
        nonce: null,
        code: "not_addressee",
        reason: "The ticket is addressed to somebody else",
      }),
    ],
    [
      4800,
      () => ({
        type: "ticket.state_change",
        ...open,
        from_state: "PENDING",
        to_state: "DELIVERED",
        delivered_to: alex,
        metadata: { reason: "delivered", at: time(4800) },
      }),
    ],
    [
      4810,
      (hashes) => ({
        type: "intent.sign",
        intent: vote(first, `sha256:${hashes[3]}`, 4810),
        ...local,
        authority: "addressee",
        unproven: true,
      }),
    ],
    [
      4810,
      (_, eventIds) => ({
        type: "ticket.resolve",
        ...open,
        from_state: "DELIVERED",
        to_state: "APPROVED",
        resolution: {
          outcome: "approved",
          actor: { kind: "human", id: alex },
          ...local,
          at: time(4810),
          ...nothing,
          comment: text("LGTM ✓"),
        },
        because: eventIds[14] as string,
      }),
    ],
    [4811, () => ({ type: "ticket.heard", ...open, by: agent })],
    [4812, () => ({ type: "ticket.consume", ...open, call_hash: hash("call"), by: agent })],
    [
      5000,
      () => ({
        type: "ticket.create",
        ticket: ticket(second, 5000, { lease: { ttl_seconds: 60, on_timeout: "auto_reject", escalate: null } }),
      }),
    ],
    [
      5060,
      () => ({
        type: "ticket.timeout",
        ticket_id: second,
        action_taken: "auto_reject",
        reason: "Lease expired after 60 seconds",
        deadline_at: time(5060),
        late: false,
      }),
    ],
    [
      5060,
      (_, eventIds) => ({
        type: "ticket.resolve",
        ticket_id: second,
        from_state: "PENDING",
        to_state: "EXPIRED",
        resolution: {
          outcome: "rejected",
          actor: { kind: "timer", id: "system:timeout" },
          assurance: "none",
          confirmed: false,
          trust: "open",
          at: time(5060),
          ...nothing,
        },
        because: eventIds[19] as string,
      }),
    ],
    [
      5100,
      () => ({ type: "ticket.create", ticket: ticket(third, 5100, { ask_type: "confirm", ask: json({ type: "confirm" }) }) }),
    ],
    [
      5110,
      () => ({
        type: "ticket.cancel",
        ticket_id: third,
        from_state: "PENDING",
        from: agent,
        actor: { kind: "agent", id: agent },
        trust: "open",
        reason: text("No longer needed"),
      }),
    ],
    [
      5120,
      () => ({
        type: "agent.join",
        agent: "agent:tobarilu",
        agent_runtime: "claude_code",
        project: makeId("prj_", fixed(9)),
        terminal: text("zsh"),
        label: null,
      }),
    ],
    [
      5130,
      () => ({
        type: "message.queue",
        message_id: makeId("msg_", fixed(11)),
        agent: "agent:tobarilu",
        from: alex,
        text: text("Then run the tests"),
        attachments: [{ about: json({ name: "shot.png" }), parts: [text("AAEC")] }],
      }),
    ],
    [5140, () => ({ type: "message.take", agent: "agent:tobarilu", messages: [makeId("msg_", fixed(11))], taken_by: null })],
    [5200, () => ({ type: "agent.seen", agent: "agent:tobarilu" })],
    [5200, () => ({ type: "agent.leave", agent: "agent:tobarilu" })],
    [
      5200,
      () => ({
        type: "credential.enrol",
        from: alex,
        credential: {
          id: "Y3JlZGVudGlhbA",
          kind: "passkey",
          algorithm: "EdDSA",
          public_key: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE",
          rp_id: "hap.localhost",
          origins: ["http://hap.localhost:8787"],
          transports: ["internal"],
          user_verification: true,
          sign_count: 0,
          label: text("My laptop"),
        },
        ...act(5190),
        proof: "code",
        assertion: null,
        trust: "open",
      }),
    ],
    [
      5200,
      () => ({
        type: "credential.revoke",
        from: alex,
        credential_id: "Y3JlZGVudGlhbA",
        ...act(5200),
        assertion: null,
        trust: "open",
      }),
    ],
    [
      5200,
      () => ({
        type: "key.create",
        key_id: makeId("key_", fixed(12)),
        agent: "agent:ci",
        scopes: ["create", "read_own"],
        key_hash: `sha256:${"5a".repeat(32)}`,
        from: alex,
        expires_at: time(9000),
        replaces: null,
        trust: "open",
      }),
    ],
    [5200, () => ({ type: "key.revoke", key_id: makeId("key_", fixed(12)), from: alex, trust: "open" })],
    [
      5200,
      () => ({
        type: "webhook.create",
        webhook_id: makeId("whk_", fixed(13)),
        from: alex,
        url: text("https://chat.example.org/hooks/hap"),
        events: ["ticket.create", "ticket.resolve"],
        filter: { person: null, agent: "agent:ci", kind: null, tier: "critical" },
        trust: "open",
      }),
    ],
    [5200, () => ({ type: "webhook.remove", webhook_id: makeId("whk_", fixed(13)), from: alex, trust: "open" })],
    [
      5200,
      () => ({ type: "content.erased", from: alex, digests: [text("LGTM ✓").slice(5)], reason: text("A secret was in it") }),
    ],
    [9000, (hashes) => ({ type: "log.epoch", reason: "restore", previous_head: hashes.at(-1) as string, epoch: 2 })],
  ];
}

/** The types by which the log names people (D35), in a log of their own: the one above stays as it is, byte for byte. */
function storyOfNames(): Story {
  const session_hash = hash("a session's secret");
  const project = makeId("prj_", fixed(9));
  return [
    [0, () => ({ type: "log.genesis", runtime, format: 1, protocol_version: "0.2", epoch: 1 })],
    [1, () => ({ type: "policy.trust", from: alex, file_hash: hash("policy"), confirmed: true, trust: "open" })],
    [2, () => ({ type: "log.imported", events: 2 })],
    [2, () => ({ type: "directory.add", handle: alex, name: text("human:alex"), since: time(1) })],
    [2, () => ({ type: "role.set", person: alex, role: "owner", file_hash: hash("policy") })],
    [3, () => ({ type: "directory.add", handle: sam, name: text("human:sam"), since: time(3) })],
    [3, () => ({ type: "directory.add", handle: project, name: text("/srv/app"), since: time(3) })],
    [
      4,
      () => ({
        type: "account.link",
        person: sam,
        account: json({ issuer: "https://id.example.org", subject: "42" }),
        since: time(4),
        from: alex,
        trust: "remote",
      }),
    ],
    [5, () => ({ type: "session.begin", session_hash, person: sam, kind: "cookie", how: "oidc", began_at: time(5) })],
    [6, () => ({ type: "agent.own", agent: "agent:codex_1", owner: "agent:ci" })],
    [7, () => ({ type: "request.keep", digest: hash("a request"), kept_at: time(7) })],
    [8, () => ({ type: "clock.anchor", ticket: ids[0], wall_at: time(8), uptime_ms: 86_400_000 })],
    [9, () => ({ type: "session.end", session_hash, person: sam, reason: "unlinked" })],
    [9, (_, events) => ({ type: "account.unlink", person: sam, link: events[7] as string, from: alex, trust: "remote" })],
    [10, () => ({ type: "role.set", person: alex, role: null, file_hash: hash("policy") })],
    [11, () => ({ type: "content.erased", from: alex, digests: [text("human:sam").slice(5)], reason: null })],
    [12, () => ({ type: "agent.label", agent: "agent:tobarilu", from: alex, name: text("Parser"), group: text("Compiler") })],
    [
      13,
      () => ({
        type: "message.arrange",
        agent: "agent:tobarilu",
        from: alex,
        messages: [makeId("msg_", fixed(12)), makeId("msg_", fixed(11))],
        withdrawn: [makeId("msg_", fixed(13))],
      }),
    ],
  ];
}

/** A person who was deleted, in a log of their own for the same reason. */
function storyOfDeletion(): Story {
  return [
    [0, () => ({ type: "log.genesis", runtime, format: 1, protocol_version: "0.2", epoch: 1 })],
    [1, () => ({ type: "directory.add", handle: alex, name: text("human:alex"), since: time(1) })],
    [2, () => ({ type: "content.erased", from: alex, digests: [text("human:alex").slice(5)], reason: null })],
    [2, () => ({ type: "person.erased", person: alex, from: alex, trust: "apart" })],
  ];
}

/** The log as an export has it. */
export function sampleLog(): ChainEvent[] {
  return tell(story());
}

/** The log that names people. */
export function sampleNames(): ChainEvent[] {
  return tell(storyOfNames());
}

/** The log of which a person was deleted. */
export function sampleDeletion(): ChainEvent[] {
  return tell(storyOfDeletion());
}

/** The log with grants in it. */
export function sampleGrants(): ChainEvent[] {
  return tell(storyOfGrants());
}

/** The log in which several people approve. */
export function sampleQuorum(): ChainEvent[] {
  return tell(storyOfQuorum());
}

function tell(story: Story): ChainEvent[] {
  const log: ChainEvent[] = [];
  for (const [index, [seconds, make]] of story.entries()) {
    const seq = index + 1;
    const id = makeEventId(start + seconds * 1000, fixed(seq));
    const ts = time(seconds);
    const event = make(
      log.map((one) => one.hash),
      log.map((one) => one.id),
    );
    const payload = { id, ts, space: "default", seq, v: 1, ...event } as unknown as ChainEvent["payload"];
    const prev_hash = log.at(-1)?.hash ?? GENESIS_HASH;
    log.push({ seq, id, type: event.type, ts, payload, prev_hash, hash: eventHash(prev_hash, canonicalJson(payload), sha256) });
  }
  return log;
}
