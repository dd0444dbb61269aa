// The runtime's own words: what will happen, what was found, and how a ticket ended (D7: a different sentence for each
// pair of outcome and actor, so that a timer or a rule is never mistaken for a person).
import { canonicalJson } from "./canonical-json.ts";
import { isOpen } from "./constants.ts";
import { type DiffFile, filesOfDetails } from "./diff.ts";
import { personWords } from "./person-words.ts";
import { joinWords, quorumWords, yesBy } from "./quorum/quorum-words.ts";
import { commentWords } from "./review.ts";
import type { Ticket } from "./schema/ticket.ts";
import { quoteShown } from "./text-safety.ts";
import { type Effect, isEffect } from "./tier.ts";

/** One sentence that says what the agent wants to do. Counts are the runtime's where it holds the bytes. */
export function describeIntent(
  ticket: Pick<Ticket, "from" | "intent" | "artifact" | "ask">,
  files: readonly DiffFile[] = filesOfDetails(ticket.intent.details),
): string {
  const { intent, artifact, from } = ticket;
  const where = artifact.environment === null ? "" : ` in ${artifact.environment}`;
  if (ticket.ask.type !== "approval") return `${from} asks a question and waits for the answer.`;
  switch (intent.kind) {
    case "run_command":
      return `${from} wants to run a command${where}.`;
    case "deploy":
      return `${from} wants to deploy${artifact.environment === null ? "" : ` to ${artifact.environment}`}${changes(ticket, files)}.`;
    case "delete_file":
      return `${from} wants to delete ${fileWords(intent.details)}${where}.`;
    case "create_file":
      return `${from} wants to create ${fileWords(intent.details)}${where}.`;
    case "modify_file":
      return `${from} wants to change ${fileWords(intent.details)}${where}${changes(ticket, files)}.`;
    default:
      return `${from} asks for approval of ${intent.kind}${where}.`;
  }
}

function fileWords(details: Record<string, unknown>): string {
  return typeof details.file === "string" ? quoteShown(details.file, 200) : "a file";
}

/** Files and lines as counted in the diff; without one, the agent's own count, said to be that. */
function changes(ticket: Pick<Ticket, "intent">, files: readonly DiffFile[]): string {
  const { lines_added: added, lines_removed: removed } = ticket.intent.details;
  if (files.length > 0) {
    const sum = (key: "added" | "removed") => files.reduce((count, file) => count + file[key], 0);
    return ` (${files.length} ${files.length === 1 ? "file" : "files"}, +${sum("added")} -${sum("removed")} lines)`;
  }
  if (typeof added !== "number" && typeof removed !== "number") return "";
  const count = (claimed: unknown) => canonicalJson(typeof claimed === "number" ? claimed : 0);
  return ` (+${count(added)} -${count(removed)} lines by its own count)`;
}

const effectWords: Record<Effect, string | null> = {
  read_inside: null,
  write_inside: null,
  delete_inside: "It deletes files inside the project.",
  read_outside: "It reads outside the project.",
  write_outside: "It writes outside the project.",
  network: "It uses the network.",
  process_control: "It stops or signals other programs.",
  gate_files: "It changes files that arm this gate.",
  delete_outside: "It deletes outside the project.",
  destroy_data: "It destroys data that cannot be brought back.",
  privilege: "It uses or changes privileges.",
  credentials: "It touches credentials.",
  send_data: "It can send data out.",
  irreversible_vcs: "It changes version control history in a way that cannot be undone.",
  production: "It reaches production.",
  opaque: "It holds something that HAP cannot read.",
  unseen_interpreter: "It runs code that cannot be seen here.",
  unknown: "It holds something that HAP does not know.",
};

/** A sentence for an effect, or null for one that needs none. */
export function describeEffect(effect: string): string | null {
  return isEffect(effect) ? effectWords[effect] : `It has the effect ${effect}.`;
}

/** What an agent reads about a ticket, whatever its state; the person's words come verbatim. */
export function outcomeWords(ticket: Pick<Ticket, "id" | "state" | "lease" | "resolution" | "to" | "quorum">): string {
  const { resolution } = ticket;
  if (resolution === null || isOpen(ticket.state)) return openWords(ticket);
  const { actor, outcome, comment } = resolution;
  const said = comment === null || comment === "" ? "" : ` They said: ${commentWords(comment)}`;
  const edited = resolution.edits === null ? "" : " with edits";
  switch (`${outcome} ${actor.kind}`) {
    case "approved human":
      return `Approved${edited} by ${approvers(ticket, actor.id)}.${said}`;
    case "approved timer":
      return "Nobody answered. The lease ended and the ticket approved itself by its own timeout action; no person said yes.";
    case "rejected human":
      return `Rejected by ${personWords(actor.id)}: do not do this.${said}`;
    case "rejected timer":
      return "Nobody answered in time, so the answer is no. This is not a person's refusal: you may ask again if it still matters.";
    case "changes_requested human":
      return `${personWords(actor.id)} wants changes before this is approved.${said}`;
    case "answered human":
      return `Answered by ${personWords(actor.id)}.${said}`;
    case "answered agent":
      return `Answered through ${personWords(actor.id)}: the answer was relayed by the client, and nothing proves that a person gave it.${said}`;
    case "canceled timer":
      return "Nobody answered in time, and the ticket was canceled.";
    case "canceled human":
      return `Canceled by ${personWords(actor.id)}.${said}`;
    case "canceled agent":
      return `Withdrawn by ${personWords(actor.id)}.${said}`;
    case "canceled policy":
      return `A policy rule canceled it (${personWords(actor.id)}).${said}`;
    default:
      return `Ended as ${outcome} by ${actor.kind} ${personWords(actor.id)}.${said}`;
  }
}

/** Everybody whose yes it took. */
function approvers({ quorum }: Pick<Ticket, "quorum">, last: string): string {
  return quorum === undefined ? personWords(last) : joinWords(yesBy(quorum));
}

function openWords(ticket: Pick<Ticket, "id" | "state" | "lease" | "to" | "quorum">): string {
  if (ticket.quorum !== undefined) return `Still open: ${ticket.id} has ${quorumWords(ticket.quorum)}.`;
  if (ticket.state === "PENDING") return `Still pending: ${personWords(ticket.to)} has not been shown ${ticket.id} yet.`;
  if (ticket.state === "ACKED") return `Still open: ${personWords(ticket.to)} is looking at ${ticket.id}.`;
  return `Still open: ${ticket.id} waits for ${personWords(ticket.to)}.`;
}
