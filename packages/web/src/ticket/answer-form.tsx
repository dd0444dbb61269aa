// The fields of a question. What is filled in is checked by the protocol's own rules before it is sent.
import type { Answer, AskOption, FieldValue, FormField, Question } from "@hap/protocol";
import type { Signal } from "@preact/signals";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

/** The answer as it stands; what is missing is for the check to say. */
export type Draft = Answer;

/** What a question begins with: its defaults, which are chosen for the person to see and never sent by themselves. */
export function firstDraft(ask: Question): Draft {
  switch (ask.type) {
    case "text":
      return { type: "text", text: ask.default ?? "" };
    case "choice":
      return { type: "choice", choices: ask.default === undefined ? [] : [ask.default].flat() };
    case "confirm":
      return { type: "confirm", confirmed: ask.default ?? false };
    case "form":
      return {
        type: "form",
        values: Object.fromEntries(
          ask.fields.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value] as const])),
        ),
      };
  }
}

type Props = { ask: Question; draft: Signal<Draft>; problem: string | null; disabled: boolean };

export function AnswerForm({ ask, draft, problem, disabled }: Props) {
  return (
    <fieldset class="answer" disabled={disabled} aria-describedby={problem === null ? undefined : "answer-problem"}>
      <legend class="unseen">{t("ticket.answerForm.yourAnswer")}</legend>
      <Fields ask={ask} draft={draft} />
      {problem !== null && (
        <p class="problem" id="answer-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function Fields({ ask, draft }: Pick<Props, "ask" | "draft">) {
  const { value } = draft;
  const set = (changed: Draft) => {
    draft.value = changed;
  };
  if (ask.type === "text" && value.type === "text")
    return (
      <label class="field">
        <span>{t("ticket.answerForm.yourWords")}</span>
        <textarea rows={4} value={value.text} onInput={(event) => set({ type: "text", text: event.currentTarget.value })} />
        {ask.max_length !== undefined && (
          <small class="quiet-words">
            {t("ticket.answerForm.valueOfMaxLengthCharacters", { value: [...value.text].length, max_length: ask.max_length })}
          </small>
        )}
      </label>
    );
  if (ask.type === "choice" && value.type === "choice")
    return (
      <>
        <Options
          name="choice"
          options={ask.options}
          several={ask.allow_multiple}
          chosen={value.choices}
          onChange={(choices) => set(ask.allow_multiple ? { ...value, choices } : { type: "choice", choices })}
        />
        {ask.allow_other && (
          <label class="field">
            <span>{t("ticket.answerForm.somethingElse")}</span>
            <input
              type="text"
              value={value.other ?? ""}
              onInput={(event) => {
                const other = event.currentTarget.value;
                const choices = ask.allow_multiple ? value.choices : [];
                set({ type: "choice", choices, ...(other === "" ? {} : { other }) });
              }}
            />
          </label>
        )}
      </>
    );
  if (ask.type === "confirm" && value.type === "confirm")
    return (
      <Options
        name="confirm"
        options={[
          { key: "no", label: ask.cancel_label },
          { key: "yes", label: ask.confirm_label },
        ]}
        several={false}
        chosen={[value.confirmed ? "yes" : "no"]}
        onChange={([key]) => set({ type: "confirm", confirmed: key === "yes" })}
      />
    );
  if (ask.type === "form" && value.type === "form") {
    const setField = (key: string, field: FieldValue) => set({ type: "form", values: { ...value.values, [key]: field } });
    return (
      <>
        {ask.fields.map((field) => (
          <Field field={field} value={value.values[field.key]} onChange={(one) => setField(field.key, one)} key={field.key} />
        ))}
      </>
    );
  }
  return null;
}

type OptionsProps = {
  name: string;
  options: readonly AskOption[];
  several: boolean;
  chosen: readonly string[];
  onChange: (keys: string[]) => void;
};

function Options({ name, options, several, chosen, onChange }: OptionsProps) {
  const pick = (key: string) => {
    if (!several) return onChange([key]);
    onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  };
  return (
    <div class="options">
      {options.map(({ key, label, description }) => (
        <label class="option" key={key}>
          <input
            type={several ? "checkbox" : "radio"}
            name={name}
            value={key}
            checked={chosen.includes(key)}
            onChange={() => pick(key)}
          />
          <span>
            <span class="option-label">
              <SafeText text={label} />
            </span>
            {description !== undefined && (
              <span class="option-more">
                <SafeText text={description} />
              </span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}

function Field({
  field,
  value,
  onChange,
}: {
  field: FormField;
  value: FieldValue | undefined;
  onChange: (value: FieldValue) => void;
}) {
  const label = (
    <span>
      <SafeText text={field.label} />
      {field.required ? "" : ` ${t("ticket.answerForm.optional")}`}
    </span>
  );
  if (field.kind === "boolean")
    return (
      <label class="option">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {label}
      </label>
    );
  if (field.kind === "choice") {
    const given = value === undefined || value === "" ? [] : ([value].flat() as string[]);
    const isKey = (item: string) => field.options?.some(({ key }) => key === item) === true;
    const chosen = given.filter(isKey);
    const own = given.filter((item) => !isKey(item));
    return (
      <fieldset class="field" aria-label={field.label}>
        {label}
        <Options
          name={`field ${field.key}`}
          options={field.options ?? []}
          several={field.allow_multiple}
          chosen={chosen}
          onChange={(keys) => onChange(field.allow_multiple ? [...keys, ...own] : (keys[0] as string))}
        />
        {field.allow_other === true && (
          <label class="field">
            <span>{t("ticket.answerForm.somethingElse")}</span>
            <input
              type="text"
              value={own[0] ?? ""}
              onInput={(event) => {
                const other = event.currentTarget.value;
                onChange(field.allow_multiple ? [...chosen, ...(other === "" ? [] : [other])] : other);
              }}
            />
          </label>
        )}
      </fieldset>
    );
  }
  return (
    <label class="field">
      {label}
      <input
        type="text"
        inputMode={field.kind === "number" ? "decimal" : "text"}
        value={value === undefined ? "" : String(value)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
