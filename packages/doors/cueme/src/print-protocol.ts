// cueme protocol: the rules text, to be pasted into an agent's instructions.
import { quote } from "@hap/protocol";
import type { CommandRun, Options } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { LANGUAGES, type Language, RULES } from "./rules-text.ts";
import { usage } from "./usage.ts";

/** The language that was asked for; English when none was. */
export function languageOf({ lang = "en" }: Pick<Options, "lang">): Language {
  const found = LANGUAGES.find((language) => language === lang);
  if (found === undefined) throw usage(`--lang is ${quote(lang)}; the rules are written in ${LANGUAGES.join(" and ")}.`);
  return found;
}

export const printProtocol: CommandRun = async (words, options, context) => {
  if (words.length > 0) throw usage("cueme protocol takes no words; --lang en or --lang zh chooses the language.");
  await context.write(RULES[languageOf(options)]);
  return EXIT.done;
};
