// How tickets like this one were decided: the same kind from the same agent, nearest by what it would do.
import type { Ticket } from "@hap/protocol";
import { t } from "../words/words.ts";

export type Alike = { ticket: Ticket; by: string; nearness: number };

/** Below this two tickets have little in common. */
const LEAST = 0.4;

/** A command without what changes each time: numbers, hashes, quoted words. */
export function normaliseCommand(command: string): string[] {
  return command
    .toLowerCase()
    .replaceAll(/(["'])(?:(?!\1).)*\1/g, "…")
    .replaceAll(/\b[0-9a-f]{7,64}\b/g, "#")
    .replaceAll(/\d+/g, "#")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** The nearest decided tickets, best first, each with what they have in common. */
export function findAlike(ticket: Ticket, others: readonly Ticket[], most = 5): Alike[] {
  return others
    .filter((other) => other.id !== ticket.id && other.resolution !== null)
    .map((other) => ({ ticket: other, ...nearness(ticket, other) }))
    .filter(({ nearness: near }) => near >= LEAST)
    .sort((a, b) => b.nearness - a.nearness || b.ticket.seq - a.ticket.seq)
    .slice(0, most);
}

function nearness(a: Ticket, b: Ticket): { nearness: number; by: string } {
  if (a.artifact.bytes_hash === b.artifact.bytes_hash) return { nearness: 1, by: t("ticket.alike.sameBytes") };
  const [commandA, commandB] = [a.intent.details.command, b.intent.details.command];
  if (typeof commandA === "string" && typeof commandB === "string") {
    const near = overlap(normaliseCommand(commandA), normaliseCommand(commandB));
    return {
      nearness: near * 0.99,
      by: near === 1 ? t("ticket.alike.sameCommand") : t("ticket.alike.shareOfCommand", { near: percent(near) }),
    };
  }
  const [fileA, fileB] = [a.intent.details.file, b.intent.details.file];
  if (typeof fileA === "string" && typeof fileB === "string") {
    if (fileA === fileB) return { nearness: 0.98, by: t("ticket.alike.sameFile") };
    const near = sharedFolders(fileA, fileB);
    return { nearness: near * 0.9, by: t("ticket.alike.shareOfPath", { near: percent(near) }) };
  }
  const near = overlap(normaliseCommand(a.intent.summary), normaliseCommand(b.intent.summary));
  return { nearness: near * 0.8, by: t("ticket.alike.shareOfSummary", { near: percent(near) }) };
}

/** Shared words of all words. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [new Set(a), new Set(b)];
  const all = left.union(right).size;
  return all === 0 ? 0 : left.intersection(right).size / all;
}

/** How far two paths go together. */
function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared++;
  return shared / Math.max(left.length, right.length);
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
