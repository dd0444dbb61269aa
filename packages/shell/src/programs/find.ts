// `find` with actions: what `{}` stands for lies below the start folders, so its commands are looked at with such a path.
import { type Argument, decidedLater, exactly } from "../grammar/argument.ts";
import type { Call } from "../grammar/scan.ts";
import { deletePath, listPath, writePath } from "../grammar/touch-path.ts";
import { canNameSecret } from "../paths/can-name-secret.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

const RUNS = /^-(?:exec|execdir|ok|okdir)$/;
/** Without one of these, everything below the start folders matches, version control data too. */
const CHOOSES = /^-(?:i?name|i?path|i?wholename|i?regex|empty)$/;
const WRITES = /^-(?:fprint|fprint0|fprintf|fls)$/;

/** `find` in any form. */
export const handleFind: Handler = ({ scan, args, program }: Call) => {
  const given = args.slice(leadingOptions(args));
  const firstTest = given.findIndex((arg) => /^[-!(),]/.test(arg.text));
  const named = firstTest < 0 ? given : given.slice(0, firstTest);
  const starts = named.length === 0 ? [exactly(".")] : named;
  const chooses = given.some((arg) => CHOOSES.test(arg.text));
  for (const start of starts) listPath(scan, start, program);
  for (let at = 0; at < given.length; at += 1) {
    const action = given[at]?.text ?? "";
    if (action === "-delete") for (const start of starts) deletePath(scan, chooses ? below(start) : start, "find -delete");
    if (WRITES.test(action)) writePath(scan, given[at + 1] ?? decidedLater(action), `find ${action}`);
    if (action.startsWith("-files0-from")) scan.note("unknown", "find takes its folders from a file");
    if (!RUNS.test(action)) continue;
    const end = given.findIndex(
      (arg, index) => index > at && (arg.text === ";" || (arg.text === "+" && given[index - 1]?.text === "{}")),
    );
    const words = given.slice(at + 1, end < 0 ? undefined : end);
    const secret = given.find((arg, index) => CHOOSES.test(given[index - 1]?.text ?? "") && canNameSecret(arg.text));
    if (secret !== undefined) scan.note("credentials", `${program} ${action} is run on ${show(secret.raw)}`);
    if (!chooses) scan.note("unknown", `${program} ${action} reaches every file, secrets included`);
    for (const start of starts)
      scan.runCall(
        words.map((word) => fill(word, start)),
        { kind: "inherited" },
      );
    at += words.length;
  }
};

function leadingOptions(args: readonly Argument[]): number {
  const first = args.findIndex((arg) => !/^-[HLP]$/.test(arg.text));
  return first < 0 ? args.length : first;
}

function below(start: Argument): Argument {
  const text = `${start.text.replace(/\/+$/, "")}/*`;
  return { text, raw: start.raw, certainty: start.certainty === "dynamic" ? "dynamic" : "pattern" };
}

function fill(word: Argument, start: Argument): Argument {
  if (word.text === "{}") return { ...below(start), raw: "{}" };
  return word.text.includes("{}") ? { ...word, text: word.text.replaceAll("{}", "$match"), certainty: "dynamic" } : word;
}
