// The examples of the draft's section 11, with well-formed hashes and nonces and with the diff itself (a hash alone would
// make an opaque, critical ticket).
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { exampleDiff } from "./example-diff.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const nonce = () => `n_${randomBytes(16).toString("hex")}`;
const advanceTime = (ms: number) => world.advance(ms);

/** The draft's `signIntent`, in the fields of its section 3.4. */
function signIntent(given: { ticketId: string; artifactHash?: string; nonce?: string; expiresAt?: Date }) {
  return {
    ticket_id: given.ticketId,
    from: "human:alex",
    decision: "approve",
    artifact_hash: given.artifactHash ?? engine.getTicket(given.ticketId).artifact.diff_hash,
    expires_at: (given.expiresAt ?? new Date(world.now() + 60_000)).toISOString(),
    nonce: given.nonce ?? nonce(),
    signature: null,
  };
}

describe("11.1 Ticket FSM", () => {
  it("[ENGINE-EXAMPLES-1, TICKET-STATE-2] should transition from PENDING to DELIVERED", () => {
    const ticket = engine.createTicket({ to: "human:alex" });
    expect(ticket.state).toBe("PENDING");

    engine.deliverTicket(ticket.id);
    expect(engine.getTicket(ticket.id).state).toBe("DELIVERED");
  });

  it("[ENGINE-EXAMPLES-1, LEASE-VIEW-1] should pause lease timer on ACK", () => {
    const ticket = engine.createTicket({ lease: { ttl_seconds: 60 } });
    engine.deliverTicket(ticket.id);

    advanceTime(30000);

    engine.ackTicket(ticket.id);
    expect(engine.getTicket(ticket.id).lease.remaining_seconds).toBe(30);

    advanceTime(30000);
    expect(engine.getTicket(ticket.id).lease.remaining_seconds).toBe(30);
  });

  it("[ENGINE-EXAMPLES-1, TIMEOUT-ACTION-1] should auto-reject on timeout", () => {
    const ticket = engine.createTicket({ lease: { ttl_seconds: 10, on_timeout: "auto_reject" } });
    engine.deliverTicket(ticket.id);

    advanceTime(11000);

    expect(engine.getTicket(ticket.id).state).toBe("EXPIRED");
  });
});

describe("11.2 Approval Flow", () => {
  it("[ENGINE-EXAMPLES-1, INPUT-FORMS-1] should complete full agent->human->agent cycle", async () => {
    const agent = store.open({ world });
    const ticket = agent.createTicket({
      to: "human:alex",
      intent: { kind: "modify_file", details: { file: "src/auth/middleware.ts", diff: exampleDiff } },
      lease: { ttl_seconds: 60, on_timeout: "auto_reject" },
    });
    const flat = agent.createTicket({ to: "human:alex", kind: "modify_file", file: "src/auth/middleware.ts", diff: exampleDiff });
    expect(flat.intent).toEqual(ticket.intent);
    expect(flat.artifact).toEqual(ticket.artifact);
    const waiting = agent.waitFor(ticket.id);

    engine.submitIntent(signIntent({ ticketId: ticket.id, artifactHash: ticket.artifact.diff_hash }));

    expect((await waiting).state).toBe("APPROVED");
    expect(agent.getTicket(ticket.id).state).toBe("APPROVED");
  });
});

describe("11.3 Intent Verification", () => {
  const open = () => engine.createTicket({ to: "human:alex", diff: exampleDiff, file: "src/auth/middleware.ts" });

  it("[ENGINE-EXAMPLES-1, INTENT-ARTIFACT-1] should reject intent with wrong artifact hash", () => {
    const intent = signIntent({ ticketId: open().id, artifactHash: `sha256:${"f".repeat(64)}` });
    expect(() => engine.submitIntent(intent)).toThrow(/^Artifact hash mismatch/);
  });

  it("[ENGINE-EXAMPLES-1, INTENT-NONCE-1] should reject replayed nonce", () => {
    const intent = signIntent({ ticketId: open().id, nonce: nonce() });
    expect(engine.submitIntent(intent).state).toBe("APPROVED");
    expect(() => engine.submitIntent(intent)).toThrow(/^Nonce already used/);
    expect(() => engine.submitIntent({ ...intent, ticket_id: open().id })).toThrow(/^Nonce already used/);
  });

  it("[ENGINE-EXAMPLES-1, INTENT-EXPIRY-1] should reject expired intent", () => {
    const intent = signIntent({ ticketId: open().id, expiresAt: new Date(world.now() - 1000) });
    expect(() => engine.submitIntent(intent)).toThrow(/^Intent expired/);
  });
});

describe("11.4 Load Testing", () => {
  it("[ENGINE-EXAMPLES-1] should handle 100 concurrent tickets", async () => {
    const tickets = await Promise.all(
      Array.from({ length: 100 }, () => engine.later(() => engine.createTicket({ to: "human:alex" }))),
    );
    expect(tickets).toHaveLength(100);
    for (const ticket of tickets) expect(ticket.state).toBe("PENDING");
  });

  it("[ENGINE-EXAMPLES-1, VERIFY-WORDS-1] should maintain event log integrity under load", () => {
    for (let i = 0; i < 1000; i++) engine.createTicket({ to: "human:alex", summary: `Ticket ${i}` });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true, events: 1002, anchor: null });
  });
});
