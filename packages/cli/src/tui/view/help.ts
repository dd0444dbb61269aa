// Every key of the terminal, from the one keymap.
import { keysOf } from "@hap/protocol";
import { ownRows } from "../../show/gutter.ts";
import { trustWords } from "../../show/trust-words.ts";
import { wrapLines } from "../../terminal/wrap.ts";
import { type Model, styleOfModel } from "../model/model.ts";
import { column } from "./spread.ts";

const NAMES = 20;

export function helpRows(model: Model): string[] {
  const style = styleOfModel(model);
  const rows = keysOf("terminal").flatMap(({ shown: name, words }) =>
    wrapLines(words, model.columns - NAMES - 2).map(
      (row, at) => `  ${model.paint.bold(column(at === 0 ? name : "", NAMES))}${row}`,
    ),
  );
  return [
    ...rows,
    "",
    ...ownRows("│ marks what an agent wrote. [! critical 0.54] takes one more step: you type a phrase.", style),
    ...ownRows(trustWords(model.trust), style),
  ];
}
