// Everything that happened to a ticket, oldest first, in words.
import type { Json } from "@hap/protocol";
import { length, moment, shortName } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

type Event = Record<string, Json> & { id: string; type: string; ts: string };
type Told = { words: string; quote?: string | null };

const name = (id: Json | undefined) => (typeof id === "string" ? shortName(id) : t("ticket.history.somebody"));
const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : null);
const record = (value: Json | undefined) => (value ?? {}) as Record<string, Json>;

/** What an event says, in words. */
function tell(event: Event): Told {
  switch (event.type) {
    case "ticket.create":
      return { words: t("ticket.history.fromAsked", { from: name(record(event.ticket).from) }) };
    case "ticket.state_change":
      return { words: stateChange(event) };
    case "ticket.ack":
      return { words: t("ticket.history.fromLookedAtItThe", { from: name(event.from) }), quote: text(event.note) };
    case "intent.sign": {
      const intent = record(event.intent);
      const level = [
        t("ticket.history.level", { assurance: String(event.assurance) }),
        ...(event.confirmed === true ? [t("common.phraseTyped")] : []),
        ...(event.unproven === true ? [t("ticket.history.unproven")] : []),
        ...(intent.signature === null ? [] : [t("ticket.history.signed")]),
      ].join(", ");
      return {
        words: t("ticket.history.fromSaidValueLevel", {
          from: name(intent.from),
          value: String(intent.decision).replaceAll("_", " "),
          level,
        }),
        quote: text(intent.comment),
      };
    }
    case "intent.invalid":
      return { words: t("ticket.history.aDecisionByFromWas", { from: name(event.from) }), quote: text(event.reason) };
    case "ticket.resolve": {
      const resolution = record(event.resolution);
      return {
        words: t("ticket.history.itEndedValueTrustTrust", {
          value: String(resolution.outcome).replaceAll("_", " "),
          trust: String(resolution.trust),
        }),
      };
    }
    case "ticket.timeout":
      return { words: t("ticket.history.theTimeWasUpAnd") };
    case "ticket.cancel":
      return { words: t("ticket.history.fromWithdrewIt", { from: name(event.from) }), quote: text(event.reason) };
    case "ticket.escalate":
      return { words: t("ticket.history.nobodyAnsweredItWentOn", { to: name(event.to) }) };
    case "ticket.extend":
      return { words: t("ticket.history.fromGaveValueMore", { from: name(event.from), value: length(Number(event.seconds)) }) };
    case "ticket.snooze":
      return { words: t("ticket.history.fromPutItOffFor", { from: name(event.from), value: length(Number(event.seconds)) }) };
    case "ticket.reassign":
      return { words: t("ticket.history.fromGaveItToTo", { from: name(event.from), to: name(event.to) }) };
    case "ticket.note":
      return { words: t("ticket.history.fromRemarked", { from: name(event.from) }), quote: text(event.note) };
    case "ticket.consume":
      return { words: t("ticket.history.byUsedTheYes", { by: name(event.by) }) };
    case "ticket.heard":
      return { words: t("ticket.history.byHasReadTheAnswer", { by: name(event.by) }) };
    case "content.erased":
      return { words: t("ticket.history.fromErasedTexts", { from: name(event.from) }), quote: text(event.reason) };
    default:
      return { words: event.type };
  }
}

function stateChange(event: Event): string {
  if (event.to_state === "DELIVERED" && event.from_state === "PENDING") return t("ticket.history.itWasShown");
  if (event.to_state === "DELIVERED") return t("ticket.history.theHoldEndedByItself");
  return t("ticket.history.fromStateBecameToState", {
    from_state: String(event.from_state),
    to_state: String(event.to_state),
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
