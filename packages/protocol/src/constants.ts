// The words and numbers of the protocol, version 0.2: every enumeration and limit in one place (D6, D13).

/** The protocol version that this package speaks: a superset of the 0.1 draft. */
export const PROTOCOL_VERSION = "0.2";
/** The version of the event log's format, written into `log.genesis`. */
export const LOG_FORMAT = 1;
/** The version that `v` of an event carries (D22), unless its type is in the table below. */
export const EVENT_VERSION = 1;
/**
 * The newest version of each type that has more than one. An event carries the lowest version that can say it: a ticket without a
 * quorum, and a vote on it, are written as version 1 (D45).
 */
export const EVENT_VERSIONS: Readonly<Record<string, number>> = { "ticket.create": 2, "intent.sign": 2, "ticket.escalate": 2 };
/** The version of the rows that `fold` makes; other rows are rebuilt by replay (D22). */
export const FOLD_VERSION = 1;
/** The only space until there are more (D18). */
export const DEFAULT_SPACE = "default";
/** `prev_hash` of the first event. */
export const GENESIS_HASH = "0".repeat(64);

/** Every state of a ticket (D6). */
export const TICKET_STATES = [
  "PENDING",
  "DELIVERED",
  "ACKED",
  "APPROVED",
  "REJECTED",
  "CHANGES_REQUESTED",
  "ANSWERED",
  "EXPIRED",
  "CANCELED",
] as const;
export type TicketState = (typeof TICKET_STATES)[number];

/** The states in which a ticket still waits for somebody. */
export const OPEN_STATES = ["PENDING", "DELIVERED", "ACKED"] as const satisfies readonly TicketState[];
export type OpenState = (typeof OPEN_STATES)[number];

/** True while a ticket waits for somebody. */
export function isOpen(state: TicketState): state is OpenState {
  return (OPEN_STATES as readonly TicketState[]).includes(state);
}

