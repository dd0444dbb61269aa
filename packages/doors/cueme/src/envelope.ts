// The envelope on standard input, to the letter of the cueme protocol: tags alone on their lines, whitespace outside.
import { HapError, type Json, parseJson, quote } from "@hap/protocol";

/** A question as an agent wrote it. `payload` is null where there is none. */
export type Envelope = { prompt: string; payload: Record<string, Json> | null };

const SHAPE = `Write it like this, each tag alone on its line:
<cueme_prompt>
What was done, and what is needed.
</cueme_prompt>
<cueme_payload>
{"type":"choice","options":["Continue","Stop"]}
</cueme_payload>
The payload may be left out.`;

type Line = { text: string; start: number; next: number };
type Block = "cueme_prompt" | "cueme_payload";

/** Read an envelope; `blocks` says which it may have. */
export function parseEnvelope(text: string, blocks: readonly Block[]): Envelope {
  if (text.trimStart().startsWith("{")) throw refuse("a JSON envelope is not supported");
  const found = findBlocks(text, blocks);
  const prompt = found.get("cueme_prompt");
  if (prompt === undefined) throw refuse("the block <cueme_prompt> is missing");
  if (prompt.trim() === "") throw refuse("the prompt is empty");
  return { prompt, payload: parsePayload(found.get("cueme_payload") ?? "") };
}

/** The bodies of the blocks, byte for byte. Inside a block only its own closing tag counts. */
function findBlocks(text: string, allowed: readonly Block[]): Map<Block, string> {
  const found = new Map<Block, string>();
  const lines = linesOf(text);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line;
    const trimmed = line.text.trim();
    if (trimmed === "") continue;
    const name = (["cueme_prompt", "cueme_payload"] as const).find((tag) => trimmed === `<${tag}>`);
    if (name === undefined) throw refuse(`line ${at + 1} is outside of the blocks: ${quote(trimmed)}`);
    if (!allowed.includes(name)) throw refuse(`<${name}> is not taken here`);
    if (found.has(name)) throw refuse(`a second <${name}> on line ${at + 1}`);
    const end = lines.findIndex((other, index) => index > at && other.text.trim() === `</${name}>`);
    if (end === -1) throw refuse(`<${name}> on line ${at + 1} is never closed by </${name}> alone on a line`);
    found.set(name, text.slice(line.next, end === at + 1 ? line.next : endOf(text, lines[end - 1] as Line)));
    at = end;
  }
  return found;
}

/** Where a line's own text ends: its line break belongs to the tag that follows. */
function endOf(text: string, line: Line): number {
  const end = line.start + line.text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    lines.push({ text: text.slice(start, stop), start, next: stop + 1 });
    start = stop + 1;
  }
  return lines;
}

function parsePayload(body: string): Record<string, Json> | null {
  const text = body.trim();
  if (text === "") return null;
  const value = parseJson(text, "<cueme_payload>");
  if (value === null) return null;
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, Json>;
  throw refuse("the payload must be a JSON object, or null");
}

function refuse(problem: string): HapError {
  return new HapError("invalid_input", `The envelope cannot be read: ${problem}.\n${SHAPE}`, { field: "envelope" });
}
