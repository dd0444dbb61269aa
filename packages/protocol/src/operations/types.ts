// Inputs and outputs of operations that both clients name.
import type { Json } from "../canonical-json.ts";
import type { Role, TicketState, Tier } from "../constants.ts";
import type { CredentialKind, NewCredential } from "../credential.ts";
import type { GrantUse } from "../grant/grant.ts";
import type { Verdict } from "../policy-verdict.ts";
import type { LoggedEvent } from "../schema/events.ts";
import type { Signature, Ticket } from "../schema/ticket.ts";
import type { AnyStatement } from "../statement.ts";

/** How an agent introduces itself. */
export type JoinInput = {
  agent_runtime: string;
  project_dir?: string | null;
  agent_terminal?: string | null;
  label?: string | null;
  /** Continue as the last agent with this runtime, folder and label: if it has not left, or in any case. */
  resume?: "unfinished" | "last";
};

/** Filters agents by folder and runtime; `present` leaves out those that left. */
export type AgentQuery = { project?: string; agent_runtime?: string; present?: boolean; limit?: number };

/** What a person sends to an agent: text, files, or both. */
export type NewMessage = { text?: string; attachments?: readonly { name: string; media_type?: string; data: Uint8Array }[] };

/** What became of a broadcast for one agent. */
export type Sent = { agent: string; ticket_id: string | null; how: "answered" | "queued" };

/** Which grants: in force unless stated, of an agent, or those that nothing used for so many days. */
export type GrantQuery = { state?: "active" | "ended" | "all"; agent?: string; unused_days?: number };

/** A page of tickets, and the cursor of the next one or null. */
export type TicketPage = {
  tickets: Ticket[];
  next: string | null;
  /** Why tickets that are shown here could not be delivered: the disk is full. */
  undelivered?: string;
};

/** Filters a list of tickets. */
export type TicketQuery = {
  to?: string;
  from?: string;
  state?: TicketState | "open" | TicketState[];
  kind?: string;
  project?: string;
  session?: string;
  tier?: Tier;
  /** Words that the ticket contains, in any order and letter case. A page may then be short, or empty, before the end. */
  text?: string;
  /** At least this risk. */
  risk_min?: number;
  /** Less than this risk. */
  risk_below?: number;
  created_after?: string;
  created_before?: string;
  cursor?: string;
  limit?: number;
};

/** A rule's answer to an agent's own action, and how the action is classified with the user's risk table. */
export type PolicyDecision = Verdict & {
  found: { risk: number; tier: Tier; effects: string[] };
  /** The denial of a person that made it a deny. */
  grant: GrantUse | null;
};

/** A rule's answer, and how the runtime classifies the action. */
export type PolicyCheck = {
  verdict: Verdict;
  ticket: { risk: number; tier: Tier; effects: string[]; factors: { scope: number; environment: number; confidence: number } };
};

/** What a yes needs: the least level by signature, or null where none is needed, and whether to type the phrase. */
export type Needed = { signature: "key" | "passkey" | null; confirmed: boolean };

/** What is to be signed: for WebAuthn `challenge`, the SHA-256 of the statement in base64url; for SSH the statement's text. */
export type Signable<T extends AnyStatement> = { statement: T; challenge: string; expires_at: string };

/** A signing key to be made; a passkey also needs its RP id and the origin of the page. */
export type NewEnrolment = { kind: CredentialKind; label?: string | null; rp_id?: string; origin?: string };

/** A signing key that was made, and what vouches for it. */
export type EnrolInput = { nonce: string; credential: NewCredential; code?: string; assertion?: Signature };

/** An API key to be made. */
export type NewKey = { agent: string; scopes?: readonly string[]; expires_in_seconds?: number };

/** A person in the directory, and the accounts linked to them. */
export type PersonView = {
  person: string;
  role: Role | null;
  since: string;
  subjects: { issuer: string; subject: string }[];
};

/** Which events: after a cursor or an event's id, of a ticket, of an agent, at most so many. */
export type EventQuery = {
  after?: string | undefined;
  limit?: number | undefined;
  ticket?: string | undefined;
  agent?: string | undefined;
  resolved?: boolean | undefined;
};

/** A page of events, and the cursor to continue after. */
export type EventPage<T = LoggedEvent | Json> = { events: T[]; next: string | null };

/** Which tickets to count, and by what. */
export type CountQuery = Pick<TicketQuery, "to" | "from" | "state" | "kind" | "project" | "session" | "tier"> & {
  by?: "priority" | "from" | "project" | "session";
  awake?: boolean;
};
