// Everything that happened to a ticket, oldest first, in words.
import { commentWords, type Json } from "@hap/protocol";
import { agentName } from "../state/agents.ts";
import { length, moment } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

type Event = Record<string, Json> & { id: string; type: string; ts: string };
const said = (comment: Json | undefined) => (typeof comment === "string" && comment !== "" ? commentWords(comment) : null);
type Told = { words: string; quote?: string | null };

const name = (id: Json | undefined) => (typeof id === "string" ? agentName(id) : t("ticket.history.somebody"));
const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : null);
const record = (value: Json | undefined) => (value ?? {}) as Record<string, Json>;

/** What an event says, in words. */
function tell(event: Event): Told {
  switch (event.type) {
    case "ticket.create":
      return { words: t("ticket.history.asked", { from: name(record(event.ticket).from) }) };
    case "ticket.state_change":
      return { words: stateChange(event) };
    case "ticket.ack":
      return { words: t("ticket.history.acked", { from: name(event.from) }), quote: text(event.note) };
    case "intent.sign": {
      const intent = record(event.intent);
      const level = [
        t("ticket.history.level", { assurance: String(event.assurance) }),
        ...(event.confirmed === true ? [t("common.phraseTyped")] : []),
        ...(event.unproven === true ? [t("ticket.history.unproven")] : []),
        ...(intent.signature === null ? [] : [t("ticket.history.signed")]),
      ].join(", ");
      return {
        words: t("ticket.history.voted", {
          from: name(intent.from),
          decision: String(intent.decision).replaceAll("_", " "),
          level,
        }),
        quote: said(intent.comment),
      };
    }
    case "intent.invalid":
      return { words: t("ticket.history.refused", { from: name(event.from) }), quote: text(event.reason) };
    case "ticket.resolve": {
      const resolution = record(event.resolution);
      return {
        words: t("ticket.history.ended", {
          outcome: String(resolution.outcome).replaceAll("_", " "),
          trust: String(resolution.trust),
        }),
      };
    }
    case "ticket.timeout":
      return { words: t("ticket.history.timedOut") };
    case "ticket.cancel":
      return { words: t("ticket.history.withdrawn", { from: name(event.from) }), quote: text(event.reason) };
    case "ticket.escalate":
      return { words: t("ticket.history.escalated", { to: name(event.to) }) };
    case "ticket.extend":
      return { words: t("ticket.history.extended", { from: name(event.from), time: length(Number(event.seconds)) }) };
    case "ticket.snooze":
      return { words: t("ticket.history.snoozed", { from: name(event.from), time: length(Number(event.seconds)) }) };
    case "ticket.reassign":
      return { words: t("ticket.history.reassigned", { from: name(event.from), to: name(event.to) }) };
    case "ticket.note":
      return { words: t("ticket.history.noted", { from: name(event.from) }), quote: text(event.note) };
    case "ticket.consume":
      return { words: t("ticket.history.consumed", { by: name(event.by) }) };
    case "ticket.heard":
      return { words: t("ticket.history.heard", { by: name(event.by) }) };
    case "content.erased":
      return { words: t("ticket.history.erased", { from: name(event.from) }), quote: text(event.reason) };
    default:
      return { words: event.type };
  }
}

function stateChange(event: Event): string {
  if (event.to_state === "DELIVERED" && event.from_state === "PENDING") return t("ticket.history.delivered");
  if (event.to_state === "DELIVERED") return t("ticket.history.holdEnded");
  return t("ticket.history.stateChanged", {
    from: String(event.from_state),
    to: String(event.to_state),
  });
}

export function History({ events }: { events: readonly Json[] }) {
  return (
    <ol class="history">
      {(events as Event[]).map((event) => {
        const { words, quote } = tell(event);
        return (
          <li key={event.id}>
            <span class="history-words">{words}</span>
            <time dateTime={event.ts}>{moment(event.ts)}</time>
            {quote != null && (
              <blockquote>
                <SafeText text={quote} />
              </blockquote>
            )}
          </li>
        );
      })}
    </ol>
  );
}
