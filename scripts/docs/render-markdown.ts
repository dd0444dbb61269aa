// Markdown to HTML: headings with GitHub's anchors, coloured code without inline styles, and tabs.
import { Marked, type Tokens } from "marked";
import { escapeHtml } from "../../packages/server/src/docs/schema-html.ts";
import { highlight } from "../../packages/web/src/diff/highlight.ts";

/** A heading and the plain text below it, for search and for the contents of the page. */
export type Part = { id: string; depth: number; title: string; text: string };
export type Rendered = { html: string; parts: Part[] };

const LANGUAGES: Record<string, string> = {
  sh: "bash",
  ts: "typescript",
  js: "javascript",
  py: "python",
  mjs: "javascript",
  rs: "rust",
};

/**
 * Render a page. Code between `<!-- tabs: A, B -->` and `<!-- /tabs -->` is shown one block at a time; readers of the Markdown see the
 * blocks below each other.
 */
export async function renderMarkdown(text: string): Promise<Rendered> {
  const parts: Part[] = [{ id: "", depth: 0, title: "", text: "" }];
  const used = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  const coloured = new Map<Tokens.Code, string>();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorFor(plain(text), used);
        const link = depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      code: (token) => coloured.get(token) ?? "",
      table(token) {
        const cell = (tag: string) => (one: Tokens.TableCell) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        const head = token.header.map(cell("th")).join("");
        const rows = token.rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  for (const token of tokens) collect(token as Tokens.Generic, parts);
  numberParts(parts);
  const codes: Tokens.Code[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === "code") codes.push(token as Tokens.Code);
  });
  for (const token of codes) coloured.set(token, await codeBlock(token));
  return { html: tabs(marked.parser(tokens)), parts };
}

/** GitHub's rule: lower case, no punctuation, hyphens for spaces, numbers for repetitions. */
function anchorFor(title: string, used: Map<string, number>): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function collect(token: Tokens.Generic, parts: Part[]): void {
  if (token.type === "heading") parts.push({ id: "", depth: token.depth, title: plain(token.text), text: "" });
  else if (token.type !== "html" && token.type !== "space") (parts.at(-1) as Part).text += ` ${plain(token.raw)}`;
}

function numberParts(parts: Part[]): void {
  const used = new Map<string, number>();
  for (const part of parts) if (part.depth > 0) part.id = anchorFor(part.title, used);
}

/** Words without Markdown's signs. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*|]|^#+ |-{3,}/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

async function codeBlock({ text, lang = "" }: Tokens.Code): Promise<string> {
  return `<pre tabindex="0"><code>${await codeHtml(text, lang)}</code></pre>\n`;
}

/** Code in colours, each as a class. */
export async function codeHtml(
  text: string,
  language: string,
  link: (word: string) => string | null = () => null,
): Promise<string> {
  const lines = await highlight(text, LANGUAGES[language] ?? language).catch(() => null);
  if (lines === null || language === "") return escapeHtml(text);
  return lines
    .map((line) =>
      line
        .map(({ text, tone }) => {
          const target = link(text.trim());
          const inner = target === null ? escapeHtml(text) : `<a href="${target}">${escapeHtml(text)}</a>`;
          return tone === null ? inner : `<span class="t-${tone}">${inner}</span>`;
        })
        .join(""),
    )
    .join("\n");
}

function tabs(html: string): string {
  return html.replaceAll(/<!-- tabs: (.+?) -->([\s\S]*?)<!-- \/tabs -->/g, (_, names: string, blocks: string) => {
    const titles = names.split(", ");
    const panels = [...blocks.matchAll(/<pre[\s\S]*?<\/pre>/g)].map(([panel]) => panel);
    if (panels.length !== titles.length) throw new Error(`Tabs ${names}: ${panels.length} code blocks.`);
    return `<div class="tabs">${panels.map((panel, at) => `<div class="tab" data-title="${escapeHtml(titles[at] ?? "")}">${panel}</div>`).join("")}</div>`;
  });
}
