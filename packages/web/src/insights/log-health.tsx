// Whether the log is sound: its end, who could have written it, when it was last verified, and a verification on demand.
import type { LastVerification, TrustClass } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { Card } from "../settings/card.tsx";
import { useFetched } from "../settings/use-fetched.ts";
import { now } from "../state/clock.ts";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { ago, moment } from "../ui/format.ts";
import { t } from "../words/words.ts";

type Health = {
  seq: number;
  hash: string;
  trust: TrustClass;
  violation: string | null;
  last_verification: LastVerification | null;
};

const loadHealth = () => me().logHealth();

/** Verification reads everything; the server lets owners and auditors. */
const mayVerify = () => me().role === "owner" || me().role === "auditor";

export function LogHealth() {
  const { value, failure, reload } = useFetched(loadHealth);
  const busy = useSignal(false);
  const verify = async () => {
    busy.value = true;
    try {
      await me().verify();
    } catch (error) {
      sayFailure(error);
    } finally {
      busy.value = false;
      reload();
    }
  };
  return (
    <Card title={t("insights.log.title")} about={t("insights.log.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      {value !== null && <Facts health={value} />}
      {mayVerify() && (
        <div class="button-row">
          <button type="button" disabled={busy.value} onClick={() => void verify()}>
            {busy.value ? t("insights.log.verifying") : t("insights.log.verify")}
          </button>
        </div>
      )}
    </Card>
  );
}

function Facts({ health: { seq, hash, trust, violation, last_verification: last } }: { health: Health }) {
  return (
    <>
      {violation !== null && (
        <p class="warning" role="alert">
          {violation}
        </p>
      )}
      <dl class="facts">
        <div class="fact">
          <dt>{t("insights.log.events")}</dt>
          <dd class="digits">{seq}</dd>
        </div>
        <div class="fact">
          <dt>{t("insights.log.trust")}</dt>
          <dd translate={false}>{trust}</dd>
        </div>
        <div class="fact fact-wide">
          <dt>{t("insights.log.head")}</dt>
          <dd class="hash" translate={false}>
            {hash}
          </dd>
        </div>
        <div class="fact fact-wide">
          <dt>{t("insights.log.lastVerified")}</dt>
          <dd>{last === null ? t("insights.log.never") : <Found last={last} seq={seq} />}</dd>
        </div>
      </dl>
    </>
  );
}

function Found({ last, seq }: { last: LastVerification; seq: number }) {
  const when = ago(now.value - Date.parse(last.at));
  const words = last.ok
    ? [
        t("insights.log.ok", { count: last.events, ago: when }),
        ...(last.chain_only ? [t("insights.log.chainOnly")] : []),
        ...(seq > last.events ? [t("insights.log.since", { count: seq - last.events })] : []),
      ].join(", ")
    : t("insights.log.broken", { ago: when, problem: last.problem ?? "" });
  return (
    <span class={last.ok ? "state state-good" : "state state-bad"} role="status">
      <time dateTime={last.at} title={moment(last.at)}>
        {words}
      </time>
    </span>
  );
}
