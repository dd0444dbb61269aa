// How serious a ticket is: a word of one scale (routine, notable, critical), and beside it, smaller, the draft's number.
import { riskWord, type Ticket, type Tier } from "@hap/protocol";
import { t } from "../words/words.ts";

type Props = { tier: Tier; risk: number | null; claimed?: number | null };

export function Severity({ tier, risk, claimed = null }: Props) {
  return (
    <span class="severity">
      <span class={`tier tier-${tier}`}>{t(`severity.${tier}`)}</span>
      {risk !== null && (
        <span class={`risk risk-${riskWord(risk)}`} title={t("severity.numberTitle", { risk })}>
          <span class="unseen">{t("severity.numberSpoken")} </span>
          {risk.toFixed(2)}
        </span>
      )}
      {claimed !== null && <span class="claimed-risk">{t("severity.claimed", { risk: claimed })}</span>}
    </span>
  );
}

/** The severity of a ticket; a question has none, and only says when a yes to it needs one more step. */
export function SeverityOf({ ticket }: { ticket: Pick<Ticket, "tier" | "risk" | "ask"> }) {
  if (ticket.ask.type === "approval") return <Severity tier={ticket.tier} risk={ticket.risk} />;
  if (ticket.tier === "critical") return <Severity tier={ticket.tier} risk={null} />;
  return (
    <span class="severity">
      <span class="tier tier-question">{t("severity.question")}</span>
    </span>
  );
}
