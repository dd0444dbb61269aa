// The risk and its three factors, explained.
import { computeTier, DEFAULT_RISK_TABLE, effectWords, type Ticket, worstFirst } from "@hap/protocol";
import { rich, t } from "../words/words.ts";
import { Severity } from "./severity.tsx";

const factorWords = {
  scope: t("ticket.risk.scopeAbout"),
  environment: t("ticket.risk.environmentAbout"),
  confidence: t("ticket.risk.confidenceAbout"),
};

type Factor = keyof typeof factorWords;
const factors = Object.keys(factorWords) as Factor[];

/** True when the risk is the weighted sum of its factors by the draft's own weights. */
function isPlainSum({ risk, risk_factors: given }: Ticket): boolean {
  const sum = factors.reduce((total, factor) => total + given[factor] * DEFAULT_RISK_TABLE.weights[factor], 0);
  return Math.abs(sum - risk) < 0.0002;
}

export function RiskCard({ ticket }: { ticket: Ticket }) {
  const plain = isPlainSum(ticket);
  const byEffect = ticket.tier !== computeTier(ticket.risk, []);
  return (
    <div class="risk-card">
      <p>
        <Severity tier={ticket.tier} risk={ticket.risk} />{" "}
        {byEffect
          ? rich("ticket.risk.byEffect", {
              effects: <span translate={false}>{worstFirst(ticket.effects).map(effectWords).join(", ")}</span>,
            })
          : t("ticket.risk.byNumber")}
      </p>
      <dl class="factors">
        {factors.map((factor) => (
          <div class="factor" key={factor}>
            <dt>
              {t(`ticket.risk.${factor}`)}
              {plain && (
                <span class="quiet-words"> {t("ticket.risk.weight", { percent: DEFAULT_RISK_TABLE.weights[factor] * 100 })}</span>
              )}
            </dt>
            <dd>
              <meter
                min={0}
                max={1}
                value={ticket.risk_factors[factor]}
                aria-label={t("ticket.risk.factor", { factor: t(`ticket.risk.${factor}`) })}
              />
              <span class="digits">{ticket.risk_factors[factor].toFixed(2)}</span>
              <span class="quiet-words">{factorWords[factor]}</span>
            </dd>
          </div>
        ))}
      </dl>
      {ticket.risk_claimed !== null && ticket.risk_claimed !== ticket.risk && (
        <p class="quiet-words">{t("ticket.risk.claimed", { risk: ticket.risk_claimed })}</p>
      )}
    </div>
  );
}
