// Grants and denials in force: what each does, how often it was used, and a button that ends it.
import type { GrantView } from "@hap/protocol";
import { Card } from "../settings/card.tsx";
import { useFetched } from "../settings/use-fetched.ts";
import { now } from "../state/clock.ts";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { PhraseDialog } from "../ticket/phrase-dialog.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { ago } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { confirmBegun } from "./confirm.ts";
import { usePhrase } from "./use-phrase.ts";

const load = () => me().grants({ state: "active" });

export function GrantsCard() {
  const { value, failure, reload } = useFetched(load);
  const phrase = usePhrase();
  const end = async ({ id, verdict }: GrantView) => {
    try {
      if (verdict === "allow") await me().endGrant(id);
      else {
        const confirmed = await confirmBegun(await me().beginGrantEnd(id), phrase.ask);
        if (confirmed === null) return;
        await me().endGrant(id, confirmed);
      }
      reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Card title={t("grants.title")} about={t("grants.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      {value?.length === 0 && <p class="quiet-words">{t("grants.none")}</p>}
      <ul class="plain-list">
        {value?.map((grant) => (
          <li class="list-row" key={grant.id}>
            <span>
              <span translate={false}>
                <SafeText text={grant.words} />
              </span>{" "}
              <span class="quiet-words">
                {t("grants.used", { count: grant.used })}
                {grant.last_used_at !== null && `, ${ago(now.value - Date.parse(grant.last_used_at))}`}
              </span>
            </span>
            <button type="button" class="quiet" onClick={() => void end(grant)}>
              {t("grants.end")}
            </button>
          </li>
        ))}
      </ul>
      {phrase.asked !== null && (
        <PhraseDialog
          title={t("grants.endDenial")}
          phrase={phrase.asked.phrase}
          action={t("grants.end")}
          busy={false}
          onConfirm={phrase.answer}
          onClose={() => phrase.answer(null)}
        >
          <p>{t("grants.endAbout")}</p>
        </PhraseDialog>
      )}
    </Card>
  );
}
