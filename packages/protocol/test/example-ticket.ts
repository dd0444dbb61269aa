// A whole ticket as a 0.2 runtime shows it, for tests to change where they look.
import type { Ticket } from "../src/schema/ticket.ts";

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;

/** The draft's example, in its full form. */
export const exampleTicket: Ticket = {
  id: "tk_0123456789abcdefghjkmnpqrs",
  space: "default",
  from: "agent:code_assist",
  to: "human:alex",
  state: "PENDING",
  intent: {
    kind: "modify_file",
    summary: "Refactor authentication middleware",
    details: {
      file: "src/auth/middleware.ts",
      diff: "--- a/src/auth/middleware.ts\n+++ b/src/auth/middleware.ts\n@@ -1 +1,2 @@\n-a\n+b\n+c\n",
    },
    confidence: null,
  },
  artifact: {
    type: "git_diff",
    diff_hash: hash("1"),
    bytes_hash: hash("2"),
    body: "diff",
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
    deadline_at: "2026-01-31T11:01:05.000Z",
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
  classifier: "shell/1",
  policy_hash: null,
  priority: "normal",
  project: null,
  session: null,
  created_at: "2026-01-31T10:01:05.000Z",
  updated_at: "2026-01-31T10:01:05.000Z",
  delivered_at: null,
  resolution: null,
  consumed: null,
  heard_at: null,
  ticket_hash: hash("3"),
  cursor: "cur_x",
  seq: 2,
};
