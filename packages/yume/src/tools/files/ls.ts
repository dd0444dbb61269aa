// LS: what is in a folder.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { globToRegExp } from "../../permissions/glob.ts";
import { schema, type Tool, ToolError, text } from "../tool.ts";
import { readFacts } from "./path-facts.ts";

const LIMIT = 1_000;

export const lsTool: Tool = {
  parallel: true,
  spec: {
    name: "LS",
    description: "Lists a folder: folders end with a slash. Use Glob to find files by pattern.",
    input_schema: schema(
      {
        path: { type: "string", description: "The folder; the working folder when not given" },
        ignore: { type: "array", items: { type: "string" }, description: "Names to leave out, as globs" },
      },
      [],
    ),
  },
  classify: (input, context) => readFacts("LS", String(input.path ?? "."), context),
  async run(input, { workspace, hidden }) {
    const given = String(input.path ?? ".");
    const path = workspace.resolve(given);
    const found = await stat(path).catch(() => null);
    if (found === null) throw new ToolError(`There is no folder ${given} (looked for ${path}).`);
    if (!found.isDirectory()) throw new ToolError(`${given} is a file. Use Read to see it.`);
    const ignored = ((input.ignore as string[] | undefined) ?? []).map(globToRegExp);
    const names = (await readdir(path, { withFileTypes: true }))
      .filter((entry) => !hidden(join(path, entry.name)))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name}@` : entry.name))
      .filter((name) => !ignored.some((glob) => glob.test(name.replace(/[/@]$/, ""))))
      .sort();
    if (names.length === 0) return text(`${given} is empty.`);
    const more = names.length > LIMIT ? `\n[${names.length - LIMIT} more]` : "";
    return text(
      `${path}\n${names
        .slice(0, LIMIT)
        .map((name) => `- ${name}`)
        .join("\n")}${more}`,
    );
  },
};
