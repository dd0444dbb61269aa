// Every key, in the order in which one needs them.

import { ownRows } from "../../show/gutter.ts";
import { trustWords } from "../../show/trust-words.ts";
import { wrapLines } from "../../terminal/wrap.ts";
import { type Model, styleOfModel } from "../model/model.ts";
import { column } from "./spread.ts";

const keys: readonly (readonly [keys: string, what: string])[] = [
  ["j k, arrows", "down and up, in the list and in a ticket"],
  ["Space b, PgDn PgUp", "a page down and up"],
  ["g G", "first and last; in the list, G at the end reads the next page"],
  ["Enter", "open: you see all of it, and its lease pauses for ten minutes"],
  ["a", "approve, or answer a question; only after you have read to the end"],
  ["r", "reject: with a ready reason, or in your own words"],
  ["c", "request changes"],
  ["e", "edit, then approve, where the ticket allows it"],
  ["s", "not now: out of the inbox for a while"],
  ["+", "five more minutes"],
  ["x", "select; a, r, c and s then act on all that are selected"],
  ["u", "undo a decision on several tickets before it is sent"],
  ["/", "filter by words: summary, agent, project, kind, priority, code"],
  ["Tab", "mine, all, decided"],
  ["m", "conversations with agents: read, reply, leave words for later"],
  ["Esc", "back; in the list: no filter, nothing selected"],
  ["?", "this help"],
  ["Ctrl-L, Ctrl-Z", "draw the screen anew; suspend"],
  ["q", "quit"],
];

const NAMES = 20;

export function helpRows(model: Model): string[] {
  const style = styleOfModel(model);
  const rows = keys.flatMap(([name, what]) =>
    wrapLines(what, model.columns - NAMES - 2).map(
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
