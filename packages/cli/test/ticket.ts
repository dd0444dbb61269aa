// A ticket for tests of what is pure: the draft's example under a name of its own.
import type { Ticket } from "@hap/protocol";

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;

/** An open ticket for human:alex; its name is its summary, and makes its id. */
export function makeTicket(name: string, more: Partial<Ticket> = {}): Ticket {
  return {
    id: `tk_${Buffer.from(name).toString("hex").padEnd(26, "0").slice(0, 60)}`,
    space: "default",
    from: "agent:ci",
    to: "human:alex",
    state: "PENDING",
    intent: { kind: "modify_file", summary: name, details: { file: "src/a.ts" }, confidence: null },
    artifact: {
      type: "intent",
      diff_hash: hash("1"),
      bytes_hash: hash("2"),
      body: null,
      opaque: false,
      environment: null,
      repo: null,
      base_commit: null,
    },
    ask: { type: "approval", allow_edits: false },
    lease: {
      ttl_seconds: 3600,
      on_timeout: "auto_reject",
      escalate: null,
      remaining_seconds: 3600,
      deadline_at: "2026-01-01T01:00:00.000Z",
      paused: false,
      ack_lapses_at: null,
      snoozed_until: null,
      escalations: 0,
    },
    risk: 0.26,
    risk_claimed: null,
    risk_factors: { scope: 0.1, environment: 0.3, confidence: 0.5 },
    tier: "routine",
    effects: ["write_inside"],
    classifier: "hap/1",
    policy_hash: null,
    priority: "normal",
    project: "/srv/shop",
    session: null,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    delivered_at: null,
    resolution: null,
    consumed: null,
    heard_at: null,
    ticket_hash: hash("3"),
    cursor: "c",
    seq: 1,
    ...more,
  };
}
