// The little of Markdown that agents write, read into blocks. Nothing is dropped: what is not understood stays as text,
// a link keeps its address in view, and there is no way to bring in markup.

export type Inline =
  | { type: "text" | "code" | "strong" | "emphasis"; text: string }
  | { type: "link"; text: string; href: string };
export type MarkdownBlock =
  | { type: "heading"; level: number; inline: Inline[] }
  | { type: "paragraph" | "quote"; inline: Inline[] }
  | { type: "list"; ordered: boolean; items: Inline[][] }
  | { type: "code"; language: string; text: string }
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
      const words = take((inner) => inner.trim() !== "" && !startsBlock(inner));
      blocks.push({ type: "paragraph", inline: readInline(words.length === 0 ? (lines[at++] as string) : words.join("\n")) });
    }
  }
  return blocks;
}

function startsBlock(line: string): boolean {
  return fence.test(line) || bullet.test(line) || numbered.test(line) || /^\s{0,3}(#{1,6}\s|>)/.test(line);
}

const inlinePattern = /(`+)([^`]+?)\1|\*\*([^*\n]+?)\*\*|(?<![\w*])\*([^*\n]+?)\*(?![\w*])|\[([^\]\n]*)\]\(([^()\s]+)\)/g;

/** Read words inside a block. */
function readInline(text: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > from) found.push({ type: "text", text: text.slice(from, match.index) });
    const [whole, , code, strong, emphasis, label, href] = match;
    if (code !== undefined) found.push({ type: "code", text: code });
    else if (strong !== undefined) found.push({ type: "strong", text: strong });
    else if (emphasis !== undefined) found.push({ type: "emphasis", text: emphasis });
    else found.push({ type: "link", text: label ?? "", href: href ?? "" });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ type: "text", text: text.slice(from) });
  return found;
}
