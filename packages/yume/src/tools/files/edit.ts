// Edit and MultiEdit: exact replacements. All edits of a call are made, or none.
import { stat } from "node:fs/promises";
import { schema, type Tool, type ToolContext, ToolError, type ToolOutput, text } from "../tool.ts";
import { applyEdit, type Edit } from "./apply-edit.ts";
import { encode, type FileText, readText, writeWhole } from "./file-text.ts";
import { editFacts } from "./path-facts.ts";

const EDIT_FIELDS = {
  old_string: {
    type: "string",
    description: "The text to replace, exactly as it stands in the file; unique unless replace_all is set",
  },
  new_string: { type: "string", description: "The text in its place" },
  replace_all: { type: "boolean", description: "Replace every occurrence" },
};

export const editTool: Tool = {
  parallel: false,
  spec: {
    name: "Edit",
    description:
      "Replaces a text in a file. old_string must match exactly and occur once, or set replace_all. An empty old_string makes a new file.",
    input_schema: schema({ file_path: { type: "string", description: "The file to change" }, ...EDIT_FIELDS }, [
      "file_path",
      "old_string",
      "new_string",
    ]),
  },
  classify: (input, context) => editFacts("Edit", String(input.file_path), context),
  run: (input, context) => change(String(input.file_path), [input as unknown as Edit], context),
};

export const multiEditTool: Tool = {
  parallel: false,
  spec: {
    name: "MultiEdit",
    description:
      "Makes several replacements in one file, one after the other, each on what the one before left. All are made, or none.",
    input_schema: schema(
      {
        file_path: { type: "string", description: "The file to change" },
        edits: {
          type: "array",
          minItems: 1,
          items: schema(EDIT_FIELDS, ["old_string", "new_string"]),
          description: "The replacements, in order",
        },
      },
      ["file_path", "edits"],
    ),
  },
  classify: (input, context) => editFacts("MultiEdit", String(input.file_path), context),
  run: (input, context) => change(String(input.file_path), input.edits as Edit[], context),
};

async function change(given: string, edits: readonly Edit[], { workspace, files, buffers }: ToolContext): Promise<ToolOutput> {
  const path = workspace.resolve(given);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new ToolError(`${given} is a folder; only files can be edited.`);
  if (found === null && edits[0]?.old_string !== "")
    throw new ToolError(`There is no file ${given} (looked for ${path}). Use Write to create it, or Glob to find it.`);
  await files.refuseStale(path, given);
  const shown = found === null ? null : ((await buffers?.read(path)) ?? null);
  const onDisk: FileText = found === null ? { text: "", encoding: "utf-8" } : await readText(path, given);
  const before: FileText = shown === null ? onDisk : { ...onDisk, text: shown };
  let after = before.text;
  for (const [index, edit] of edits.entries())
    after = applyEdit(after, edit, edits.length === 1 ? ` in ${given}` : ` in edit ${index + 1} of ${given}`);
  if ((await buffers?.write(path, after)) !== true) await writeWhole(path, encode(after, before.encoding));
  await files.remember(path);
  return text(`Changed ${given}.\n${snippet(before.text, after)}`);
}

/** The changed lines with a few around them, numbered, so that the model sees what it did. */
function snippet(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < now.length && first < old.length && old[first] === now[first]) first++;
  let end = 0;
  while (end < now.length - first && end < old.length - first && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = Math.max(0, first - 3);
  const lines = now.slice(from, Math.min(now.length, now.length - end + 3, from + 40));
  return lines
    .map((line, index) => `${String(from + index + 1).padStart(6)}\t${line.replace(/\r$/, "").slice(0, 500)}`)
    .join("\n");
}
