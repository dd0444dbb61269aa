// How a ticket ended, for people: `outcomeWords` speaks to the agent ("do not do this"), this speaks about it. A timer, a rule
// and a relay are never mistaken for a person (D7).
import { isOpen } from "./constants.ts";
import { personWords } from "./person-words.ts";
import { joinWords, yesBy } from "./quorum/quorum-words.ts";
import type { Ticket } from "./schema/ticket.ts";

/** One or two sentences, without the person's own words; null while it is open. `name` writes an id as a name. */
export function outcomeForPerson(
  { state, resolution, quorum }: Pick<Ticket, "state" | "resolution" | "quorum">,
  name: (id: string) => string = personWords,
): string | null {
  if (resolution === null || isOpen(state)) return null;
  const { actor, outcome, edits } = resolution;
  const by = name(actor.id);
  switch (`${outcome} ${actor.kind}`) {
    case "approved human":
      return `Approved${edits === null ? "" : " with edits"} by ${quorum === undefined ? by : joinWords(yesBy(quorum, name))}.`;
    case "approved timer":
      return "Approved by its timer: nobody answered in time, and it was set to approve itself.";
    case "rejected human":
      return `Rejected by ${by}.`;
    case "rejected timer":
      return "Rejected by its timer: nobody answered in time.";
    case "changes_requested human":
      return `${by} requested changes.`;
    case "answered human":
      return `Answered by ${by}.`;
    case "answered agent":
      return `Answered through ${by}: the client relayed it, and nothing proves that a person gave it.`;
    case "canceled timer":
      return "Canceled by its timer: nobody answered in time.";
    case "canceled human":
      return `Canceled by ${by}.`;
    case "canceled agent":
      return `Withdrawn by ${by}.`;
    case "canceled policy":
      return `Canceled by the policy rule ${by}.`;
    default:
      return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1).replaceAll("_", " ")} by ${actor.kind} ${by}.`;
  }
}
