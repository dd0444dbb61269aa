// The way in: the code that the terminal shows, or a passkey.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { passkeyWords } from "./passkeys/assert.ts";
import { signInByPasskey } from "./passkeys/enrol.ts";
import { findServerCommand, findSession, linkProblem, serverCommand, session, signInByCode, wordsOf } from "./state/session.ts";
import { Icon } from "./ui/icons.tsx";
import { rich, t } from "./words/words.ts";

export function SignIn() {
  const code = useSignal("");
  const problem = useSignal<string | null>(linkProblem.value);
  const busy = useSignal(false);
  useEffect(() => void findServerCommand(), []);
  const attempt = async (work: () => Promise<void>, words: (error: unknown) => string) => {
    busy.value = true;
    problem.value = null;
    try {
      await work();
    } catch (error) {
      problem.value = words(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <Mark />
        <h1>{t("signIn.title")}</h1>
        <p class="quiet-words">
          {rich("signIn.about", {
            link: <code>{serverCommand.value} login --link</code>,
            code: <code>{serverCommand.value} login --code</code>,
          })}
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void attempt(() => signInByCode(code.value), wordsOf);
          }}
        >
          <label class="field">
            <span>{t("common.code")}</span>
            <input
              class="code-entry"
              type="text"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellcheck={false}
              placeholder={t("signIn.codePlaceholder")}
              value={code.value}
              onInput={(event) => {
                code.value = event.currentTarget.value;
              }}
            />
          </label>
          {problem.value !== null && (
            <p class="problem" role="alert">
              {problem.value}
            </p>
          )}
          <button type="submit" class="primary" disabled={busy.value || code.value.trim() === ""}>
            {t("signIn.submit")}
          </button>
        </form>
        <p class="or">{t("signIn.or")}</p>
        <button
          type="button"
          disabled={busy.value}
          onClick={() => void attempt(() => signInByPasskey().then(findSession), passkeyWords)}
        >
          <Icon name="key" /> {t("signIn.passkey")}
        </button>
      </div>
    </main>
  );
}

/** How often the page looks again for a server that did not answer. */
const AGAIN_MS = 2_000;

export function Unreachable() {
  const { value } = session;
  useEffect(() => {
    const timer = setInterval(() => void findSession(), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <Mark />
        <h1>{t("signIn.noAnswer")}</h1>
        <p role="alert">{value.status === "unreachable" ? value.message : ""}</p>
        <button type="button" class="primary" onClick={() => void findSession()}>
          {t("common.tryAgain")}
        </button>
      </div>
    </main>
  );
}

/** The sign of the house. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" role="img" aria-label={t("common.product")}>
      <rect x="1" y="1" width="30" height="30" rx="9" />
      <path d="M9 16.500 14 21.500 23.500 11" />
    </svg>
  );
}
