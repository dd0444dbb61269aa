// Being called when no page is open: on or off for this browser, or why it cannot be.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type PushState, readPush, switchPushOff, switchPushOn } from "../push.ts";
import { prefer, preferences } from "../state/preferences.ts";
import { findServerCommand, serverCommand, signedOut, wordsOf } from "../state/session.ts";
import { rich, t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

export function Push() {
  const { value, failure, reload } = useFetched(readPush);
  const problem = useSignal<string | null>(null);
  const busy = useSignal(false);
  const change = async (on: boolean) => {
    busy.value = true;
    problem.value = null;
    try {
      await (on ? switchPushOn() : switchPushOff());
    } catch (error) {
      if (!signedOut(error)) problem.value = wordsOf(error);
    } finally {
      busy.value = false;
      reload();
    }
  };
  return (
    <Card title={t("settings.push.title")} about={t("settings.push.about")}>
      {[failure, problem.value].map((words) => words !== null && <p class="problem">{words}</p>)}
      {value !== null && <WhyNot status={value.status} />}
      {(value?.status === "on" || value?.status === "off") && (
        <label class="option">
          <input
            type="checkbox"
            checked={value.status === "on"}
            disabled={busy.value}
            onChange={(event) => void change(event.currentTarget.checked)}
          />
          <span>{t("settings.push.callMe")}</span>
        </label>
      )}
      {value?.status === "on" && (
        <label class="option">
          <input
            type="checkbox"
            checked={preferences.value.pushSummary}
            disabled={busy.value}
            onChange={(event) => {
              prefer({ pushSummary: event.currentTarget.checked });
              void change(true);
            }}
          />
          <span>{t("settings.push.summary")}</span>
        </label>
      )}
      {value !== null && value.browsers > 0 && (
        <p class="quiet-words">{t("settings.push.browsers", { count: value.browsers })}</p>
      )}
    </Card>
  );
}

function WhyNot({ status }: Pick<PushState, "status">) {
  useEffect(() => void findServerCommand(), []);
  switch (status) {
    case "unconfigured":
      return <p>{rich("settings.push.unconfigured", { command: <code>{serverCommand.value} push keys</code> })}</p>;
    case "insecure":
      return <p>{t("settings.push.insecure")}</p>;
    case "unsupported":
      return <p>{t("settings.push.unsupported")}</p>;
    case "refused":
      return <p>{t("settings.appearance.notificationsBlocked")}</p>;
    default:
      return null;
  }
}
