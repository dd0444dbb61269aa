// The little of Markdown that agents write, read into blocks. Nothing is dropped: what is not understood stays as text,
// a link keeps its address in view, and there is no way to bring in markup.

export type Inline =
  | { type: "text" | "code" | "strong" | "emphasis"; text: string }
  /** The id of a person or an agent. */
  | { type: "mention"; text: string }
  | { type: "link"; text: string; href: string }
  /** `href` is data of a safe kind where `drawn`, else an address that is only named. */
  | { type: "image"; text: string; href: string; drawn: boolean };
export type MarkdownBlock =
  | { type: "heading"; level: number; inline: Inline[] }
  | { type: "paragraph" | "quote"; inline: Inline[] }
  | { type: "list"; ordered: boolean; items: Inline[][] }
  | { type: "code"; language: string; text: string }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+-]*)\s*$/;
const bullet = /^\s*[-*+]\s+(.*)$/;
const numbered = /^\s*\d{1,9}[.)]\s+(.*)$/;

/** Read a text into blocks. */
export function readMarkdown(text: string): MarkdownBlock[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  const take = (test: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (at < lines.length && test(lines[at] as string)) taken.push(lines[at++] as string);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] as string;
    const opening = fence.exec(line);
    const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (line.trim() === "") at++;
    else if (opening !== null) {
      at++;
      const mark = opening[1] as string;
      const body = take((inner) => !inner.trim().startsWith(mark));
      at++;
      blocks.push({ type: "code", language: opening[2] ?? "", text: body.join("\n") });
    } else if (heading !== null) {
      at++;
      blocks.push({ type: "heading", level: (heading[1] as string).length, inline: readInline(heading[2] as string) });
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      at++;
      blocks.push({ type: "rule" });
    } else if (isTable(line, lines[at + 1])) {
      const head = cells(line).map(readInline);
      at += 2;
      const rows = take((inner) => inner.includes("|") && inner.trim() !== "").map((row) => {
        const read = cells(row).map(readInline);
        return head.map((_, column) => read[column] ?? []);
      });
      blocks.push({ type: "table", head, rows });
    } else if (bullet.test(line) || numbered.test(line)) {
      const ordered = !bullet.test(line);
      const kind = ordered ? numbered : bullet;
      const items = take((inner) => kind.test(inner)).map((item) =>
        readInline((kind.exec(item) as RegExpExecArray)[1] as string),
      );
      blocks.push({ type: "list", ordered, items });
    } else if (/^\s{0,3}>/.test(line)) {
      const quoted = take((inner) => /^\s{0,3}>/.test(inner)).map((inner) => inner.replace(/^\s{0,3}>\s?/, ""));
      blocks.push({ type: "quote", inline: readInline(quoted.join("\n")) });
    } else {
      const words = take((inner) => inner.trim() !== "" && !startsBlock(inner) && !isTable(inner, lines[at + 1]));
      blocks.push({ type: "paragraph", inline: readInline(words.length === 0 ? (lines[at++] as string) : words.join("\n")) });
    }
  }
  return blocks;
}

/** A row with the line of dashes under it, as many as there are cells. */
function isTable(line: string, next: string | undefined): boolean {
  if (!line.includes("|") || next === undefined || !/^[\s|:-]*-[\s|:-]*$/.test(next)) return false;
  return cells(next).length === cells(line).length;
}

/** The cells of a row; a bar behind a backslash is text. */
function cells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Images come as data or not at all: an address would tell its server who looks. */
const DRAWN = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

function startsBlock(line: string): boolean {
  return fence.test(line) || bullet.test(line) || numbered.test(line) || /^\s{0,3}(#{1,6}\s|>)/.test(line);
}

const inlinePattern =
  /!\[([^\]\n]*)\]\(([^()\s]+)\)|(`+)([^`]+?)\3|\*\*([^*\n]+?)\*\*|(?<![\w*])\*([^*\n]+?)\*(?![\w*])|\[([^\]\n]*)\]\(([^()\s]+)\)/g;

/** Read words inside a block. */
function readInline(text: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > from) found.push(...readMentions(text.slice(from, match.index)));
    const [whole, picture, source, , code, strong, emphasis, label, href] = match;
    if (source !== undefined) found.push({ type: "image", text: picture ?? "", href: source, drawn: DRAWN.test(source) });
    else if (code !== undefined) found.push({ type: "code", text: code });
    else if (strong !== undefined) found.push({ type: "strong", text: strong });
    else if (emphasis !== undefined) found.push({ type: "emphasis", text: emphasis });
    else found.push({ type: "link", text: label ?? "", href: href ?? "" });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push(...readMentions(text.slice(from)));
  return found;
}

/** Ids in plain letters only: one that imitates another stays text, and is marked as such. */
const mentionPattern = /(?<![\p{L}\p{N}_@:/.-])@?((?:human|agent):[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)(?![\p{L}\p{N}:/@])/gu;

/** Words between marks, with the ids in them. */
function readMentions(text: string): Inline[] {
  return text.split(mentionPattern).flatMap((part, at): Inline[] => {
    if (part === "") return [];
    return [{ type: at % 2 === 1 ? "mention" : "text", text: part }];
  });
}
