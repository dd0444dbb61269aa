// Everything that the screen shows, as one value; what can happen to it; and what it wants done. Pure.
import type { AgentCard, Answer, Conversation, Json, Ticket, TrustClass } from "@hap/protocol";
import type { TicketPage } from "@hap/sdk";
import type { Style } from "../../show/gutter.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Typed } from "../terminal/key-reader.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import type { Editor } from "./editor.ts";
import type { Menu } from "./menu.ts";
import { emptyList, type Tab, type TicketList } from "./ticket-list.ts";

export type Verb = "approve" | "reject" | "changes" | "answer";

/** Seconds for which a yes can be undone. */
export type UndoSeconds = { readonly routine: number; readonly notable: number };

/** A decision that is ready to be sent. */
export type Plan = {
  readonly verb: Verb;
  readonly ids: readonly string[];
  readonly comment: string | null;
  readonly answer: Answer | null;
  /** Parts of the action in the person's own version. */
  readonly edits: Readonly<Record<string, string>> | null;
  /** What was typed to confirm, where that is needed. */
  readonly phrase: string | null;
};

/** A ticket that is open to be read, or several for one decision. */
export type Detail = {
  readonly tickets: readonly Ticket[];
  readonly history: readonly Json[];
  readonly readAtMs: number;
  /** Made once for a width: a long diff is not broken into rows anew at each key. */
  readonly rows: readonly string[];
  /** How many of the rows must have been in view before a yes. */
  readonly mustSee: number;
  readonly top: number;
  /** How many rows from the first on were in view, without a gap: what was jumped over was not read. */
  readonly readTo: number;
  readonly seen: boolean;
};

/** The agents that one talks with, and the conversation that is open, with its rows. */
export type Talks = {
  readonly cards: readonly AgentCard[];
  readonly at: number;
  readonly open: { readonly conversation: Conversation; readonly rows: readonly string[]; readonly top: number } | null;
};

/** What is asked before something is done. */
export type Dialog =
  | {
      readonly type: "decide";
      readonly verb: "approve" | "reject" | "changes";
      readonly ids: readonly string[];
      readonly menu: Menu;
      readonly problem: string | null;
    }
  /** Fields to fill in: an answer, or the action's parts to change before a yes. */
  | { readonly type: "answer" | "edit"; readonly ticket: Ticket; readonly draft: AnswerDraft; readonly problem: string | null }
  | {
      readonly type: "step-up";
      readonly ticket: Ticket;
      readonly plan: Plan;
      readonly phrase: string;
      readonly editor: Editor;
      readonly top: number;
      readonly problem: string | null;
    }
  | { readonly type: "snooze"; readonly ids: readonly string[]; readonly menu: Menu; readonly problem: string | null }
  | {
      readonly type: "reply";
      readonly agent: string;
      /** The question that the words answer, or null when they wait for the next one. */
      readonly answers: string | null;
      readonly editor: Editor;
      readonly problem: string | null;
    }
  | { readonly type: "filter"; readonly editor: Editor }
  | { readonly type: "help"; readonly top: number }
  | { readonly type: "leave" };

export type Notice = { readonly text: string; readonly tone: "good" | "bad" | "plain"; readonly untilMs: number };

export type Model = {
  readonly person: string;
  readonly trust: TrustClass;
  readonly violation: string | null;
  readonly paint: Paint;
  readonly columns: number;
  readonly rows: number;
  readonly nowMs: number;
  readonly live: boolean;
  readonly list: TicketList;
  /** Raised when the list begins anew: pages that were asked for before are not for it. */
  readonly generation: number;
  readonly chosen: ReadonlySet<string>;
  readonly detail: Detail | null;
  /** Conversations take the place of the list while they are open. */
  readonly talks: Talks | null;
  readonly dialog: Dialog | null;
  readonly notice: Notice | null;
  /** How long a yes to one ticket is held, by severity; a critical one has its own confirmation instead. */
  readonly undoSeconds: UndoSeconds;
  /** One yes that the store holds and that can be undone until it is applied (D44). */
  readonly undoable: { readonly plan: Plan; readonly untilMs: number } | null;
  /** Decisions on several tickets wait a little before they are sent. */
  readonly held: { readonly plan: Plan; readonly sendAtMs: number } | null;
  /** Tickets that were asked to be delivered. */
  readonly delivering: ReadonlySet<string>;
  /** Decisions that are under way: what becomes of these tickets is this screen's own doing. */
  readonly sending: ReadonlySet<string>;
  readonly glancedAtMs: number;
};

