// The shapes that both clients share. They name no database: a server's transport returns the same.
import type { AnyStatement, CredentialKind, NewCredential, Signature, Ticket, TicketState, Tier, Verdict } from "@hap/protocol";

export type { DeadLetter, EraseResult, KeyView, NewWebhook, Verdict, VerifyReport, WebhookView } from "@hap/protocol";

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
export type TicketPage = {
  tickets: Ticket[];
  next: string | null;
  /** Why tickets that are shown here could not be delivered: the disk is full. */
  undelivered?: string;
};

/** How a list is narrowed. */
export type TicketQuery = {
  to?: string;
  from?: string;
  state?: TicketState | "open" | TicketState[];
  kind?: string;
  project?: string;
  session?: string;
  tier?: Tier;
  /** Words that it holds, each somewhere, in any letter case. A page may then be short, or empty, before the end. */
  text?: string;
  /** At least this risk, and less than that. */
  risk_min?: number;
  risk_below?: number;
  created_after?: string;
  created_before?: string;
  cursor?: string;
  limit?: number;
};

/** How long to wait. `renew` keeps the lease alive while this process waits (D15). */
export type WaitOptions = { timeoutMs?: number; signal?: AbortSignal; renew?: boolean };

/** A rule's answer to an agent's own action, and how that is classed with the user's risk table. */
export type PolicyDecision = Verdict & { found: { risk: number; tier: Tier; effects: string[] } };

/** A rule's answer, and what the runtime found about the action. */
export type PolicyCheck = {
  verdict: Verdict;
  ticket: { risk: number; tier: Tier; effects: string[]; factors: { scope: number; environment: number; confidence: number } };
};

/** What a yes needs: the least level by signature, or null where none is, and whether to type the phrase. */
export type Needed = { signature: "key" | "passkey" | null; confirmed: boolean };

/** What is to be signed: for WebAuthn `challenge`, the SHA-256 of the statement in base64url; for SSH the statement's text. */
export type Signable<T extends AnyStatement> = { statement: T; challenge: string; expires_at: string };

/** A key to be made: for a passkey also its RP id and the origin of the page. */
export type NewEnrolment = { kind: CredentialKind; label?: string | null; rp_id?: string; origin?: string };

/** A key that was made, and what vouches for it. */
export type EnrolInput = { nonce: string; credential: NewCredential; code?: string; assertion?: Signature };

/** A key to be made. */
export type NewKey = { agent: string; scopes?: readonly string[]; expires_in_seconds?: number };

/** A person of the directory, and the accounts that mean them. */
export type PersonView = {
  person: string;
  role: "owner" | "approver" | "auditor" | null;
  since: string;
  subjects: { issuer: string; subject: string }[];
};
