// "Always allow this" and "always deny this" from a ticket: the narrowest grant first, what it would have answered, for how long and
// where. This is the interface of grants (D43) and makes nothing else.
import type { GrantInput, GrantPreview, GrantProposal, Ticket } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { me, signedOut, wordsOf } from "../state/session.ts";
import { say } from "../state/toasts.ts";
import { PhraseDialog } from "../ticket/phrase-dialog.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words/words.ts";
import { confirmBegun } from "./confirm.ts";
import { usePhrase } from "./use-phrase.ts";

const HOURS = 3600;
type Scope = "session" | "project" | "hours" | "forever";
type Props = { ticket: Ticket; verdict: "allow" | "deny"; title: string; onClose: () => void };

/** A grant's input, narrowed to a scope. */
function within(input: GrantInput, scope: Scope, { session, project }: Ticket): GrantInput {
  const seconds = scope === "forever" ? null : scope === "hours" ? 8 * HOURS : 24 * HOURS;
  if (scope === "session") return { ...input, session, seconds };
  return scope === "project" ? { ...input, project, seconds: null } : { ...input, seconds };
}

export function GrantDialog({ ticket, verdict, title, onClose }: Props) {
  const proposal = useSignal<GrantProposal | null>(null);
  const chosen = useSignal(0);
  const scopes: Scope[] = [
    "hours",
    ...(ticket.session === null ? [] : (["session"] as const)),
    ...(ticket.project === null ? [] : (["project"] as const)),
    "forever",
  ];
  const scope = useSignal<Scope>("hours");
  const preview = useSignal<GrantPreview | null>(null);
  const problem = useSignal<string | null>(null);
  const busy = useSignal(false);
  const phrase = usePhrase();
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
  const offers = proposal.value === null ? [] : [proposal.value, ...proposal.value.wider];
  const input = () => within((offers[chosen.value] ?? offers[0])?.input as GrantInput, scope.value, ticket);
  useEffect(() => {
    void attempt(async () => {
      proposal.value = await me().proposeGrant(ticket.id, { seconds: 8 * HOURS, verdict });
    });
  }, [ticket.id, verdict]);
  useEffect(() => {
    if (proposal.value === null) return;
    void attempt(async () => {
      preview.value = await me().previewGrant(input());
    });
  }, [proposal.value, chosen.value, scope.value]);
  const make = () =>
    attempt(async () => {
      const begun = await me().beginGrant(input());
      const confirmed = await confirmBegun(begun, phrase.ask);
      if (confirmed === null) return;
      const made = await me().createGrant(confirmed);
      say(made.words);
      onClose();
    });
  if (phrase.asked !== null)
    return (
      <PhraseDialog
        title={title}
        phrase={phrase.asked.phrase}
        action={t(`grants.${verdict}`)}
        busy={false}
        onConfirm={phrase.answer}
        onClose={() => phrase.answer(null)}
      >
        <p translate={false}>
          <SafeText text={(offers[chosen.value] ?? offers[0])?.words ?? ""} />
        </p>
      </PhraseDialog>
    );
  return (
    <Dialog title={title} onClose={onClose} wide>
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {proposal.value === null && problem.value === null && <p class="quiet-words">{t("common.loading")}</p>}
      {offers.length > 0 && (
        <>
          <fieldset class="options">
            <legend>{t("grants.what")}</legend>
            {offers.map(({ words }, at) => (
              <label class="option" key={at}>
                <input
                  type="radio"
                  name="grant"
                  checked={chosen.value === at}
                  onChange={() => {
                    chosen.value = at;
                  }}
                />
                <span translate={false}>
                  <SafeText text={words} />
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset class="choice-row">
            <legend>{t("grants.scope")}</legend>
            {scopes.map((name) => (
              <label class="option" key={name}>
                <input
                  type="radio"
                  name="scope"
                  checked={scope.value === name}
                  onChange={() => {
                    scope.value = name;
                  }}
                />
                <span>{t(`grants.scope.${name}`)}</span>
              </label>
            ))}
          </fieldset>
          {preview.value !== null && <Preview preview={preview.value} />}
        </>
      )}
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
        <button
          type="button"
          class={verdict === "deny" ? "bad" : "good"}
          disabled={busy.value || preview.value === null}
          onClick={() => void make()}
        >
          {t(`grants.${verdict}`)}
        </button>
      </div>
    </Dialog>
  );
}

function Preview({ preview: { tickets, matches, approved, rejected } }: { preview: GrantPreview }) {
  return (
    <div class="preview" role="status">
      <p>{t("grants.preview", { count: matches.length, tickets, approved, rejected })}</p>
      <ul>
        {matches.slice(0, 5).map(({ id, summary, outcome }) => (
          <li key={id} translate={false}>
            <SafeText text={summary} /> {outcome !== null && <span class="quiet-words">{outcome.replaceAll("_", " ")}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
