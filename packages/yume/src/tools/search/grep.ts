// Grep: Claude's fields over ripgrep. Files that hold credentials are left out of what a whole folder's search shows.
import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { slashes } from "../../permissions/rules.ts";
import { readFacts } from "../files/path-facts.ts";
import { schema, type Tool, type ToolContext, ToolError, text } from "../tool.ts";
import { ripgrep } from "./ripgrep.ts";

const DEFAULT_HEAD = 250;
const LINE_LIMIT = 500;

export const grepTool: Tool = {
  parallel: true,
  spec: {
    name: "Grep",
    description:
      "Searches files for a regular expression (ripgrep's syntax). Files named in .gitignore are left out. output_mode: files_with_matches (default), content, count.",
    input_schema: schema(
      {
        pattern: { type: "string", description: "The regular expression" },
        path: { type: "string", description: "A file or folder; the working folder when not given" },
        glob: { type: "string", description: 'Only files that fit, such as "*.ts" or "src/**/*.js"' },
        type: { type: "string", description: "Only files of a type, such as js, py, rust" },
        output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
        "-i": { type: "boolean", description: "Ignore case" },
        "-n": { type: "boolean", description: "Line numbers in content mode (default true)" },
        "-A": { type: "integer", description: "Lines after each match" },
        "-B": { type: "integer", description: "Lines before each match" },
        "-C": { type: "integer", description: "Lines around each match" },
        context: { type: "integer", description: "The same as -C" },
        "-o": { type: "boolean", description: "Only the matched parts" },
        multiline: { type: "boolean", description: "Let the pattern span lines" },
        head_limit: { type: "integer", description: `At most so many lines or files (default ${DEFAULT_HEAD}, 0 for all)` },
        offset: { type: "integer", description: "Leave out the first so many" },
      },
      ["pattern"],
    ),
  },
  classify: (input, context) => readFacts("Grep", String(input.path ?? "."), context),
  async run(input, context) {
    const { workspace, signal } = context;
    const given = String(input.path ?? ".");
    const path = workspace.resolve(given);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new ToolError(`There is no file or folder ${given} (looked for ${path}).`);
    const mode = String(input.output_mode ?? "files_with_matches");
    const cwd = found.isDirectory() ? path : workspace.cwd;
    const target = found.isDirectory() ? "." : path;
    const { output, cut } = await ripgrep([...argumentsOf(input, mode), "--", String(input.pattern), target], cwd, signal);
    const { classifyPath } = await import("@hap/shell");
    const lines = output.split("\n").filter((line) => line !== "");
    const kept = found.isDirectory() ? lines.filter((line) => !isSecret(line, mode, path, context, classifyPath)) : lines;
    const shown = mode === "files_with_matches" ? await newestFirst(kept, cwd) : byPath(kept);
    if (shown.length === 0) return text("No matches found.");
    const offset = Math.max(0, Number(input.offset ?? 0));
    const head = Number(input.head_limit ?? DEFAULT_HEAD);
    const page = shown.slice(offset, head > 0 ? offset + head : undefined);
    const more = shown.length - offset - page.length;
    const note = cut
      ? "\n[The search was ended: too many matches. Narrow it.]"
      : more > 0
        ? `\n[${more} more; use offset ${offset + page.length}]`
        : "";
    const title = mode === "files_with_matches" ? `Found ${shown.length} ${shown.length === 1 ? "file" : "files"}\n` : "";
    return text(
      title +
        page
          .map((line) => (line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT).toWellFormed()} [line cut]` : line))
          .join("\n") +
        note,
    );
  },
};

type ClassifyPath = typeof import("@hap/shell").classifyPath;

/** Between a path and what was found in it, so that a colon in a name cannot mislead. */
const MARK = "\0";

function argumentsOf(input: Record<string, unknown>, mode: string): string[] {
  const args = [
    "--color=never",
    "--no-heading",
    "--null",
    "--max-columns=2000",
    "--max-columns-preview",
    "--path-separator=/",
    "--with-filename",
  ];
  if (input["-i"] === true) args.push("-i");
  if (input.multiline === true) args.push("-U", "--multiline-dotall");
  if (typeof input.type === "string") args.push("--type", input.type);
  if (typeof input.glob === "string") {
    // As a type of its own a glob of names does not override .gitignore, which --glob would.
    if (input.glob.includes("/")) args.push("--glob", input.glob);
    else args.push("--type-add", `yumeglob:${input.glob}`, "--type", "yumeglob");
  }
  if (mode === "files_with_matches") return [...args.filter((one) => one !== "--null"), "-l"];
  if (mode === "count") return [...args, "-c"];
  args.push(input["-n"] === false ? "-N" : "-n");
  if (input["-o"] === true) args.push("-o");
  const around = input["-C"] ?? input.context;
  if (Number.isInteger(around)) args.push("-C", String(around));
  if (Number.isInteger(input["-A"])) args.push("-A", String(input["-A"]));
  if (Number.isInteger(input["-B"])) args.push("-B", String(input["-B"]));
  return args;
}

function isSecret(
  line: string,
  mode: string,
  folder: string,
  { workspace, hidden }: ToolContext,
  classifyPath: ClassifyPath,
): boolean {
  const name = mode === "files_with_matches" ? line : line.split(MARK, 1)[0];
  if (name === undefined || name === "--") return false;
  const place = { cwd: slashes(folder), projectRoot: slashes(workspace.cwd), home: slashes(workspace.home) };
  return classifyPath(name, place).secret || hidden(resolve(folder, name));
}

/** ripgrep searches in parallel; the same search shows the same order. A separator of groups stays before its line. */
function byPath(lines: readonly string[]): string[] {
  const found: { path: string; text: string }[] = [];
  let separator = "";
  for (const line of lines) {
    if (line === "--") {
      separator = "--\n";
      continue;
    }
    const path = line.split(MARK, 1)[0] ?? "";
    found.push({ path, text: separator + line.replace(/^\.\//, "").replace(MARK, ":") });
    separator = "";
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).map((one) => one.text);
}

async function newestFirst(names: readonly string[], cwd: string): Promise<string[]> {
  const dated = await Promise.all(
    names.map(async (name) => ({
      name: name.replace(/^\.\//, ""),
      at: (await stat(resolve(cwd, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  return dated.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}
