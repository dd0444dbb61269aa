// What `agent.gate` takes and gives: a call that an agent is about to make, and whether it may.
import type { Answer, GrantUse, Json, SeenCall, Ticket } from "@hap/protocol";
import type { AskInput } from "../agent-client.ts";
import type { Outcome } from "../outcome.ts";
import type { PolicyDecision } from "../types.ts";

/** A call of a tool, before it is made. */
export type GateCall = {
  /** With agent and project, what makes two calls the same (D17): never put a session or call id in here. */
  tool: string;
  input: Json;
  project: string | null;
  /** Files that the call names, by their bytes: a file that changed makes it another call. */
  files?: Record<string, string>;
  /** Looks at the same files again once a person has approved; a yes to other bytes is not used. */
  filesNow?: () => Record<string, string>;
  /** What the person sees. The summary is trimmed to one line. A question (`ask`) skips the policy, which is about actions. */
  ticket: Omit<AskInput, "id" | "project">;
  /** What the caller's own disk shows of the call, which the engine cannot see; it only narrows what a grant opens (D43). */
  seen?: Pick<SeenCall, "effects" | "paths" | "trusted">;
  /** What the model says about its call: a note on the ticket, not part of it. */
  said?: string | null;
};

/** How a caller differs from the others; the rules are the same for all. */
export type GateOptions = {
  /** Give up waiting after this long; the ticket stays open, and the same call finds it again. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** When the signal aborts, cancel the ticket that this call opened, with this reason. Without it the ticket stays open. */
  withdraw?: string;
  /** Ask a person even if a rule allows the call. */
  always?: boolean;
  /** Whether a person is asked where no rule answers. Default: yes. */
  asks?: (found: PolicyDecision["found"]) => boolean;
  /** Whether the caller can make the call with a person's edits. Default: no; the call is refused, and the words name the edits. */
  takesEdits?: (edits: Record<string, unknown>) => boolean;
  /** True to leave a yes unused, for a caller that checks again and consumes it when it runs the call. */
  leavesUnused?: (edits: Record<string, unknown> | null) => boolean;
  /** The same call passes again this long after its yes was used: for hosts that ask twice about one call. */
  repeatsYesMs?: number;
  /** Called with the ticket before waiting for it. */
  onTicket?: (ticket: Ticket) => void;
  now?: () => number;
};

/** What opened the gate: a rule, nothing that asks, a grant, a person, or a timer that a rule lets count. */
export type OpenedBy = "rule" | "default" | "grant" | "person" | "timer";

/** Why it stayed closed: a rule, how the ticket ended, or what became of the yes. */
export type ClosedBy =
  | "denied"
  | "rejected"
  | "changes_requested"
  | "expired"
  | "canceled"
  | "approved_by_timer"
  /** Nobody has decided yet. */
  | "open"
  /** Approved, with edits that the caller cannot apply. */
  | "approved_with_edits"
  /** Approved, but the files that it names have changed since. */
  | "stale"
  /** Approved, but another process has used the yes. */
  | "used"
  /** Answered, and the answer was erased. */
  | "erased";

/** The answer. `words` are for the model: whole sentences, the person's own verbatim. */
export type Gated = {
  words: string;
  /** The call's hash (D17). */
  identity: string;
  /** Risk, tier and effects; null for a question. */
  found: PolicyDecision["found"] | null;
} & (
  | {
      open: true;
      by: OpenedBy;
      ticket: Ticket | null;
      edits: Record<string, unknown> | null;
      answer: Answer | null;
      /** The grant that opened it. */
      grant?: GrantUse;
    }
  | { open: false; status: ClosedBy; ticket: Ticket | null; outcome: Outcome | null }
);
