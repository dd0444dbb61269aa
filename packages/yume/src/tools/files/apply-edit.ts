// Exact and unique replacement, pure. A model writes line feeds; a file with other line endings keeps its own.
import { ToolError } from "../tool.ts";

export type Edit = { old_string: string; new_string: string; replace_all?: boolean };

/** The text after one edit; a `ToolError` says why there is none. */
export function applyEdit(content: string, edit: Edit, where: string): string {
  const { old_string: old, new_string: replacement, replace_all: all = false } = edit;
  if (old === replacement) throw new ToolError(`old_string and new_string are the same${where}: there is nothing to change.`);
  if (old === "") {
    if (content !== "")
      throw new ToolError(`old_string is empty${where}, but the file is not. Give the text to replace, or use Write.`);
    return replacement;
  }
  const [from, to] = matchLineEndings(content, old, replacement);
  const first = content.indexOf(from);
  if (first < 0)
    throw new ToolError(
      `old_string was not found${where}. It must match the file exactly, white space and indentation included; line numbers are no part of it. Read the file and try again.${hint(content, old)}`,
    );
  if (!all) {
    let count = 0;
    for (let at = first; at >= 0; at = content.indexOf(from, at + 1)) count++;
    if (count > 1)
      throw new ToolError(
        `old_string was found ${count} times${where}. Add surrounding lines to make it unique, or set replace_all to true.`,
      );
    return content.slice(0, first) + to + content.slice(first + from.length);
  }
  return content.split(from).join(to);
}

function matchLineEndings(content: string, old: string, replacement: string): [string, string] {
  if (!content.includes("\r\n")) return [old, replacement];
  const crlf = (words: string) => words.replaceAll(/\r?\n/g, "\r\n");
  if (content.includes(old) && old.includes("\n")) return [old, replacement];
  return [crlf(old), crlf(replacement)];
}

/** Why a text that looks right was not found. */
function hint(content: string, old: string): string {
  const loose = (words: string) => words.replaceAll(/\s+/g, " ").trim();
  if (loose(old) !== "" && loose(content).includes(loose(old))) return " The file has this text with other white space.";
  const line = old.split("\n").find((one) => one.trim().length > 3);
  return line !== undefined && content.includes(line.trim())
    ? ` Its line "${line.trim().slice(0, 80)}" is in the file, the rest differs.`
    : "";
}
