// How a ticket ended, who ended it, and by what evidence.
import { answerWords, evidenceNote, outcomeWords, type Ticket } from "@hap/protocol";
import { now } from "../state/clock.ts";
import { ago } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";
import { stateWords } from "./state-word.tsx";

/** Where a person sat, as far as the evidence tells. */
const places: Record<string, string> = {
  local: t("ticket.outcomeBanner.inATerminal"),
  session: t("ticket.outcomeBanner.signedInOnAPage"),
};

export function OutcomeBanner({ ticket, elsewhere }: { ticket: Ticket; elsewhere: boolean }) {
  const { resolution } = ticket;
  if (resolution === null) return null;
  const { tone } = stateWords(ticket);
  const { actor, answer, edits } = resolution;
  const where =
    actor.kind === "human"
      ? (places[resolution.assurance] ?? t("ticket.outcomeBanner.withAAssurance", { assurance: resolution.assurance }))
      : null;
  return (
    <section class={`outcome outcome-${tone}`} role="status">
      {elsewhere && (
        <p class="outcome-first">
          {t("ticket.outcomeBanner.somebodyWasFirstValue", { value: ago(now.value - Date.parse(resolution.at)) })}
        </p>
      )}
      <p class="outcome-words" translate={false}>
        <SafeText text={outcomeWords(ticket)} />
      </p>
      {answer !== null && ticket.ask.type !== "approval" && (
        <blockquote>
          <SafeText text={answerWords(ticket.ask, answer)} />
        </blockquote>
      )}
      {edits !== null && (
        <pre class="code">
          <SafeText
            text={Object.values(edits)
              .map((value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2)))
              .join("\n")}
          />
        </pre>
      )}
      {evidenceNote(ticket) !== null && (
        <p class="warning">
          {t(resolution.unproven ? "ticket.outcomeBanner.unproven" : "ticket.outcomeBanner.signedAtLevelKey")}
        </p>
      )}
      <p class="quiet-words">
        {[
          ago(now.value - Date.parse(resolution.at)),
          where,
          t("ticket.outcomeBanner.evidence", { assurance: resolution.assurance }),
          resolution.confirmed ? t("common.phraseTyped") : null,
          t("ticket.outcomeBanner.trustTrust", { trust: resolution.trust }),
        ]
          .filter((words) => words !== null)
          .join(" · ")}
      </p>
    </section>
  );
}
