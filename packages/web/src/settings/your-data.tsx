// One's own data (draft 19.1): download it, or be deleted, after a look at what goes and what stays, and a typed phrase.
import type { PersonDeletion } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { PhraseDialog } from "../ticket/phrase-dialog.tsx";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";

type Decisions = Record<string, "erase" | "keep">;

export function YourData({ person }: { person: string }) {
  const plan = useSignal<PersonDeletion | null>(null);
  const phrase = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const busy = useSignal(false);
  const decisions = useSignal<Decisions>({});
  const attempt = async (work: () => Promise<void>) => {
    busy.value = true;
    problem.value = null;
    try {
      await work();
    } catch (error) {
      if (!signedOut(error)) problem.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  };
  const look = () =>
    attempt(async () => {
      plan.value = await me().deletePerson(person, { dry_run: true });
    });
  const confirm = () =>
    attempt(async () => {
      phrase.value = (await me().issueDeletionPhrase(person)).phrase;
    });
  const remove = (typed: string) =>
    attempt(async () => {
      phrase.value = null;
      await me().deletePerson(person, { phrase: typed, mentions: decisions.value });
      location.reload();
    });
  return (
    <Card title={t("settings.yourData.title")} about={t("settings.yourData.about")}>
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="button-row">
        <button type="button" disabled={busy.value} onClick={() => void attempt(() => download(person))}>
          {t("settings.yourData.download")}
        </button>
        <button type="button" disabled={busy.value} onClick={() => void look()}>
          {t("settings.yourData.look")}
        </button>
      </div>
      {plan.value !== null && (
        <Plan plan={plan.value} decisions={decisions.value} busy={busy.value} onConfirm={() => void confirm()}>
          {(digest, decision) => {
            decisions.value = { ...decisions.value, [digest]: decision };
          }}
        </Plan>
      )}
      {phrase.value !== null && (
        <PhraseDialog
          title={t("settings.yourData.deleteMe")}
          phrase={phrase.value}
          action={t("settings.yourData.deleteMe")}
          busy={busy.value}
          onConfirm={(typed) => void remove(typed)}
          onClose={() => {
            phrase.value = null;
          }}
        >
          <p>{t("settings.yourData.final")}</p>
        </PhraseDialog>
      )}
    </Card>
  );
}

type PlanProps = {
  plan: PersonDeletion;
  decisions: Decisions;
  busy: boolean;
  onConfirm: () => void;
  /** Called with what was decided on one text. */
  children: (digest: string, decision: "erase" | "keep") => void;
};

function Plan({ plan, decisions, busy, onConfirm, children: decide }: PlanProps) {
  const open = plan.mentions.filter(({ kept_because }) => kept_because === null);
  const ready = plan.blockers.length === 0 && open.every(({ digest }) => decisions[digest] !== undefined);
  return (
    <div class="deletion-plan">
      {plan.blockers.map((blocker) => (
        <p class="warning" key={blocker}>
          {blocker}
        </p>
      ))}
      <p>
        {t("settings.yourData.goes", {
          texts: plan.erased.texts,
          sessions: plan.erased.sessions,
          keys: plan.erased.credentials_revoked,
          tickets: plan.open_tickets.length,
        })}
      </p>
      {open.length > 0 && <p>{t("settings.yourData.mentions", { count: open.length })}</p>}
      {open.map(({ digest, excerpt, field, written_by }) => (
        <fieldset class="field" key={digest}>
          <legend>{`${field}${written_by === null ? "" : `, ${written_by}`}: ${excerpt}`}</legend>
          {(["erase", "keep"] as const).map((decision) => (
            <label class="option" key={decision}>
              <input
                type="radio"
                name={digest}
                checked={decisions[digest] === decision}
                onChange={() => decide(digest, decision)}
              />
              <span>{t(decision === "erase" ? "settings.yourData.erase" : "settings.yourData.keep")}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <details>
        <summary>{t("settings.yourData.stays")}</summary>
        <ul>
          {plan.kept.map(({ what, why }) => (
            <li key={what}>
              <strong>{what}</strong> {why}
            </li>
          ))}
        </ul>
      </details>
      <div class="button-row">
        <button type="button" class="bad" disabled={!ready || busy} onClick={onConfirm}>
          {t("settings.yourData.deleteMe")}
        </button>
      </div>
    </div>
  );
}

/** Save everything as a file. */
async function download(person: string): Promise<void> {
  const data = await me().exportPerson(person);
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${person.replace(":", "-")}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
