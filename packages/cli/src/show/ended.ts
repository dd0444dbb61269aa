// How a ticket ended: outcome, who, how sure we are, and the person's own words.
import { answerWords, commentWords, evidenceNote, outcomeForPerson, showInvisible, type Ticket } from "@hap/protocol";
import { span } from "./time-words.ts";

/** Lines about the end, or none while the ticket is open. */
export function endLines(ticket: Ticket): string[] {
  const { resolution, ask, consumed, heard_at: heardAt } = ticket;
  if (resolution === null) return [];
  const { comment } = resolution;
  const lines = [showInvisible(outcomeForPerson(ticket) ?? "")];
  if (comment !== null && comment !== "") lines.push(`Comment: ${showInvisible(commentWords(comment))}`);
  if (resolution.answer !== null && ask.type !== "approval")
    lines.push(`Answer: ${showInvisible(answerWords(ask, resolution.answer))}`);
  if (resolution.edits !== null) lines.push(`Edits: ${showInvisible(JSON.stringify(resolution.edits))}`);
  const note = evidenceNote(ticket);
  lines.push(`Assurance: ${resolution.assurance}${resolution.confirmed ? ", phrase typed" : ""}`);
  if (note !== null) lines.push(note);
  if (consumed !== null) lines.push(`Used: by ${consumed.by}, ${sinceEnd(resolution.at, consumed.at)}`);
  if (heardAt !== null) lines.push(`Heard: by ${ticket.from}, ${sinceEnd(resolution.at, heardAt)}`);
  return lines;
}

function sinceEnd(end: string, at: string): string {
  return `${span((new Date(at).getTime() - new Date(end).getTime()) / 1000)} later`;
}
