// Whether a ticket holds the words that somebody looks for: the same answer by the store, the server and the page.
import type { Ticket } from "./schema/ticket.ts";

/** Where words are looked for. */
type Searched = Pick<Ticket, "id" | "from" | "to" | "project" | "session"> & {
  intent: Pick<Ticket["intent"], "kind" | "summary" | "details">;
};

/** True when each word, in any letter case, stands in the summary, the kind, a name, or a command, file or content. */
export function holdsText({ intent, from, to, id, project, session }: Searched, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  const { command, file, content, diff } = intent.details as Record<string, unknown>;
  const bodies = [command, file, content, diff].filter((value) => typeof value === "string");
  const all = [intent.summary, intent.kind, from, to, id, project ?? "", session ?? "", ...bodies].join("\n").toLowerCase();
  return wanted.split(/\s+/).every((word) => all.includes(word));
}
