// Glob: files by pattern, the newest first. The list comes from ripgrep, which honours .gitignore.
import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { globToRegExp } from "../../permissions/glob.ts";
import { readFacts } from "../files/path-facts.ts";
import { schema, type Tool, ToolError, text } from "../tool.ts";
import { ripgrep } from "./ripgrep.ts";

const LIMIT = 100;

export const globTool: Tool = {
  parallel: true,
  spec: {
    name: "Glob",
    description:
      'Finds files by a pattern such as "**/*.ts" or "src/*.{js,css}", the newest first. Files named in .gitignore are left out.',
    input_schema: schema(
      {
        pattern: { type: "string", description: "The glob" },
        path: { type: "string", description: "The folder to look in; the working folder when not given" },
      },
      ["pattern"],
    ),
  },
  classify: (input, context) => readFacts("Glob", folderOf(input).folder, context),
  async run(input, { workspace, signal, hidden }) {
    const { folder, pattern } = folderOf(input);
    const path = workspace.resolve(folder);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new ToolError(`There is no folder ${folder} (looked for ${path}).`);
    const { output } = await ripgrep(["--files", "--null", "--path-separator=/"], path, signal);
    const glob = globToRegExp(pattern.replace(/^\.\//, ""));
    const bare = !pattern.includes("/");
    const names = output
      .split("\0")
      .filter((name) => glob.test(name) || (bare && glob.test(name.slice(name.lastIndexOf("/") + 1))))
      .filter((name) => !hidden(join(path, name)));
    if (names.length === 0) return text("No files found.");
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(path, name)).catch(() => null))?.mtimeMs ?? 0 })),
    );
    dated.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
    const shown = dated.slice(0, LIMIT).map(({ name }) => join(path, name));
    return text(shown.join("\n") + (names.length > LIMIT ? `\n[${names.length - LIMIT} more; narrow the pattern]` : ""));
  },
};

/** An absolute pattern names its folder itself. */
function folderOf(input: Record<string, unknown>): { folder: string; pattern: string } {
  const pattern = String(input.pattern).replaceAll("\\", "/");
  const given = typeof input.path === "string" ? input.path : null;
  if (!/^(\/|[A-Za-z]:\/)/.test(pattern)) return { folder: given ?? ".", pattern };
  const fixed = pattern.slice(0, pattern.search(/[*?[{]|$/));
  const folder = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  return { folder, pattern: pattern.slice(folder.length) };
}
