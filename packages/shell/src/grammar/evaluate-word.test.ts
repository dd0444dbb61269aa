import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { evaluateWord } from "./evaluate-word.ts";

const known = { home: "/home/u", pwd: "/home/u/p" };

function evaluate(text: string): string {
  const command = parse(`x ${text}`).commands[0]?.command;
  const word = command?.type === "Command" ? command.args[0] : undefined;
  if (word?.type !== "Word") throw new Error(`${text} is no word`);
  const value = evaluateWord(word, known);
  return `${value.certainty} ${value.text}`;
}

describe("evaluateWord", () => {
  it.each([
    ["abc", "exact abc"],
    ["a'b c'\"d\"", "exact ab cd"],
    ["a\\ b", "exact a b"],
    ["$'\\x72m'", "exact rm"],
    ["~", "exact /home/u"],
    ["~/a", "exact /home/u/a"],
    ["'~/a'", "exact ~/a"],
    ["\\~/a", "exact ~/a"],
    ["~root/a", "dynamic ~root/a"],
    ["$HOME/a", "exact /home/u/a"],
    ['"$' + '{HOME}/a"', "exact /home/u/a"],
    ["$PWD", "exact /home/u/p"],
    ["$X/a", "dynamic $X/a"],
    ["$HOMES", "dynamic $HOMES"],
    ["$(ls)", "dynamic $(ls)"],
    ["`ls`", "dynamic `ls`"],
    ["$((1))", "dynamic $((1))"],
    ["<(ls)", "dynamic <(ls)"],
    ["a*.ts", "pattern a*.ts"],
    ["~/*", "pattern /home/u/*"],
    ["*/../..", "dynamic */../.."],
    ["{a,b}", "pattern {a,b}"],
    ["{a,..}", "dynamic {a,..}"],
    ["{a,/etc}", "dynamic {a,/etc}"],
    ["@(a|b)", "dynamic @(a|b)"],
  ])("%s is %s", (text, value) => {
    expect(evaluate(text)).toBe(value);
  });
});
