// The draft's dashboard (13.4): how fast people decide, how often nobody came, how risky it was, who carries it, what was
// refused, and whether the log is sound.
import type { Insights } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { Card } from "../settings/card.tsx";
import { useFetched } from "../settings/use-fetched.ts";
import { me } from "../state/session.ts";
import { day, length, moment, plainKind, shortName } from "../ui/format.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { Bars, Columns, ShareBar } from "./charts.tsx";
import { LogHealth } from "./log-health.tsx";

export function InsightsPage() {
  const days = useSignal(7);
  const span = days.value;
  const load = useCallback(() => me().insights(span), [span]);
  const { value, failure } = useFetched(load);
  return (
    <ScrollRegion class="scroll page" label={t("common.insights")}>
      <div class="page-body">
        <div class="page-head">
          <h1 class="page-title">{t("common.insights")}</h1>
          <fieldset class="views" aria-label={t("insights.period")}>
            {[1, 7, 30].map((count) => (
              <button
                type="button"
                class="view-button"
                key={count}
                aria-pressed={days.value === count}
                onClick={() => {
                  days.value = count;
                }}
              >
                {t("insights.days", { count })}
              </button>
            ))}
          </fieldset>
        </div>
        {failure !== null && (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
        {value !== null && <Numbers insights={value} />}
        <LogHealth />
      </div>
    </ScrollRegion>
  );
}

function Numbers({ insights }: { insights: Insights }) {
  const { tickets, complete, open, latency, ended, risk, load, security } = insights;
  const all = ended.people + ended.timer + ended.other;
  return (
    <>
      <p class="quiet-words">
        {t("insights.since", {
          count: tickets,
          since: day(insights.since),
          open,
        })}
        {complete ? "" : ` ${t("insights.onlyNewest")}`}
      </p>
      <AuthorityCards insights={insights} />
      <Card title={t("insights.latency.title")} about={t("insights.latency.about")}>
        <LatencyTable latency={latency} />
      </Card>
      <Card title={t("insights.ended.title")}>
        {all === 0 ? (
          <p class="quiet-words">{t("insights.ended.none")}</p>
        ) : (
          <ShareBar
            label={t("insights.ended.title")}
            parts={[
              { name: t("insights.ended.people"), value: ended.people, tone: "good" },
              { name: t("insights.ended.timer"), value: ended.timer, tone: "bad" },
              { name: t("insights.ended.other"), value: ended.other, tone: "calm" },
            ]}
          />
        )}
      </Card>
      <Card title={t("common.risk")} about={t("insights.risk.label")}>
        <Columns
          label={t("insights.risk.title")}
          values={risk}
          name={(at) => t("insights.risk.range", { from: (at / 10).toFixed(1), to: ((at + 1) / 10).toFixed(1) })}
          tone={(at) => (at < 3 ? "low" : at < 7 ? "medium" : "high")}
        />
      </Card>
      <Card title={t("insights.load.title")}>
        {load.length === 0 && <p class="quiet-words">{t("insights.load.none")}</p>}
        <ul class="things">
          {load.map(({ person, decided, per_hour }) => (
            <li class="thing" key={person}>
              <span class="thing-words">
                <strong translate={false}>{shortName(person)}</strong>
              </span>
              <span class="digits">{t("insights.load.decided", { decided })}</span>
              <span class="quiet-words digits">{t("insights.load.perHour", { per_hour })}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t("insights.security.title")} about={t("insights.security.about")}>
        {security.length === 0 && <p class="quiet-words">{t("insights.security.none")}</p>}
        <ul class="things">
          {security.map(({ code, count, last_at }) => (
            <li class="thing" key={code}>
              <span class="thing-words">
                <strong translate={false}>{plainKind(code)}</strong>
                <span class="quiet-words">{t("insights.security.lastAt", { last_at: moment(last_at) })}</span>
              </span>
              <span class="digits">{count}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

/** Who asks, and what was decided without a person at that moment. */
function AuthorityCards({ insights: { asks, hasty, standing } }: { insights: Insights }) {
  return (
    <>
      <Card title={t("insights.agents.title")} about={t("insights.agents.about")}>
        {asks.length === 0 && <p class="quiet-words">{t("insights.security.none")}</p>}
        <Bars
          label={t("insights.agents.title")}
          rows={asks.map(({ agent, tickets, busiest_hour }) => ({
            name: shortName(agent),
            value: tickets,
            note: t("insights.agents.busiestHour", { count: busiest_hour }),
          }))}
        />
        {hasty > 0 && <p>{t("insights.agents.hasty", { count: hasty })}</p>}
      </Card>
      <Card title={t("insights.authority.title")}>
        <Bars
          label={t("insights.authority.title")}
          rows={[
            { name: t("insights.authority.byGrants"), value: standing.grants },
            { name: t("insights.authority.byDenials"), value: standing.denials },
            { name: t("insights.authority.byRules"), value: standing.rules },
          ]}
        />
        {standing.grants_unused > 0 && <p>{t("insights.authority.unused", { count: standing.grants_unused })}</p>}
      </Card>
    </>
  );
}

function LatencyTable({ latency }: { latency: Insights["latency"] }) {
  const words = (seconds: number | null) => (seconds === null ? "–" : length(seconds));
  const slowest = Math.max(1, ...latency.map(({ p99 }) => p99 ?? 0));
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">{t("common.priority")}</th>
          <th scope="col">{t("common.decided")}</th>
          <th scope="col">{t("insights.latency.p50")}</th>
          <th scope="col">{t("insights.latency.p95")}</th>
          <th scope="col">{t("insights.latency.p99")}</th>
          <th scope="col" class="bar-column">
            <span class="unseen">{t("insights.latency.compared")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {latency.map(({ priority, count, p50, p95, p99 }) => (
          <tr key={priority}>
            <th scope="row">{t(`inbox.group.${priority}`)}</th>
            <td>{count}</td>
            <td>{words(p50)}</td>
            <td>{words(p95)}</td>
            <td>{words(p99)}</td>
            <td class="bar-column">
              <meter
                min={0}
                max={slowest}
                value={p95 ?? 0}
                aria-label={t("insights.latency.p95Of", { priority: t(`inbox.group.${priority}`) })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
