// The risk as a colour and its number; the word goes along for those who see no colour.
import { riskWord } from "@hap/protocol";
import { t } from "../words/words.ts";

export function RiskBadge({ risk, words = false }: { risk: number; words?: boolean }) {
  const word = riskWord(risk);
  return (
    <span class={`risk risk-${word}`} title={t(`ticket.riskBadge.${word}Title`, { risk })}>
      <span class="risk-number">{risk.toFixed(2)}</span>
      <span class={words ? "risk-word" : "unseen"}> {t(`ticket.riskBadge.${word}`)}</span>
    </span>
  );
}
