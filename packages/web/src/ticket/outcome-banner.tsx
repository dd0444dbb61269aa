// How a ticket ended, who ended it, and by what evidence.
import { answerWords, commentWords, evidenceNote, outcomeForPerson, type Ticket } from "@hap/protocol";
import { agentName } from "../state/agents.ts";
import { now } from "../state/clock.ts";
import { ago } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";
import { stateWords } from "./state-word.tsx";

/** Where a person sat, as far as the evidence tells. */
const places: Record<string, string> = {
  local: t("ticket.outcome.inTerminal"),
  session: t("ticket.outcome.signedIn"),
};

export function OutcomeBanner({ ticket, elsewhere }: { ticket: Ticket; elsewhere: boolean }) {
  const { resolution } = ticket;
  if (resolution === null) return null;
  const { tone } = stateWords(ticket);
  const { actor, answer, edits } = resolution;
  const where =
    actor.kind === "human"
      ? (places[resolution.assurance] ?? t("ticket.outcome.withAssurance", { assurance: resolution.assurance }))
      : null;
  return (
    <section class={`outcome outcome-${tone}`} role="status">
      {elsewhere && <p class="outcome-first">{t("ticket.outcome.elsewhere")}</p>}
      <p class="outcome-words" translate={false}>
        <SafeText text={outcomeForPerson(ticket, agentName) ?? ""} />
      </p>
      {resolution.comment !== null && resolution.comment !== "" && (
        <blockquote translate={false}>
          <SafeText text={commentWords(resolution.comment)} />
        </blockquote>
      )}
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
        <p class="warning">{t(resolution.unproven ? "ticket.outcome.unproven" : "ticket.outcome.levelKey")}</p>
      )}
      <p class="quiet-words">
        {[
          ago(now.value - Date.parse(resolution.at)),
          where,
          t("ticket.outcome.evidence", { assurance: resolution.assurance }),
          resolution.confirmed ? t("common.phraseTyped") : null,
          t("ticket.outcome.trust", { trust: resolution.trust }),
        ]
          .filter((words) => words !== null)
          .join(" · ")}
      </p>
    </section>
  );
}
