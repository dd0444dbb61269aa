// The person's passkeys: what they are worth, a new one, and taking one out of use.
import type { Credential } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { passkeyWords } from "../passkeys/assert.ts";
import { enrolPasskey } from "../passkeys/enrol.ts";
import { findServerCommand, me, serverCommand } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { moment, usedWords } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { rich, t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

const loadCredentials = () => me().credentials();

type AskCode = { resolve: (code: string) => void; reject: (error: Error) => void };

export function Passkeys() {
  const { value, failure, reload } = useFetched(loadCredentials);
  const label = useSignal("");
  const busy = useSignal(false);
  const asking = useSignal<AskCode | null>(null);
  const problem = useSignal<string | null>(null);
  const askCode = () =>
    new Promise<string>((resolve, reject) => {
      asking.value = { resolve, reject };
    });
  const add = async () => {
    busy.value = true;
    problem.value = null;
    try {
      await enrolPasskey(label.value.trim(), askCode);
      label.value = "";
      say(t("settings.passkeys.added"));
      reload();
    } catch (error) {
      problem.value = passkeyWords(error);
    } finally {
      asking.value = null;
      busy.value = false;
    }
  };
  const revoke = async (id: string) => {
    try {
      await me().revokeCredential(id);
      reload();
    } catch (error) {
      problem.value = passkeyWords(error);
    }
  };
  const inUse = value?.filter(({ revoked_at }) => revoked_at === null) ?? [];
  return (
    <Card title={t("settings.passkeys.title")} about={t("settings.passkeys.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      <ul class="things">
        {inUse.map((credential) => (
          <Thing credential={credential} onRevoke={() => void revoke(credential.id)} key={credential.id} />
        ))}
      </ul>
      {value !== null && inUse.length === 0 && <p class="quiet-words">{t("common.noneYet")}</p>}
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label class="field">
          <span>{t("settings.passkeys.name")}</span>
          <input
            type="text"
            maxLength={100}
            placeholder={t("settings.passkeys.namePlaceholder")}
            value={label.value}
            onInput={(event) => {
              label.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={busy.value}>
          <Icon name="key" /> {t("settings.passkeys.add")}
        </button>
      </form>
      {asking.value !== null && <CodeDialog asking={asking.value} />}
    </Card>
  );
}

function Thing({ credential, onRevoke }: { credential: Credential; onRevoke: () => void }) {
  const sure = useSignal(false);
  return (
    <li class="thing">
      <span class="thing-words">
        <strong>{credential.label ?? t("settings.passkeys.nameless")}</strong>
        <span class="quiet-words">
          {[
            credential.kind === "ssh" ? t("settings.passkeys.kindSsh") : t("settings.passkeys.kindPasskey"),
            t("settings.passkeys.countsAs", { level: credential.level }),
            ...(credential.anchored ? [] : [t("settings.passkeys.unanchored")]),
          ].join(", ")}
          {` · ${t("common.since", { at: moment(credential.created_at) })} · ${usedWords(credential.last_used_at)}`}
        </span>
      </span>
      <button
        type="button"
        class={sure.value ? "bad" : "quiet"}
        onClick={() => {
          if (sure.value) onRevoke();
          sure.value = !sure.value;
        }}
      >
        {sure.value ? t("settings.passkeys.reallyRevoke") : t("common.revoke")}
      </button>
    </li>
  );
}

function CodeDialog({ asking }: { asking: AskCode }) {
  const code = useSignal("");
  useEffect(() => void findServerCommand(), []);
  const close = () => asking.reject(new Error(t("settings.passkeys.noCode")));
  return (
    <Dialog title={t("settings.passkeys.codeTitle")} onClose={close}>
      <p>{rich("settings.passkeys.codeAbout", { code: <code>{serverCommand.value} credential code</code> })}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          asking.resolve(code.value);
        }}
      >
        <label class="field">
          <span>{t("common.code")}</span>
          <input
            data-first
            class="code-entry"
            type="text"
            autoComplete="one-time-code"
            spellcheck={false}
            value={code.value}
            onInput={(event) => {
              code.value = event.currentTarget.value;
            }}
          />
        </label>
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            {t("common.back")}
          </button>
          <button type="submit" class="primary" disabled={code.value.trim() === ""}>
            {t("settings.passkeys.codeSubmit")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
