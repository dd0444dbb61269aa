// What is recorded with a decision, said after the draft's line: the level, a confirmation, its label, the trust class (D1, D3).
import { evidenceNote, personWords, type Ticket } from "@hap/protocol";
import { quorumLines } from "./quorum-lines.ts";
import { trustWords } from "./trust-words.ts";

export function recordedLines(ticket: Ticket): string[] {
  const { resolution } = ticket;
  if (resolution === null) return quorumLines(ticket).slice(1);
  const confirmed = resolution.confirmed ? ", phrase typed" : "";
  const note = evidenceNote(ticket);
  return [
    `Recorded: ${personWords(resolution.actor.id)}, assurance ${resolution.assurance}${confirmed}`,
    ...(note === null ? [] : [note]),
    trustWords(resolution.trust),
  ];
}
