// The people, tickets and moments that the sample log is made of.
import {
  canonicalJson,
  ID_BYTES,
  type Json,
  type LoggedTicket,
  makeId,
  makeNonce,
  refOf,
  type StoredIntent,
} from "@hap/protocol";
import { sha256 } from "./vector.ts";

export const start = Date.parse("2026-01-31T10:00:00Z");
export const fixed = (byte: number) => new Uint8Array(ID_BYTES).fill(byte);
export const time = (seconds: number) => new Date(start + seconds * 1000).toISOString();
export const hash = (text: string) => `sha256:${sha256(text)}`;
export const text = (words: string) => refOf("text", fixed(7).slice(1), words, sha256);
export const json = (value: Json) => refOf("json", fixed(8).slice(1), canonicalJson(value), sha256);

export const alex = makeId("human:", fixed(1));
export const sam = makeId("human:", fixed(2));
export const runtime = makeId("rt_", fixed(3));
export const ids = [4, 5, 6].map((byte) => makeId("tk_", fixed(byte))) as [string, string, string];
export const agent = "agent:code_assist";
export const local = { assurance: "local", confirmed: false, trust: "open" } as const;
export const nothing = { comment: null, answer: null, edits: null } as const;

export function ticket(id: string, seconds: number, change: Partial<LoggedTicket> = {}): LoggedTicket {
  return {
    id,
    from: agent,
    to: alex,
    intent: { kind: "modify_file", summary: text("Refactor"), details: json({ file: "src/é.ts" }), confidence: 0.9 },
    artifact: {
      type: "git_diff",
      body: "diff",
      opaque: false,
      diff_hash: hash("diff"),
      bytes_hash: hash("bytes"),
      environment: "dev",
      repo: text("github.com/acme/app"),
      base_commit: null,
    },
    ask_type: "approval",
    allow_edits: false,
    ask: null,
    lease: { ttl_seconds: 3600, on_timeout: "auto_reject", escalate: { to: [alex], max_depth: 3 } },
    risk: 0.14,
    risk_claimed: 0.00001,
    risk_factors: { scope: 0.1, environment: 0.2, confidence: 0.1 },
    tier: "routine",
    effects: ["write_inside"],
    classifier: "shell/1",
    policy_hash: null,
    priority: "normal",
    project: makeId("prj_", fixed(9)),
    session: null,
    created_at: time(seconds),
    ...change,
  };
}

export function vote(ticketId: string, ticketHash: string, seconds: number): StoredIntent {
  return {
    ticket_id: ticketId,
    ticket_hash: ticketHash,
    from: alex,
    decision: "approve",
    artifact_hash: hash("diff"),
    bytes_hash: hash("bytes"),
    presentation_hash: hash("presentation"),
    runtime,
    epoch: 1,
    nonce: makeNonce(fixed(10)),
    issued_at: time(seconds),
    expires_at: time(seconds + 300),
    signature: null,
    ...nothing,
    comment: text("LGTM ✓"),
  };
}

/** What the runtime fixes of a signed act. */
export const act = (seconds: number) => ({
  runtime,
  epoch: 1,
  nonce: makeNonce(fixed(12)),
  issued_at: time(seconds),
  expires_at: time(seconds + 300),
});
