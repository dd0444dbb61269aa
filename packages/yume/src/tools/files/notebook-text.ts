// A Jupyter notebook as a document: its cells in order, with ids, sources and what they printed; images of outputs as images. Pure.
import type { ImagePart, TextPart } from "../../model/types.ts";

type Loose = Record<string, unknown>;

const OUTPUT_LIMIT = 4_000;
const MOST_IMAGES = 5;

/** The parts to show, or null when the text is no notebook. */
export function notebookParts(text: string): (TextPart | ImagePart)[] | null {
  let notebook: Loose;
  try {
    notebook = JSON.parse(text) as Loose;
  } catch {
    return null;
  }
  if (!Array.isArray(notebook?.cells)) return null;
  const images: ImagePart[] = [];
  const cells = (notebook.cells as Loose[]).map((cell, index) => {
    const outputs = (Array.isArray(cell.outputs) ? (cell.outputs as Loose[]) : []).map((output) => outputText(output, images));
    const shown = outputs.filter((one) => one !== "").join("\n");
    const id = typeof cell.id === "string" ? cell.id : String(index);
    return `<cell id="${id}" type="${String(cell.cell_type)}">\n${joined(cell.source)}\n</cell>${shown === "" ? "" : `\n<output>\n${shown}\n</output>`}`;
  });
  const words = cells.length === 0 ? "The notebook has no cells." : cells.join("\n\n");
  return [{ type: "text", text: words }, ...images.slice(0, MOST_IMAGES)];
}

function outputText(output: Loose, images: ImagePart[]): string {
  const data = (output.data ?? {}) as Loose;
  for (const media_type of ["image/png", "image/jpeg"])
    if (typeof data[media_type] === "string")
      images.push({ type: "image", media_type, data: (data[media_type] as string).replaceAll(/\s/g, "") });
  const text =
    output.output_type === "error"
      ? `${String(output.ename)}: ${String(output.evalue)}`
      : joined(output.text) || joined(data["text/plain"]);
  return text.length > OUTPUT_LIMIT ? `${text.slice(0, OUTPUT_LIMIT).toWellFormed()} [output cut]` : text;
}

const joined = (source: unknown): string => (Array.isArray(source) ? source.join("") : typeof source === "string" ? source : "");
