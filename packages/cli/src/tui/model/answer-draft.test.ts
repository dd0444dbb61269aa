import { parseCreateTicket, type Question } from "@hap/protocol";
import { expect, test } from "vitest";
import { type AnswerDraft, answerKey, finishAnswer, startAnswer } from "./answer-draft.ts";

/** The question in its full form. */
const question = (ask: object) => parseCreateTicket({ kind: "question", summary: "?", ask }).ask as Question;
const press = (draft: AnswerDraft, ...names: string[]) =>
  names.reduce((now, name) => answerKey(now, { name, text: [...name].length === 1 ? name : null }) ?? now, draft);

test("[TUI-ANSWER-1] Enter alone never agrees to what the question does not suggest", () => {
  const confirm = question({ type: "confirm", text: "Sure?" });
  expect(finishAnswer(confirm, startAnswer(confirm))).toEqual({ type: "confirm", confirmed: false });
  const suggested = question({ type: "confirm", text: "Sure?", default: true });
  expect(finishAnswer(suggested, startAnswer(suggested))).toEqual({ type: "confirm", confirmed: true });
  const choice = question({ type: "choice", options: ["a", "b"] });
  expect(() => finishAnswer(choice, startAnswer(choice))).toThrow(/choose one/);
});

test("[TUI-ANSWER-1] options are chosen by moving or by number, several are marked", () => {
  const one = question({ type: "choice", options: ["a", "b", "c"] });
  expect(finishAnswer(one, press(startAnswer(one), "j", "j"))).toEqual({ type: "choice", choices: ["2"] });
  expect(finishAnswer(one, press(startAnswer(one), "3", "up"))).toEqual({ type: "choice", choices: ["2"] });
  const several = question({ type: "choice", options: ["a", "b", "c"], allow_multiple: true, default: ["1"] });
  expect(finishAnswer(several, press(startAnswer(several), "3", "x"))).toEqual({ type: "choice", choices: ["1"] });
  expect(() => finishAnswer(several, press(startAnswer(several), "1"))).toThrow(/at least one/);
});

test("[TUI-ANSWER-1] words of one's own count where the cursor is on them", () => {
  const ask = question({ type: "choice", options: ["a", "b"], allow_other: true });
  const typing = press(startAnswer(ask), "down", "down", "down", "j", "k");
  expect(finishAnswer(ask, typing)).toEqual({ type: "choice", choices: [], other: "jk" });
  expect(finishAnswer(ask, press(typing, "up"))).toEqual({ type: "choice", choices: ["2"] });
});

test("[TUI-ANSWER-1] a form keeps what it suggests, leaves out what may be left out, and names what is missing", () => {
  const fields = [
    { key: "name", label: "Name", default: "shop" },
    { key: "size", label: "Size", options: ["S", "L"] },
    { key: "tags", label: "Tags", options: ["x", "y"], allow_multiple: true, required: false },
    { key: "note", label: "Note", required: false },
  ];
  const ask = question({ type: "form", fields });
  expect(() => finishAnswer(ask, startAnswer(ask))).toThrow(/Size is missing/);
  expect(finishAnswer(ask, press(startAnswer(ask), "tab", "2"))).toEqual({ type: "form", values: { name: "shop", size: "2" } });
  const all = press(startAnswer(ask), "!", "down", "1", "tab", "space", "tab", "h", "i", "backtab");
  expect(all.focus).toBe(2);
  expect(finishAnswer(ask, all)).toEqual({ type: "form", values: { name: "shop!", size: "1", tags: ["1"], note: "hi" } });
});
