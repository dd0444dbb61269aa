// The table of shell commands and their verdicts, as a page that a security reviewer can read from end to end. Each row is run
// by a test; the page is made from the same rows.
import { FILE_VERDICTS } from "../../packages/shell/src/verdicts/files.ts";
import { INTERPRETER_VERDICTS } from "../../packages/shell/src/verdicts/interpreters.ts";
import { OBFUSCATED_VERDICTS } from "../../packages/shell/src/verdicts/obfuscated.ts";
import { POWER_VERDICTS } from "../../packages/shell/src/verdicts/powers.ts";
import { PROVEN_VERDICTS } from "../../packages/shell/src/verdicts/proven.ts";
import { REPOSITORY_VERDICTS } from "../../packages/shell/src/verdicts/repositories.ts";
import type { VerdictRow } from "../../packages/shell/src/verdicts/verdict-row.ts";

const parts: readonly [string, readonly VerdictRow[]][] = [
  ["Around the line between proven, confined and asked", PROVEN_VERDICTS],
  ["Files", FILE_VERDICTS],
  ["Powers: privilege, network, processes, production", POWER_VERDICTS],
  ["Repositories", REPOSITORY_VERDICTS],
  ["Interpreters and test runners", INTERPRETER_VERDICTS],
  ["Obfuscated", OBFUSCATED_VERDICTS],
];

/** The page. */
export function shellVerdicts(): string {
  const count = parts.reduce((sum, [, rows]) => sum + rows.length, 0);
  const head = [
    "# Verdicts on shell commands",
    "",
    `${count} commands, generated from the rows that \`packages/shell/src/verdicts.test.ts\` runs. Each stands in \`/home/u/p\`, which is the`,
    "project's root; the home folder is `/home/u`. *proven* runs as it is, without a prompt; *confined* runs in a sandbox where one",
    "works, else a person is asked; *asked* needs something outside the sandbox. The effects are what rules can match, and what a",
    "ticket shows.",
    "",
  ];
  const tables = parts.flatMap(([title, rows]) => [
    `## ${title}`,
    "",
    "| command | verdict | effects | why |",
    "|---|---|---|---|",
    ...rows.map(([command, verdict, effects, why]) => `| ${code(command)} | ${verdict} | ${effects} | ${plainWords(why)} |`),
    "",
  ]);
  return [...head, ...tables].join("\n");
}

/** Markup that shows every character: line ends and what is not seen by their names. */
function code(command: string): string {
  const shown = [...command].map((char) =>
    /[\p{C}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u.test(char) ? `\\u{${(char.codePointAt(0) as number).toString(16)}}` : char,
  );
  const html: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "`": "&#96;",
    "*": "&#42;",
    _: "&#95;",
    "[": "&#91;",
    "\\": "&#92;",
    "~": "&#126;",
    $: "&#36;",
  };
  return `<code>${shown.map((char) => (char.length > 1 ? char.replace("\\", "&#92;") : (html[char] ?? char))).join("")}</code>`;
}

function plainWords(words: string): string {
  return words.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("*", "\\*");
}
