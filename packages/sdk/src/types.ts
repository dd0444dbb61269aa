// The shapes that both clients share. They name no database: a server's transport returns the same.
import type { Ticket, TicketState, Tier, TimeoutAction } from "@hap/protocol";

/** How an agent introduces itself. */
export type JoinInput = {
  agent_runtime: string;
  project_dir?: string | null;
  agent_terminal?: string | null;
  label?: string | null;
  /** Go on as the last agent with this runtime, folder and label: if it has not left, or in any case. */
  resume?: "unfinished" | "last";
};

/** Which agents: in a folder, of a runtime, only those that have not left. */
export type AgentQuery = { project?: string; agent_runtime?: string; present?: boolean; limit?: number };

/** What a person leaves for an agent: words, files, or both. */
export type NewMessage = { text?: string; attachments?: readonly { name: string; media_type?: string; data: Uint8Array }[] };

/** What became of words for one agent of a group. */
export type Sent = { agent: string; ticket_id: string | null; how: "answered" | "queued" };

/** A page of tickets, and the cursor of the next one or null. */
export type TicketPage = { tickets: Ticket[]; next: string | null };

/** How a list is narrowed. */
export type TicketQuery = {
  to?: string;
  from?: string;
  state?: TicketState | "open" | TicketState[];
  kind?: string;
  project?: string;
  session?: string;
  tier?: Tier;
  created_after?: string;
  created_before?: string;
  cursor?: string;
  limit?: number;
};

/** How long to wait. `renew` keeps the lease alive while this process waits (D15). */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal; renew?: boolean };

/** A rule's answer. */
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
};

/** A rule's answer, and what the runtime found about the action. */
export type PolicyCheck = {
  verdict: Verdict;
  ticket: { risk: number; tier: Tier; effects: string[]; factors: { scope: number; environment: number; confidence: number } };
};

/** What verification found. */
export type VerifyReport = { events: number; head: string; chainOnly: boolean; anchor: string | null } & (
  | { ok: true }
  | { ok: false; violation: { seq: number; event_id: string | null; message: string } }
);

/** Which texts were erased. */
export type EraseResult = { ticket_id: string; erased: { field: string; digest: string }[] };
