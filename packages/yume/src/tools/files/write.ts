// Write: a file's whole content. An existing file keeps its encoding and line endings.
import { stat } from "node:fs/promises";
import { schema, type Tool, ToolError, text } from "../tool.ts";
import { encode, readText, writeWhole } from "./file-text.ts";
import { editFacts } from "./path-facts.ts";

export const writeTool: Tool = {
  parallel: false,
  spec: {
    name: "Write",
    description: "Writes a file whole, making folders on the way; what was in it is gone. Use Edit to change a part of a file.",
    input_schema: schema(
      {
        file_path: { type: "string", description: "The file to write" },
        content: { type: "string", description: "All of its content" },
      },
      ["file_path", "content"],
    ),
  },
  classify: (input, context) => editFacts("Write", String(input.file_path), context),
  async run(input, { workspace, files, buffers }) {
    const given = String(input.file_path);
    const content = String(input.content);
    const path = workspace.resolve(given);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) throw new ToolError(`${given} is a folder; a file cannot be written there.`);
    await files.refuseStale(path, given);
    let bytes = Buffer.from(content, "utf8");
    if (found !== null && found.size > 0) {
      // Over a binary file, nothing of its form is kept.
      const before = await readText(path, given).catch(() => null);
      if (before !== null) {
        const windows = before.text.includes("\r\n") && !/(^|[^\r])\n/.test(before.text);
        bytes = encode(windows ? content.replaceAll(/\r?\n/g, "\r\n") : content, before.encoding) as typeof bytes;
      }
    }
    if ((await buffers?.write(path, content)) !== true) await writeWhole(path, bytes);
    await files.remember(path);
    return text(`${found === null ? "Created" : "Wrote"} ${given} (${bytes.length} bytes).`);
  },
};
