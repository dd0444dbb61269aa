// The policy: as it is in force, and as somebody proposes it, with its answers to the last tickets before it is saved.
import type { PolicyPreview } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { PhraseDialog } from "../ticket/phrase-dialog.tsx";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { PreviewTable } from "./preview-table.tsx";
import { RuleEditor, readRules } from "./rule-editor.tsx";
import { useFetched } from "./use-fetched.ts";

type Present = { text: string; hash: string; trusted: boolean };

const example = `{
  "version": 1,
  "rules": [
    {
      "id": "tests",
      "match": { "kind": "run_command", "command": ["npm test", "npm run lint"] },
      "verdict": "allow",
      "why": "Tests and linters change nothing"
    }
  ]
}
`;

/** Without a policy a person answers everything. */
const loadPolicy = (): Promise<Present> => me().policy({ or_none: true });

export function Rules({ owner }: { owner: boolean }) {
  const { value, failure, reload } = useFetched(loadPolicy);
  return (
    <Card title={t("settings.rules.title")} about={t("settings.rules.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      {value !== null &&
        (owner ? (
          <Editor present={value} onSaved={reload} key={value.hash} />
        ) : (
          <pre class="code">{value.text === "" ? t("settings.rules.none") : value.text}</pre>
        ))}
    </Card>
  );
}

function Editor({ present, onSaved }: { present: Present; onSaved: () => void }) {
  const text = useSignal(present.text === "" ? example : present.text);
  const preview = useSignal<PolicyPreview | null>(null);
  const problem = useSignal<string | null>(null);
  const busy = useSignal(false);
  const phrase = useSignal<string | null>(null);
  const asJson = useSignal(readRules(text.value) === null);
  const write = (changed: string) => {
    text.value = changed;
    preview.value = null;
  };
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
  const tryOut = () =>
    attempt(async () => {
      preview.value = await me().previewPolicy(text.value);
    });
  const confirm = () =>
    attempt(async () => {
      phrase.value = (await me().issuePolicyPhrase({ text: text.value })).phrase;
    });
  const save = (typed: string) =>
    attempt(async () => {
      phrase.value = null;
      await me().savePolicy({ text: text.value, replaces: present.hash === "" ? null : present.hash, phrase: typed });
      say(t("settings.rules.saved"));
      onSaved();
    });
  const changed = text.value !== present.text || !present.trusted;
  return (
    <>
      {!present.trusted && <p class="warning">{t("settings.rules.unconfirmed")}</p>}
      {present.text === "" && <p class="quiet-words">{t("settings.rules.noneYet")}</p>}
      <div class="button-row">
        <button
          type="button"
          class="quiet"
          aria-pressed={asJson.value}
          onClick={() => {
            asJson.value = !asJson.value;
          }}
        >
          {t("settings.rules.json")}
        </button>
      </div>
      {asJson.value ? (
        <label class="field">
          <span>{t("settings.rules.jsonLabel")}</span>
          <textarea
            class="code-input"
            rows={14}
            spellcheck={false}
            value={text.value}
            onInput={(event) => write(event.currentTarget.value)}
          />
        </label>
      ) : (
        <RuleEditor text={text.value} onChange={write} />
      )}
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="button-row">
        <button type="button" disabled={busy.value} onClick={() => void tryOut()}>
          {t("settings.rules.try")}
        </button>
        <button
          type="button"
          class="primary"
          disabled={busy.value || preview.value === null || !changed}
          title={preview.value === null ? t("settings.rules.tryFirst") : undefined}
          onClick={() => void confirm()}
        >
          {t("settings.rules.save")}
        </button>
      </div>
      {preview.value !== null && <PreviewTable preview={preview.value} />}
      {phrase.value !== null && (
        <PhraseDialog
          title={t("settings.rules.confirmTitle")}
          phrase={phrase.value}
          action={t("settings.rules.confirm")}
          busy={busy.value}
          onConfirm={(typed) => void save(typed)}
          onClose={() => {
            phrase.value = null;
          }}
        >
          <p>{t("settings.rules.confirmAbout")}</p>
        </PhraseDialog>
      )}
    </>
  );
}