export type Message =
  | Typed
  | { type: "resize"; columns: number; rows: number }
  | { type: "tick" }
  | { type: "page"; generation: number; page: TicketPage }
  | { type: "changed"; ids: readonly string[] }
  | { type: "tickets"; tickets: readonly Ticket[] }
  | { type: "opened"; tickets: readonly Ticket[]; history: readonly Json[]; thenApprove: boolean }
  | { type: "reread"; ticket: Ticket; history: readonly Json[] }
  | { type: "decided"; plan: Plan; tickets: readonly Ticket[]; refused: readonly { id: string; message: string }[] }
  | { type: "held"; plan: Plan; untilMs: number }
  | { type: "undone"; ticket: Ticket; tooLate: boolean }
  | { type: "phrase"; ticket: Ticket; plan: Plan; phrase: string; problem: string | null }
  | { type: "prolonged"; tickets: readonly Ticket[]; text: string }
  | { type: "agents"; cards: readonly AgentCard[] }
  | { type: "conversation"; conversation: Conversation }
  | { type: "said"; conversation: Conversation; answers: string | null; text: string }
  | { type: "failed"; text: string; generation: number | null }
  | { type: "live"; live: boolean };

/** What is done outside: through the client, or with the process. */
export type Effect =
  | { type: "load"; tab: Tab; generation: number; cursor: string | null; limit: number }
  | { type: "read"; ids: readonly string[] }
  | { type: "deliver"; ids: readonly string[] }
  | { type: "glance"; limit: number }
  | { type: "open"; ids: readonly string[]; thenApprove: boolean }
  | { type: "reread"; id: string }
  | { type: "decide"; plan: Plan }
  /** A yes that is applied after some seconds, unless it is undone. */
  | { type: "hold"; plan: Plan; seconds: number }
  | { type: "undo"; id: string }
  /** Apply what is held now: the person leaves. */
  | { type: "apply"; plan: Plan }
  /** The runtime issues the phrase that confirms this plan. */
  | { type: "phrase"; ticket: Ticket; plan: Plan; problem: string | null }
  | { type: "extend"; id: string; seconds: number }
  | { type: "snooze"; ids: readonly string[]; seconds: number }
  | { type: "agents" }
  | { type: "conversation"; agent: string }
  | { type: "say"; agent: string; answers: string | null; text: string }
  | { type: "redraw" }
  | { type: "suspend" }
  | { type: "quit" };

/** What an update may know of the world. */
export type Facts = { readonly nowMs: number };
export type Step = { readonly model: Model; readonly effects: readonly Effect[] };

export type Start = Pick<Model, "person" | "trust" | "violation" | "paint" | "columns" | "rows" | "nowMs" | "undoSeconds">;

export function startModel(start: Start): Model {
  return {
    ...start,
    live: true,
    list: emptyList("mine"),
    generation: 0,
    chosen: new Set(),
    detail: null,
    talks: null,
    dialog: null,
    notice: null,
    undoable: null,
    held: null,
    delivering: new Set(),
    sending: new Set(),
    glancedAtMs: start.nowMs,
  };
}

/** How rows of a ticket are made on this screen. */
export function styleOfModel({ paint, columns }: Pick<Model, "paint" | "columns">): Style {
  return { paint, width: columns };
}

/** Rows between the title and the two lines at the bottom. */
export function listRows({ rows }: Pick<Model, "rows">): number {
  return Math.max(1, rows - 3);
}

/** Rows of an open ticket: its head takes one more. */
export function detailHeight({ rows }: Pick<Model, "rows">): number {
  return Math.max(1, rows - 4);
}

const NOTICE_MS = 8000;

/** The model with words for the person at the bottom. */
export function notify(model: Model, text: string, tone: Notice["tone"] = "plain"): Model {
  return { ...model, notice: { text, tone, untilMs: model.nowMs + NOTICE_MS } };
}

/** Nothing more to do. */
export function still(model: Model): Step {
  return { model, effects: [] };
}
