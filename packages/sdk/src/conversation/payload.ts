// The payload protocol: choice, confirm, form. What does not fit is refused with the shape that would.
import { type AskInput, askSchema, HapError, isHapError, type Json, parseWith, quote } from "@hap/protocol";

/** One payload of each type, whole: for error messages, and as examples of the specification. */
export const PAYLOAD_SHAPES = {
  choice: '{"type":"choice","options":["Continue","Stop"],"allow_multiple":false}',
  confirm: '{"type":"confirm","text":"Continue?","confirm_label":"Confirm","cancel_label":"Cancel"}',
  form: '{"type":"form","fields":[{"label":"Env","options":["prod","staging"]},{"label":"Reason","kind":"text"}]}',
} as const;

/** What to ask: words when there is no payload, else what the payload says. Options also allow free text. */
export function toAsk(prompt: string, payload: Record<string, Json> | null): AskInput {
  if (payload === null) return checked("text", { type: "text", prompt });
  const { type } = payload;
  if (type !== "choice" && type !== "confirm" && type !== "form") {
    const came = type === undefined ? "it is missing" : `it is ${quote(typeof type === "string" ? type : JSON.stringify(type))}`;
    throw new HapError(
      "invalid_input",
      `The payload's type must be choice, confirm or form; ${came}.\n${Object.values(PAYLOAD_SHAPES).join("\n")}`,
      { field: "payload.type" },
    );
  }
  const named = type === "form" ? { ...payload, fields: nameFields(payload.fields) } : { ...payload, ...nameOptions(payload) };
  return checked(type, { ...(type === "choice" ? { allow_other: true } : {}), ...named, prompt });
}

const KEY_CHARS = 64;

/** Options that are plain words are their own keys, so that an agent reads the words and not a number. */
function nameOptions({ options }: { options?: Json }): { options?: Json } {
  if (!Array.isArray(options) || new Set(options).size < options.length) return options === undefined ? {} : { options };
  const short = options.every((option) => typeof option !== "string" || (option.length <= KEY_CHARS && option.trim() !== ""));
  return {
    options: short ? options.map((option) => (typeof option === "string" ? { key: option, label: option } : option)) : options,
  };
}

function nameFields(fields: Json | undefined): Json {
  if (!Array.isArray(fields)) return fields ?? null;
  return fields.map((field) =>
    typeof field === "object" && field !== null && !Array.isArray(field)
      ? { ...("options" in field ? { allow_other: true } : {}), ...field, ...nameOptions(field as { options?: Json }) }
      : field,
  );
}

function checked(type: keyof typeof PAYLOAD_SHAPES | "text", ask: Record<string, unknown>): AskInput {
  try {
    parseWith(askSchema(), ask, type === "text" ? "The prompt" : "The payload");
    return ask as AskInput;
  } catch (error) {
    if (!isHapError(error) || type === "text") throw error;
    throw new HapError(error.code, `${error.message}\nA ${type} looks like this: ${PAYLOAD_SHAPES[type]}`, error.fields);
  }
}
