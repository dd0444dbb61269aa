// Commands that a user types as `/name arguments`: Markdown files in .claude/commands, of the project and of the user.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFrontMatter } from "./front-matter.ts";

export type SlashCommand = { name: string; description: string; argumentHint: string; body: string };

const MOST = 500;
const DEEPEST = 4;

/** The commands of these folders; the first of a name wins. */
export function findCommands(folders: readonly string[]): SlashCommand[] {
  const found = new Map<string, SlashCommand>();
  for (const folder of folders)
    for (const { name, path } of markdownIn(folder, "", 0)) {
      if (found.has(name) || found.size >= MOST) continue;
      try {
        const { field, body } = readFrontMatter(readFileSync(path, "utf8"));
        const description = field("description") ?? body.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
        found.set(name, { name, description, argumentHint: field("argument-hint") ?? "", body });
      } catch {
        // A file that cannot be read is no command.
      }
    }
  return [...found.values()];
}

function markdownIn(folder: string, prefix: string, depth: number): { name: string; path: string }[] {
  let entries: { name: string; isDirectory: () => boolean }[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth < DEEPEST ? markdownIn(path, `${prefix}${entry.name}:`, depth + 1) : [];
    return entry.name.endsWith(".md") ? [{ name: prefix + entry.name.slice(0, -3), path }] : [];
  });
}

/** `/name` and what follows it; null for any other text. */
export function readSlash(text: string): { name: string; args: string } | null {
  const match = /^\/([\w][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match === null ? null : { name: match[1] as string, args: match[2]?.trim() ?? "" };
}

/** The prompt that a command stands for. What it would run is left to the model, whose calls pass the gate. */
export function expandCommand({ body }: SlashCommand, args: string): string {
  const words = args.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")) ?? [];
  const named = /\$ARGUMENTS|\$\d/.test(body);
  const text = body
    .replaceAll("$ARGUMENTS", () => args)
    .replaceAll(/\$(\d)/g, (_, digit: string) => words[Number(digit) - 1] ?? "")
    .replaceAll(/!`([^`]+)`/g, (_, command: string) => `(the output of \`${command}\`, which you run first)`)
    .trim();
  return named || args === "" ? text : `${text}\n\n${args}`;
}
