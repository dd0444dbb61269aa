// Whom this log knows, and by what accounts they come in. Roles are given in the policy.
import { useSignal } from "@preact/signals";
import { me } from "../state/session.ts";
import { moment, shortName } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { Card } from "./card.tsx";
import { useFetched } from "./use-fetched.ts";

const loadPeople = () => me().people();

export function People() {
  const { value, failure, change } = useFetched(loadPeople);
  return (
    <Card title={t("settings.people.title")} about={t("settings.people.about")}>
      {failure !== null && <p class="problem">{failure}</p>}
      <ul class="things">
        {value?.map(({ person, role, since, subjects }) => (
          <li class="thing" key={person}>
            <span class="thing-words">
              <strong translate={false}>{shortName(person)}</strong>
              <span class="quiet-words">
                {role === null ? t("settings.people.noRole") : <span translate={false}>{role}</span>} ·{" "}
                {t("common.since", { at: moment(since) })}
              </span>
              {subjects.map(({ issuer, subject }) => (
                <span class="quiet-words" key={`${issuer} ${subject}`}>
                  {t("settings.people.account", { subject, issuer })}{" "}
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => void change(() => me().unlinkSubject(person, issuer, subject))}
                  >
                    {t("settings.people.unlink")}
                  </button>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <LinkForm people={value?.map(({ person }) => person) ?? []} onLink={change} />
    </Card>
  );
}

function LinkForm({ people, onLink }: { people: readonly string[]; onLink: (work: () => Promise<unknown>) => Promise<void> }) {
  const person = useSignal("");
  const issuer = useSignal("");
  const subject = useSignal("");
  const chosen = person.value === "" ? (people[0] ?? "") : person.value;
  return (
    <details>
      <summary>{t("settings.people.linkTitle")}</summary>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void onLink(() => me().linkSubject(chosen, issuer.value.trim(), subject.value.trim()));
        }}
      >
        <label class="field">
          <span>{t("common.person")}</span>
          <select
            value={chosen}
            onChange={(event) => {
              person.value = event.currentTarget.value;
            }}
          >
            {people.map((name) => (
              <option value={name} key={name} translate={false}>
                {shortName(name)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("settings.people.issuer")}</span>
          <input
            type="text"
            value={issuer.value}
            onInput={(event) => {
              issuer.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="field">
          <span>{t("settings.people.subject")}</span>
          <input
            type="text"
            value={subject.value}
            onInput={(event) => {
              subject.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={issuer.value.trim() === "" || subject.value.trim() === ""}>
          {t("settings.people.link")}
        </button>
      </form>
    </details>
  );
}
