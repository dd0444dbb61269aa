// An open question is answered where it was asked: options and confirmations as buttons, a form as its fields.
import type { AskOption } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { AnswerForm, type Draft, firstDraft } from "../ticket/answer-form.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { t } from "../words/words.ts";
import type { OpenQuestion } from "./reply.ts";
import type { Reply } from "./use-reply.ts";

type Props = { ticket: OpenQuestion; reply: Reply };

export function QuickAnswer({ ticket, reply }: Props) {
  const { ask } = ticket;
  switch (ask.type) {
    case "text":
      return reply.target?.id === ticket.id ? null : <p class="quiet-words">{t("conversations.quickAnswer.anotherFirst")}</p>;
    case "confirm":
      return (
        <Buttons
          ticket={ticket}
          reply={reply}
          options={[
            { key: "yes", label: ask.confirm_label },
            { key: "no", label: ask.cancel_label },
          ]}
          suggested={ask.default === undefined ? [] : [ask.default ? "yes" : "no"]}
          onPick={(key) => reply.answer(ticket, { type: "confirm", confirmed: key === "yes" })}
        />
      );
    case "choice":
      return ask.allow_multiple ? (
        <Several ticket={ticket} reply={reply} options={ask.options} />
      ) : (
        <Buttons
          ticket={ticket}
          reply={reply}
          options={ask.options}
          suggested={[ask.default ?? []].flat()}
          onPick={(key) => reply.answer(ticket, { type: "choice", choices: [key] })}
        />
      );
    case "form":
      return <FormAnswer ticket={ticket} reply={reply} />;
  }
}

function Problem({ ticket, reply }: Props) {
  const problem = reply.problems.value[ticket.id];
  return problem === undefined ? null : (
    <p class="problem" role="alert">
      {problem.text}
    </p>
  );
}

type ButtonsProps = Props & { options: readonly AskOption[]; suggested: readonly string[]; onPick: (key: string) => void };

/** One tap answers. */
function Buttons({ ticket, reply, options, suggested, onPick }: ButtonsProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs; these are buttons. */}
      <div class="answer-buttons" role="group" aria-label={t("conversations.quickAnswer.options")}>
        {options.map(({ key, label, description }) => (
          <button
            type="button"
            class={suggested.includes(key) ? "answer-button suggested" : "answer-button"}
            disabled={reply.busy.value}
            onClick={() => onPick(key)}
            key={key}
          >
            <SafeText text={label} />
            {description !== undefined && (
              <small>
                <SafeText text={description} />
              </small>
            )}
          </button>
        ))}
      </div>
      <Problem ticket={ticket} reply={reply} />
    </>
  );
}

/** Several can be chosen, then sent; words in the reply box count as another one where the question takes them. */
function Several({ ticket, reply, options }: Props & { options: readonly AskOption[] }) {
  const preset = ticket.ask.type === "choice" ? [ticket.ask.default ?? []].flat() : [];
  const chosen = reply.chosen.value[ticket.id] ?? preset;
  const other = ticket.ask.type === "choice" && ticket.ask.allow_other ? reply.words.value.trim() : "";
  const toggle = (key: string) => {
    const keys = chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key];
    reply.chosen.value = { ...reply.chosen.value, [ticket.id]: keys };
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs; these are buttons. */}
      <div class="answer-buttons" role="group" aria-label={t("conversations.quickAnswer.options")}>
        {options.map(({ key, label }) => (
          <button type="button" class="answer-button" aria-pressed={chosen.includes(key)} onClick={() => toggle(key)} key={key}>
            <SafeText text={label} />
          </button>
        ))}
      </div>
      <Problem ticket={ticket} reply={reply} />
      <button
        type="button"
        class="primary send-picks"
        disabled={reply.busy.value || (chosen.length === 0 && other === "")}
        onClick={() =>
          reply.answer(
            ticket,
            { type: "choice", choices: [...chosen], ...(other === "" ? {} : { other }) },
            other === "" ? undefined : "",
          )
        }
      >
        {t("conversations.quickAnswer.sendChoice")}
      </button>
    </>
  );
}

function FormAnswer({ ticket, reply }: Props) {
  const draft = useSignal<Draft>(firstDraft(ticket.ask));
  const label = useId();
  return (
    <form
      class="form-answer"
      aria-labelledby={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        reply.answer(ticket, draft.value);
      }}
    >
      <span class="unseen" id={label}>
        {t("conversations.quickAnswer.form")}
      </span>
      <AnswerForm ask={ticket.ask} draft={draft} problem={reply.problems.value[ticket.id] ?? null} />
      <button type="submit" class="primary send-picks" disabled={reply.busy.value}>
        {t("conversations.quickAnswer.sendForm")}
      </button>
    </form>
  );
}
