// What is too long for a line: its beginning and end are told, all of it is in a file that is named.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cutText } from "../frames/cut-text.ts";
import { fitInput, INPUT_BYTES } from "../frames/fit-input.ts";
import type { AssistantTurn } from "../model/types.ts";

/** Results beyond this are cut, for the model as well. */
const RESULT_LIMIT = 31_000;

/** The text of a result as it is told. */
export function spill(text: string, folder: string, id: string): string {
  if (text.length <= RESULT_LIMIT) return text;
  return `${cutText(text, RESULT_LIMIT - 1_000)}\n[${keep(text, folder, `${id}.txt`)}]`;
}

/** A message as it is told: a call whose input is too long for a line is shown in part. The call itself stays whole. */
export function shownParts(parts: AssistantTurn["content"], folder: string): AssistantTurn["content"] {
  return parts.map((part) => {
    if (part.type !== "tool_use" || fitInput(part.input, INPUT_BYTES, "") === part.input) return part;
    const note = `[${keep(JSON.stringify(part.input, null, 2), folder, `${part.id}.input.json`)}]`;
    return { ...part, input: fitInput(part.input, INPUT_BYTES, note) };
  });
}

/** Write it down; returns words that say where. */
function keep(text: string, folder: string, name: string): string {
  const path = join(folder, name.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(-90));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    return `All of it is in ${path}`;
  } catch {
    return "The rest could not be kept";
  }
}
