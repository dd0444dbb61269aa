// NotebookEdit: one cell of a Jupyter notebook replaced, inserted or deleted; everything else of the file stays.
import { randomBytes } from "node:crypto";
import { schema, type Tool, ToolError, text } from "../tool.ts";
import { encode, readText, writeWhole } from "./file-text.ts";
import { editFacts } from "./path-facts.ts";

type Cell = {
  cell_type: string;
  source: string | string[];
  id?: string;
  metadata: unknown;
  outputs?: unknown[];
  execution_count?: number | null;
};
type Notebook = { cells: Cell[]; nbformat?: number; nbformat_minor?: number };

export const notebookEditTool: Tool = {
  parallel: false,
  spec: {
    name: "NotebookEdit",
    description:
      "Changes one cell of a Jupyter notebook (.ipynb). cell_id is a cell's id or its number from 0; edit_mode insert puts a new cell after it (at the beginning without cell_id).",
    input_schema: schema(
      {
        notebook_path: { type: "string", description: "The notebook" },
        cell_id: { type: "string", description: "The cell" },
        new_source: { type: "string", description: "Its new source" },
        cell_type: { type: "string", enum: ["code", "markdown"] },
        edit_mode: { type: "string", enum: ["replace", "insert", "delete"] },
      },
      ["notebook_path", "new_source"],
    ),
  },
  classify: (input, context) => editFacts("NotebookEdit", String(input.notebook_path), context),
  async run(input, { workspace, files }) {
    const given = String(input.notebook_path);
    const path = workspace.resolve(given);
    if (!path.endsWith(".ipynb")) throw new ToolError(`${given} is no notebook (.ipynb). Use Edit.`);
    await files.refuseStale(path, given);
    const file = await readText(path, given).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new ToolError(`There is no notebook ${given}.`) : error;
    });
    const notebook = parse(file.text, given);
    const done = change(notebook, input as Record<string, string | undefined>);
    const indent = /\n( +)"/.exec(file.text)?.[1]?.length ?? 1;
    await writeWhole(path, encode(`${JSON.stringify(notebook, null, indent)}\n`, file.encoding));
    await files.remember(path);
    return text(`${done} in ${given}.`);
  },
};

function parse(content: string, given: string): Notebook {
  try {
    const value = JSON.parse(content) as Notebook;
    if (Array.isArray(value.cells)) return value;
  } catch {
    // Told below.
  }
  throw new ToolError(`${given} cannot be read as a notebook.`);
}

/** Change the cells in place; returns what was done. */
function change(notebook: Notebook, input: Record<string, string | undefined>): string {
  const { cells } = notebook;
  const mode = input.edit_mode ?? "replace";
  const index = input.cell_id === undefined ? -1 : find(cells, input.cell_id);
  const source = input.new_source ?? "";
  if (mode === "insert") {
    const type = input.cell_type;
    if (type === undefined) throw new ToolError("cell_type is needed to insert a cell: code or markdown.");
    const named = (notebook.nbformat ?? 4) > 4 || (notebook.nbformat_minor ?? 0) >= 5;
    const id = named ? { id: randomBytes(4).toString("hex") } : {};
    cells.splice(index + 1, 0, {
      cell_type: type,
      ...id,
      metadata: {},
      source: lines(source),
      ...(type === "code" ? { outputs: [], execution_count: null } : {}),
    });
    return `Inserted cell ${index + 1}`;
  }
  const cell = cells[index];
  if (cell === undefined)
    throw new ToolError(`cell_id is needed to ${mode} a cell. The notebook has ${cells.length} cells, numbered from 0.`);
  if (mode === "delete") {
    cells.splice(index, 1);
    return `Deleted cell ${index}`;
  }
  cell.source = lines(source);
  if (input.cell_type !== undefined) cell.cell_type = input.cell_type;
  // What an older source printed is no longer true.
  if (cell.cell_type === "code") Object.assign(cell, { outputs: [], execution_count: null });
  return `Replaced cell ${index}`;
}

function find(cells: readonly Cell[], id: string): number {
  const byId = cells.findIndex((cell) => cell.id === id);
  const index = byId >= 0 ? byId : /^(?:cell-)?\d+$/.test(id) ? Number(id.replace("cell-", "")) : -1;
  if (index < 0 || index >= cells.length)
    throw new ToolError(`There is no cell ${id}; the notebook has ${cells.length} cells, numbered from 0.`);
  return index;
}

function lines(source: string): string[] {
  return source.split(/(?<=\n)/);
}
