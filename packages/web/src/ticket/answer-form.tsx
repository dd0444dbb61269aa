// The fields of a question. What is filled in is checked by the protocol's own rules before it is sent.
import type { Answer, AskOption, FieldValue, FormField, Question } from "@hap/protocol";
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

/** The answer as it stands; what is missing is for the check to say. A confirmation begins with neither. */
export type Draft = Exclude<Answer, { type: "confirm" }> | { type: "confirm"; confirmed: boolean | null };

/** Why an answer was refused, and which field of a form it is about. */
export type AnswerProblem = { text: string; key: string | null };

/** What a question begins with: its defaults, which are chosen for the person to see and never sent by themselves. */
export function firstDraft(ask: Question): Draft {
  switch (ask.type) {
    case "text":
      return { type: "text", text: ask.default ?? "" };
    case "choice":
      return { type: "choice", choices: ask.default === undefined ? [] : [ask.default].flat() };
    case "confirm":
      return { type: "confirm", confirmed: null };
    case "form":
      return {
        type: "form",
        values: Object.fromEntries(
          ask.fields.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value] as const])),
        ),
      };
  }
}

type Props = { ask: Question; draft: Signal<Draft>; problem: AnswerProblem | null };

export function AnswerForm({ ask, draft, problem }: Props) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (problem === null) return;
    const wrong = box.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? box.current?.querySelector<HTMLElement>("input, textarea"))?.focus();
  }, [problem]);
  return (
    <fieldset class="answer" ref={box}>
      <legend class="unseen">{t("ticket.answer.label")}</legend>
      <Fields ask={ask} draft={draft} problem={problem} />
    </fieldset>
  );
}

/** What is wrong, beside what it is about. */
function Problem({ problem, id }: { problem: AnswerProblem | null; id: string }) {
  if (problem === null) return null;
  return (
    <p class="problem" id={id} role="alert">
      {problem.text}
    </p>
  );
}

const marked = (problem: AnswerProblem | null, id: string) =>
  problem === null ? {} : { "aria-invalid": true, "aria-describedby": id };

function Fields({ ask, draft, problem }: Props) {
  const { value } = draft;
  const set = (changed: Draft) => {
    draft.value = changed;
  };
  if (ask.type === "text" && value.type === "text")
    return (
      <label class="field">
        <span>{t("ticket.answer.text")}</span>
        <textarea
          rows={4}
          value={value.text}
          onInput={(event) => set({ type: "text", text: event.currentTarget.value })}
          {...marked(problem, "answer-problem")}
        />
        {ask.max_length !== undefined && (
          <small class="quiet-words">{t("ticket.answer.length", { count: [...value.text].length, most: ask.max_length })}</small>
        )}
        <Problem problem={problem} id="answer-problem" />
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
          invalid={problem !== null}
          onChange={(choices) => set(ask.allow_multiple ? { ...value, choices } : { type: "choice", choices })}
        />
        {ask.allow_other && (
          <label class="field">
            <span>{t("ticket.answer.other")}</span>
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
        <Problem problem={problem} id="answer-problem" />
      </>
    );
  if (ask.type === "confirm" && value.type === "confirm")
    return (
      <>
        <Options
          name="confirm"
          options={[
            { key: "yes", label: ask.confirm_label },
            { key: "no", label: ask.cancel_label },
          ]}
          suggested={ask.default === undefined ? undefined : ask.default ? "yes" : "no"}
          several={false}
          chosen={value.confirmed === null ? [] : [value.confirmed ? "yes" : "no"]}
          invalid={problem !== null}
          onChange={([key]) => set({ type: "confirm", confirmed: key === "yes" })}
        />
        <Problem problem={problem} id="answer-problem" />
      </>
    );
  if (ask.type === "form" && value.type === "form") {
    const setField = (key: string, field: FieldValue) => set({ type: "form", values: { ...value.values, [key]: field } });
    return (
      <>
        {ask.fields.map((field) => (
          <Field
            field={field}
            value={value.values[field.key]}
            problem={problem?.key === field.key ? problem : null}
            onChange={(one) => setField(field.key, one)}
            key={field.key}
          />
        ))}
        {problem?.key === null && <Problem problem={problem} id="answer-problem" />}
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
  suggested?: string | undefined;
  invalid?: boolean;
  /** Which problem it is described by. */
  problemId?: string;
  onChange: (keys: string[]) => void;
};

function Options({
  name,
  options,
  several,
  chosen,
  suggested,
  invalid = false,
  problemId = "answer-problem",
  onChange,
}: OptionsProps) {
  const pick = (key: string) => {
    if (!several) return onChange([key]);
    onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  };
  return (
    <div class="options">
      {options.map(({ key, label, description }, at) => (
        <label class="option" key={key}>
          <input
            type={several ? "checkbox" : "radio"}
            name={name}
            value={key}
            checked={chosen.includes(key)}
            onChange={() => pick(key)}
            data-digit={at + 1}
            {...(invalid ? { "aria-invalid": true, "aria-describedby": problemId } : {})}
          />
          <span>
            <span class="option-label">
              <SafeText text={label} />
              {suggested === key && <span class="quiet-words"> {t("ticket.answer.suggested")}</span>}
            </span>
            {description !== undefined && (
              <span class="option-more">
                <SafeText text={description} />
              </span>
            )}
          </span>
          {at < 9 && <kbd class="digit">{at + 1}</kbd>}
        </label>
      ))}
    </div>
  );
}

function Field({
  field,
  value,
  problem,
  onChange,
}: {
  field: FormField;
  value: FieldValue | undefined;
  problem: AnswerProblem | null;
  onChange: (value: FieldValue) => void;
}) {
  const problemId = `problem-${field.key}`;
  const label = (
    <span>
      <SafeText text={field.label} />
      {field.required ? "" : ` ${t("ticket.answer.optional")}`}
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
          invalid={problem !== null}
          problemId={problemId}
        />
        {field.allow_other === true && (
          <label class="field">
            <span>{t("ticket.answer.other")}</span>
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
        <Problem problem={problem} id={problemId} />
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
        {...marked(problem, problemId)}
      />
      <Problem problem={problem} id={problemId} />
    </label>
  );
}
