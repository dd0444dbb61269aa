// What is recorded with a decision, said after the draft's line: the level, a confirmation, and the trust class (D1, D3).
import type { Ticket } from "@hap/protocol";
import { trustWords } from "./trust-words.ts";

export function recordedLines({ resolution }: Ticket): string[] {
  if (resolution === null) return [];
  const confirmed = resolution.confirmed ? ", confirmed at a terminal" : "";
  return [`Recorded: ${resolution.actor.id}, assurance ${resolution.assurance}${confirmed}`, trustWords(resolution.trust)];
}
