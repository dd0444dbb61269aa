// Read: a text file with line numbers, a part of a large one, an image, a PDF or the cells of a notebook. What a file is follows from
// its content.
import { open, readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { failure, schema, type Tool, ToolError, text } from "../tool.ts";
import { decode } from "./file-text.ts";
import { notebookParts } from "./notebook-text.ts";
import { readFacts } from "./path-facts.ts";
import { sniffMedia } from "./sniff-media.ts";

const DEFAULT_LINES = 2_000;
const LINE_LIMIT = 2_000;
const TOTAL_LIMIT = 30_000;
const WHOLE_LIMIT = 4 * 1024 * 1024;
const MEDIA_LIMIT = 5 * 1024 * 1024;
const SNIFFED = 16;
/** `own` are folders of ours that may always be read: where long outputs were put. */
export function readTool(own: readonly string[]): Tool {
  return {
    parallel: true,
    spec: {
      name: "Read",
      description: `Reads a file. Text comes with line numbers, at most ${DEFAULT_LINES} lines at once; use offset and limit for more. Images (png, jpeg, gif, webp) and PDFs are shown, notebooks (.ipynb) come as their cells. file_path may be absolute or relative to the working folder.`,
      input_schema: schema(
        {
          file_path: { type: "string", description: "The file to read" },
          offset: { type: "integer", description: "The line to begin with, counted from 1" },
          limit: { type: "integer", description: "How many lines to read" },
        },
        ["file_path"],
      ),
    },
    classify: (input, context) => readFacts("Read", String(input.file_path), context, own),
    async run(input, { workspace, files, signal, buffers }) {
      const given = String(input.file_path);
      const path = workspace.resolve(given);
      const found = await stat(path).catch(() => null);
      if (found === null)
        throw new ToolError(
          `There is no file ${given} (looked for ${path}; the working folder is ${workspace.cwd}). Use Glob or LS to find it.`,
        );
      if (found.isDirectory()) throw new ToolError(`${given} is a folder. Use LS to list it.`);
      if (!found.isFile()) throw new ToolError(`${given} is neither a file nor a folder and cannot be read.`);
      const media = sniffMedia(await firstBytes(path));
      if (media !== null) {
        if (found.size > MEDIA_LIMIT)
          throw new ToolError(`${given} has ${found.size} bytes of ${media}; at most ${MEDIA_LIMIT} can be shown.`);
        await files.remember(path);
        return {
          content: [{ type: "image", media_type: media, data: (await readFile(path)).toString("base64") }],
          is_error: false,
        };
      }
      if (extname(path).toLowerCase() === ".ipynb" && found.size <= WHOLE_LIMIT) {
        const parts = notebookParts(await readFile(path, "utf8"));
        if (parts !== null) {
          await files.remember(path);
          return { content: parts, is_error: false };
        }
      }
      const offset = Math.max(1, Number(input.offset ?? 1));
      const limit = Math.max(1, Number(input.limit ?? DEFAULT_LINES));
      const shown = (await buffers?.read(path)) ?? null;
      const lines =
        shown !== null
          ? linesOf(shown)
          : found.size <= WHOLE_LIMIT
            ? await wholeLines(path, given)
            : await someLines(path, given, offset, limit, signal);
      await files.remember(path);
      if (found.size === 0 && shown === null) return text(`${given} is empty.`);
      const chosen = lines.slice(offset - 1, offset - 1 + limit);
      if (chosen.length === 0) return failure(`${given} has ${lines.length} lines; there is none at offset ${offset}.`);
      return text(number(chosen, offset, lines.length));
    },
  };
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function wholeLines(path: string, given: string): Promise<string[]> {
  const file = decode(await readFile(path));
  if (file === null) throw new ToolError(`${given} is a binary file and cannot be read as text.`);
  return linesOf(file.text);
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The lines of a large file up to the last that is wanted, and one more to show that it goes on. */
async function someLines(path: string, given: string, offset: number, limit: number, signal: AbortSignal): Promise<string[]> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8_192), 0, 8_192, 0);
    if (buffer.subarray(0, bytesRead).includes(0)) throw new ToolError(`${given} is a binary file and cannot be read as text.`);
    const lines: string[] = [];
    for await (const line of file.readLines({ start: 0, signal })) {
      // What comes before is only counted.
      lines.push(lines.length < offset - 1 ? "" : line.slice(0, LINE_LIMIT + 1));
      if (lines.length > offset - 1 + limit) break;
    }
    return lines;
  } finally {
    await file.close().catch(() => {});
  }
}

function number(lines: string[], offset: number, total: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const numbered = `${String(offset + index).padStart(6)}\t${line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT).toWellFormed()} [line cut]` : line}`;
    length += numbered.length + 1;
    if (length > TOTAL_LIMIT && shown.length > 0) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  return next <= total ? `${shown.join("\n")}\n\n[The file goes on. Read it with offset ${next} to see more.]` : shown.join("\n");
}