/** A hint for the person; it causes nothing by itself. Highest first. */
export const PRIORITIES = ["critical", "high", "normal", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What a lease does when it ends without a person (D10). */
export const TIMEOUT_ACTIONS = ["auto_approve", "auto_reject", "cancel"] as const;
export type TimeoutAction = (typeof TIMEOUT_ACTIONS)[number];

/** What a person says: the draft's three, and `answer` for a question (D15). */
export const DECISIONS = ["approve", "reject", "request_changes", "answer"] as const;
export type Decision = (typeof DECISIONS)[number];

/** How a ticket ended (D7). */
export const OUTCOMES = ["approved", "rejected", "changes_requested", "answered", "canceled"] as const;
export type TicketOutcome = (typeof OUTCOMES)[number];

/** Who ended it (D7): a timer or a rule is never reported as a person. */
export const ACTOR_KINDS = ["human", "timer", "policy", "agent", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The actor of every timeout (D10). */
export const TIMER_ACTOR = { kind: "timer", id: "system:timeout" } as const;

/** Evidence that a person decided, weakest first (D3). */
export const ASSURANCE_LEVELS = ["none", "local", "session", "key", "present", "passkey"] as const;
export type AssuranceLevel = (typeof ASSURANCE_LEVELS)[number];

/** True when `level` is at least `least`. */
export function atLeast(level: AssuranceLevel, least: AssuranceLevel): boolean {
  return ASSURANCE_LEVELS.indexOf(level) >= ASSURANCE_LEVELS.indexOf(least);
}

/** By what right somebody decides (D4); `relay` is an answer that a client passed on (level none), `member` one of a quorum (D45). */
export const AUTHORITIES = ["addressee", "escalation", "owner", "approver", "relay", "member"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** What an API key allows an agent: to open tickets, to read its own, to read everybody's. */
export const KEY_SCOPES = ["create", "read_own", "read_all"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a confirmed policy can make of a person (D4). */
export const ROLES = ["owner", "approver", "auditor"] as const;
export type Role = (typeof ROLES)[number];

/** Where a person is signed in: a browser or a terminal; how they proved who they are; and why a sign-in ended. */
export const SESSION_KINDS = ["cookie", "token"] as const;
export const SESSION_WAYS = ["code", "passkey", "oidc", "github"] as const;
export const SESSION_ENDS = ["signed_out", "expired", "unlinked", "erased"] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** Events that a webhook can ask for: what happens to tickets, and decisions that were refused. */
export const WEBHOOK_EVENTS = [
  "ticket.create",
  "ticket.ack",
  "ticket.escalate",
  "ticket.reassign",
  "ticket.resolve",
  "ticket.cancel",
  "ticket.timeout",
  "intent.invalid",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a grant says, how it can stand, and why it ended (D43). */
export const GRANT_VERDICTS = ["allow", "deny"] as const;
export type GrantVerdict = (typeof GRANT_VERDICTS)[number];
export const GRANT_STATES = ["active", "spent", "expired", "ended"] as const;
export type GrantState = (typeof GRANT_STATES)[number];
export const GRANT_ENDS = ["person", "spent", "expired", "key_revoked", "person_erased"] as const;
export type GrantEnd = (typeof GRANT_ENDS)[number];

/** Sizes of grants. */
export const GRANT_LIMITS = {
  seconds: 366 * 86_400,
  uses: 10_000,
  rateSeconds: 7 * 86_400,
  patterns: 20,
  patternChars: 500,
  /** Grants in force at a time, of one person. */
  perPerson: 500,
  /** A grant that was not used for so many days is listed as unused. */
  unusedDays: 7,
  /** Tickets that a preview looks at. */
  previewed: 200,
} as const;

/** Whether the people of a quorum vote at any time, or one after the other as they are listed (D45). */
export const QUORUM_ORDERS = ["parallel", "listed"] as const;
export type QuorumOrder = (typeof QUORUM_ORDERS)[number];
/** Sizes of quorums and groups. */
export const QUORUM_LIMITS = { need: 20, of: 20, groups: 100, groupMembers: 200 } as const;

/** Who could have written the store, the keys and the policy (D1). */
export const TRUST_CLASSES = ["open", "apart", "remote"] as const;
export type TrustClass = (typeof TRUST_CLASSES)[number];

/** What governs levels, batches and auto_approve (D11). */
export const TIERS = ["routine", "notable", "critical"] as const;
export type Tier = (typeof TIERS)[number];

/** The kinds of question, and `approval`, which is none (D15). */
export const ASK_TYPES = ["approval", "text", "choice", "confirm", "form"] as const;
export type AskType = (typeof ASK_TYPES)[number];

/** What happens to a command that is neither proven nor denied: confined where that works, never, or never run otherwise. */
export const CONFINE_MODES = ["auto", "off", "require"] as const;
export type ConfineMode = (typeof CONFINE_MODES)[number];

/** Well-known kinds; `intent.kind` is an open token (D13). */
export const WELL_KNOWN_KINDS = [
  "modify_file",
  "create_file",
  "delete_file",
  "run_command",
  "deploy",
  "approve_expense",
  "question",
  "cue",
  "pause",
] as const;
/** The kinds that make up a conversation with an agent (D26, D27); each is a question. */
export const CONVERSATION_KINDS = ["cue", "pause", "question"] as const satisfies readonly (typeof WELL_KNOWN_KINDS)[number][];
/** Well-known artifact types; `artifact.type` is an open token (D13). */
export const WELL_KNOWN_ARTIFACTS = ["git_diff", "file_content", "command_script", "intent"] as const;

/** Sizes and times that input is held to (D13); bytes are of UTF-8. */
/** How many seconds a yes is held by default, so that it can be undone (D44). A critical ticket has its own confirmation instead. */
export const UNDO_SECONDS = { routine: 0, notable: 3 } as const;

export const LIMITS = {
  summaryChars: 200,
  commentChars: 1000,
  /** A comment that carries comments on lines of a diff may be longer (D13, D44). */
  reviewChars: 20_000,
  reviewLines: 100,
  /** How long a yes can be held so that it can be undone (D44). */
  holdSecondsMax: 30,
  ttlSecondsMax: 604_800,
  /** All that extend, snooze and reassign may add to one ticket (D9). */
  addedSecondsMax: 604_800,
  contentBytes: 1_000_000,
  eventBytes: 16_384,
  /** Open tickets that one agent may have at a time. */
  openTicketsPerAgent: 20_000,
  jsonDepth: 64,
  escalationDepthMax: 10,
  /** Words queued for one agent at a time, and told in one go. */
  queuedMessagesPerAgent: 1000,
  messagesPerTake: 100,
  /** Files sent with one message: how many, and how large all of them together. */
  attachmentsMax: 8,
  attachmentBytes: 8_000_000,
  optionsMax: 100,
  fieldsMax: 50,
} as const;

/** What a ticket gets when its creator says nothing (D13, D8, D16). */
export const DEFAULTS = {
  kind: "modify_file",
  ttlSeconds: 3600,
  onTimeout: "auto_reject",
  priority: "normal",
  agent: "agent:local",
  ackTtlSeconds: 600,
  escalationDepth: 3,
} as const;

/** How long the same question of the same agent finds the ticket that was opened for it, in milliseconds (D26). */
export const REATTACH_MS = 24 * 3_600_000;
/** A deadline applied later than this never approves (D10). */
export const LATE_MS = 60_000;
/** How long an intent may be valid: at most, and for critical tickets (D24). */
export const INTENT_TTL_MS = { longest: 300_000, critical: 60_000 } as const;
/** A yes can be picked up this long after its decision, a no repeats its words this long (D17). */
export const REUSE_MS = { yes: 15 * 60_000, no: 10 * 60_000 } as const;
