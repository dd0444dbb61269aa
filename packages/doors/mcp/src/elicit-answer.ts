// A question as a form that the model's host shows to its user, and the user's entries as an answer. What comes back is
// relayed: nothing proves that a person gave it (D4). A default is preselected, never sent for them.
import type { AskOption, FormField, Question, Ticket } from "@hap/protocol";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"];
type Property = Properties[string];

/** What the host is asked to show. */
export function answerForm(ticket: Ticket, ask: Question): ElicitRequestFormParams {
  const { properties, required } = fieldsOf(ask, promptOf(ticket, ask));
  return {
    mode: "form",
    message: `${ticket.from} asks: ${promptOf(ticket, ask)}`,
    requestedSchema: { type: "object", properties, required },
  };
}

function promptOf({ intent }: Ticket, ask: Question): string {
  const shown = ask.prompt ?? (ask.type === "confirm" ? ask.text : undefined);
  return shown === undefined || shown === intent.summary ? intent.summary : `${intent.summary}\n${shown}`;
}

function fieldsOf(ask: Question, title: string): { properties: Properties; required: string[] } {
  switch (ask.type) {
    case "text":
      return only({
        type: "string",
        title,
        ...(ask.max_length === undefined ? {} : { maxLength: ask.max_length }),
        ...(ask.default === undefined ? {} : { default: ask.default }),
      });
    case "confirm":
      return only(
        oneOf(
          title,
          [
            { key: "yes", label: ask.confirm_label },
            { key: "no", label: ask.cancel_label },
          ],
          ask.default === undefined ? undefined : ask.default ? "yes" : "no",
        ),
      );
    case "choice": {
      const answer = choiceField(title, ask.options, ask.allow_multiple, ask.default);
      if (!ask.allow_other) return only(answer);
      return { properties: { answer, other: { type: "string", title: "Something else" } }, required: [] };
    }
    case "form":
      return {
        properties: Object.fromEntries(ask.fields.flatMap((field) => [[field.key, formField(field)], ...otherField(field)])),
        required: ask.fields.filter((field) => field.required && field.allow_other !== true).map(({ key }) => key),
      };
  }
}

function only(answer: Property): { properties: Properties; required: string[] } {
  return { properties: { answer }, required: ["answer"] };
}

function oneOf(title: string, options: readonly AskOption[], preset: string | undefined): Property {
  return {
    type: "string",
    title,
    oneOf: options.map(({ key, label }) => ({ const: key, title: label })),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function choiceField(title: string, options: readonly AskOption[], several: boolean, preset: unknown): Property {
  const chosen = Array.isArray(preset) ? preset.map(String) : typeof preset === "string" ? [preset] : [];
  if (!several) return oneOf(title, options, chosen[0]);
  return {
    type: "array",
    title,
    items: { anyOf: options.map(({ key, label }) => ({ const: key, title: label })) },
    ...(chosen.length === 0 ? {} : { default: chosen }),
  };
}

function formField(field: FormField): Property {
  const { label: title, default: preset } = field;
  switch (field.kind) {
    case "choice":
      return choiceField(title, field.options ?? [], field.allow_multiple, preset);
    case "boolean":
      return { type: "boolean", title, ...(typeof preset === "boolean" ? { default: preset } : {}) };
    case "number":
      return { type: "number", title, ...(typeof preset === "number" ? { default: preset } : {}) };
    case "text":
      return { type: "string", title, ...(typeof preset === "string" ? { default: preset } : {}) };
  }
}

/** The key of the text input beside a choice that also takes free text. */
const otherKey = ({ key }: FormField) => `${key} (other)`;

function otherField(field: FormField): [string, Property][] {
  return field.allow_other === true ? [[otherKey(field), { type: "string", title: `${field.label}: something else` }]] : [];
}

/** The values of a form; free text beside a choice is added to it, or takes its place where only one is taken. */
function formValues(fields: readonly FormField[], content: Record<string, unknown>): Record<string, unknown> {
  const values = { ...content };
  for (const field of fields.filter(({ allow_other }) => allow_other === true)) {
    const other = values[otherKey(field)];
    delete values[otherKey(field)];
    if (typeof other !== "string" || other.trim() === "") continue;
    values[field.key] = field.allow_multiple ? [...[values[field.key] ?? []].flat(), other] : other;
  }
  return values;
}

/** What the user entered, as the runtime takes an answer; it checks it against the question. */
export function answerOf(ask: Question, content: Record<string, unknown>): unknown {
  switch (ask.type) {
    case "form":
      return { type: "form", values: formValues(ask.fields, content) };
    case "choice": {
      const other = typeof content.other === "string" && content.other.trim() !== "" ? content.other : undefined;
      const choices = [content.answer].flat().filter((choice) => choice !== undefined && choice !== "");
      return { type: "choice", choices, ...(other === undefined ? {} : { other }) };
    }
    default:
      return content.answer;
  }
}
