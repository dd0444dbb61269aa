// What a policy answers (D5): to an action, and as a trial to tickets that are past.
import type { TimeoutAction } from "./constants.ts";
import type { QuorumRule } from "./quorum/policy-quorum.ts";

/** The answer, and the rule and file that gave it. `rule: null` means that no rule matched. */
export type Verdict = {
  verdict: "allow" | "ask" | "deny";
  rule: string | null;
  file: string | null;
  file_hash: string | null;
  why: string;
  to: string | null;
  lease: { ttl_seconds?: number | undefined; on_timeout?: TimeoutAction | undefined };
  record: boolean;
  timer_yes: boolean;
  /** How many people must say yes; null where one is enough. Only a confirmed policy demands it (D45). */
  quorum: QuorumRule | null;
};

/** What a proposed policy would have said to the newest tickets. */
export type PolicyPreview = {
  hash: string;
  tickets: {
    id: string;
    summary: string;
    from: string;
    kind: string;
    created_at: string;
    /** How it really ended; null while it is open. */
    outcome: string | null;
    by: string | null;
    verdict: Verdict["verdict"];
    rule: string | null;
    why: string;
  }[];
};

/** An action and what a policy must say to it. What `expect` leaves out may be anything. */
export type PolicyCase = {
  name: string;
  input: Record<string, unknown>;
  expect: {
    verdict: Verdict["verdict"];
    rule?: string | null | undefined;
    to?: string | null | undefined;
    need?: number | undefined;
  };
};

/** What it said. */
export type PolicyCaseResult = {
  name: string;
  ok: boolean;
  expected: PolicyCase["expect"];
  verdict: Verdict["verdict"];
  rule: string | null;
  to: string | null;
  /** How many people must say yes. */
  need: number;
  why: string;
};

/** A policy that was confirmed. `text_kept` is false once its text was erased with a person whom it named. */
export type PolicyVersion = { hash: string; by: string; at: string; in_force: boolean; text_kept: boolean };
