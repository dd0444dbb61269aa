// cueme init: the rules in a runtime's own rules file, between markers, so that they can be renewed and taken out again.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { HapError, parseAgentRuntime, quote } from "@hap/protocol";
import type { CommandRun } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { languageOf } from "./print-protocol.ts";
import { RULES } from "./rules-text.ts";
import { usage } from "./usage.ts";

const BEGIN = "<!-- cueme:begin (written by `cueme init`; `cueme init --remove` takes it out) -->";
const END = "<!-- cueme:end -->";

/** Where each runtime reads its rules from, and what its file must begin with when it is ours alone. */
const targets: Record<string, { file: string; head?: string }> = {
  claude_code: { file: "CLAUDE.md" },
  codex: { file: "AGENTS.md" },
  opencode: { file: "AGENTS.md" },
  terminal: { file: "AGENTS.md" },
  gemini_cli: { file: "GEMINI.md" },
  vscode: { file: ".github/copilot-instructions.md" },
  windsurf: { file: ".windsurf/rules/cueme.md" },
  kiro: { file: ".kiro/steering/cueme.md" },
  cursor: {
    file: ".cursor/rules/cueme.mdc",
    head: "---\ndescription: Keep the person in the loop with cueme\nalwaysApply: true\n---\n",
  },
};

export const init: CommandRun = async (words, options, context) => {
  const [name] = words;
  if (name === undefined || words.length > 1)
    throw usage(`Name the runtime once: cueme init <agent_runtime>, one of ${Object.keys(targets).join(", ")}.`);
  const target = targetOf(name, options.file);
  const path = resolve(context.cwd, target.file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : null;
  const rules = `${BEGIN}\n${RULES[languageOf(options)]}${END}\n`;
  const after = options.remove ? without(before ?? "", path, target.head) : within(before, rules, path, target.head ?? "");
  const shown = relative(context.cwd, path) || path;
  if (after === (before ?? "")) {
    await context.write(`${shown} ${options.remove ? "holds no rules of cueme" : "is up to date"}.\n`);
  } else if (after === "") {
    rmSync(path);
    await context.write(`Removed ${shown}, which held nothing else.\n`);
  } else {
    replaceFile(path, after);
    await context.write(
      `${options.remove ? "Took the rules out of" : before === null ? "Wrote" : "Wrote the rules into"} ${shown}.\n`,
    );
  }
  return EXIT.done;
};

function targetOf(name: string, file: string | undefined): { file: string; head?: string } {
  if (file !== undefined) return { file };
  const runtime = parseAgentRuntime(name);
  const target = Object.hasOwn(targets, runtime) ? targets[runtime] : undefined;
  if (target !== undefined) return target;
  throw usage(
    `The rules file of ${quote(name)} is not known. Name it with --file, or use one of ${Object.keys(targets).join(", ")}.`,
  );
}

/** Where the block lies, markers and all, or null. */
function findBlock(text: string, path: string): { start: number; end: number } | null {
  const start = text.indexOf("<!-- cueme:begin");
  const end = text.indexOf(END, start);
  if (start === -1 && text.indexOf(END) === -1) return null;
  if (start === -1 || end === -1 || text.indexOf("<!-- cueme:begin", start + 1) !== -1)
    throw new HapError(
      "invalid_input",
      `The markers of cueme in ${path} do not belong together. Remove them by hand, then try again.`,
    );
  const after = end + END.length;
  return { start, end: text[after] === "\n" ? after + 1 : after };
}

function within(before: string | null, rules: string, path: string, head: string): string {
  if (before === null || before === "") return head + rules;
  const block = findBlock(before, path);
  if (block !== null) return before.slice(0, block.start) + rules + before.slice(block.end);
  return `${before}${before.endsWith("\n") ? "" : "\n"}\n${rules}`;
}

function without(before: string, path: string, head: string | undefined): string {
  const block = findBlock(before, path);
  if (block === null) return before;
  const kept = before.slice(0, block.start).replace(/\n\n$/, "\n") + before.slice(block.end);
  return kept === head || kept.trim() === "" ? "" : kept;
}

/** Written beside it first, so that nobody reads half of it. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.part`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
