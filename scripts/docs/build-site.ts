// Builds the documentation site into a folder: Markdown of docs/ and spec/, the API reference, the SDK reference, a search index. Every
// link is resolved against the repository; what leads nowhere is returned as broken.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
import { allOperations } from "../../packages/server/src/api/entries.ts";
import { apiReference } from "../../packages/server/src/docs/api-reference.ts";
import { DOCS_STYLE } from "../../packages/server/src/docs/docs-style.ts";
import { escapeHtml } from "../../packages/server/src/docs/schema-html.ts";
import { openapi } from "../../packages/server/src/openapi.ts";
import { type Content, layout, relative } from "./layout.ts";
import { codeHtml, type Rendered, renderMarkdown } from "./render-markdown.ts";
import { type Page, root, sitePages } from "./site-map.ts";

export type Built = { pages: number; bytes: number; broken: string[] };

const IMAGES = [".png", ".svg", ".jpg", ".gif"];

/** `sdk` makes the SDK reference; type checking takes longer than all the rest. */
export async function buildSite(out: string, sdk: () => Promise<Rendered>): Promise<Built> {
  rmSync(out, { recursive: true, force: true });
  const pages = sitePages();
  const site = new Site(out, pages);
  for (const page of pages) {
    const rendered = page.source === null ? await generated(page, sdk) : await renderMarkdown(read(page.source));
    site.add(page, rendered);
  }
  await site.addSources();
  site.writeSearch();
  site.write("assets/site.css", DOCS_STYLE + readFileSync(new URL("assets/site.css", import.meta.url), "utf8"));
  site.write("assets/site.js", readFileSync(new URL("assets/site.js", import.meta.url), "utf8"));
  return { pages: site.html.size, bytes: site.bytes, broken: [...site.broken, ...deadLinks(site.html, out)] };
}

const read = (path: string) => readFileSync(join(root, path), "utf8");

async function generated({ path }: Page, sdk: () => Promise<Rendered>): Promise<Rendered> {
  if (path === "sdk-reference.html") return sdk();
  const { version } = JSON.parse(read("package.json"));
  const { body } = apiReference(openapi(allOperations, version));
  const parts = allOperations.map(({ id, method, path, summary }) => ({
    id,
    depth: 3,
    title: summary,
    text: `${method} ${path}`,
  }));
  return { html: body, parts };
}

class Site {
  readonly html = new Map<string, string>();
  readonly broken: string[] = [];
  readonly #out: string;
  readonly #pages: readonly Page[];
  readonly #contents: Content[] = [];
  /** Files of the repository that pages link to and that are no pages. */
  readonly #sources = new Set<string>();
  readonly #folders = new Set<string>();
  bytes = 0;

  constructor(out: string, pages: readonly Page[]) {
    this.#out = out;
    this.#pages = pages;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#out, path)), { recursive: true });
    writeFileSync(join(this.#out, path), text);
    this.bytes += Buffer.byteLength(text);
    if (path.endsWith(".html")) this.html.set(path, text);
  }

  add(page: Page, { html, parts }: Rendered): void {
    const content = { page, html: page.source === null ? html : this.#relink(page.source, page.path, html), parts };
    this.#contents.push(content);
    this.write(page.path, layout(content, this.#pages));
  }

  /** Links to files of the repository become links to their place in the site. */
  #relink(source: string, path: string, html: string): string {
    return html.replaceAll(/ (href|src|srcset)="([^"#:]+)(#[^"]*)?"/g, (_, name: string, target: string, hash = "") => {
      const place = this.#placeOf(posix.normalize(posix.join(posix.dirname(source), decodeURIComponent(target))));
      if (place === null) this.broken.push(`${source} -> ${target}`);
      return ` ${name}="${place === null ? target : relative(path, place)}${hash}"`;
    });
  }

  #placeOf(file: string): string | null {
    const wanted = [file, posix.join(file, "README.md")];
    const page = this.#pages.find(({ source }) => source !== null && wanted.includes(source));
    if (page !== undefined) return page.path;
    if (!existsSync(join(root, file)) || file.startsWith("..")) return null;
    if (statSync(join(root, file)).isDirectory()) {
      this.#folders.add(file);
      return `source/${file}/index.html`;
    }
    if (IMAGES.includes(extname(file))) {
      const place = `files/${file}`;
      if (!existsSync(join(this.#out, place))) {
        cpSync(join(root, file), join(this.#out, place));
        this.bytes += statSync(join(root, file)).size;
      }
      return place;
    }
    this.#sources.add(file);
    return `source/${file}.html`;
  }

  /** A page for each linked source file, and a list for each linked folder: the site has no other place to link to. */
  async addSources(): Promise<void> {
    const add = (path: string, title: string, html: string) => {
      const page = { source: null, path, title, section: "" };
      this.write(path, layout({ page, html: `<h1>${escapeHtml(title)}</h1>${html}`, parts: [] }, this.#pages));
    };
    for (const folder of this.#folders) {
      const files = globSync("**/*.{json,toml,yaml,md,py,ts,sh,txt}", { cwd: join(root, folder) }).sort();
      for (const file of files) this.#sources.add(`${folder}/${file}`);
      const items = files.map((file) => `<li><a href="${escapeHtml(file)}.html">${escapeHtml(file)}</a></li>`);
      add(`source/${folder}/index.html`, folder, `<ul>${items.join("")}</ul>`);
    }
    for (const source of this.#sources) {
      const code = await codeHtml(read(source), extname(source).slice(1));
      add(`source/${source}.html`, source, `<pre class="wide"><code>${code}</code></pre>`);
    }
  }

  /** One entry per section, as a script: a page that was opened from a folder may not fetch. */
  writeSearch(): void {
    const entries = this.#contents.flatMap(({ page, parts }) =>
      parts
        .filter(({ title, text }) => title !== "" || text !== "")
        .map(({ id, title, text }) => ({ page: page.title, title, url: id === "" ? page.path : `${page.path}#${id}`, text })),
    );
    this.write("assets/search-index.js", `globalThis.hapDocsIndex = ${JSON.stringify(entries)};\n`);
  }
}

/** Links and pictures of the built pages that lead nowhere, anchors included. */
function deadLinks(html: ReadonlyMap<string, string>, out: string): string[] {
  const ids = new Map([...html].map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  return [...html].flatMap(([path, text]) =>
    [...text.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].flatMap(([, link = ""]) => {
      if (/^(https?|mailto):/.test(link)) return [];
      const [target = "", hash = ""] = link.split("#");
      const file = target === "" ? path : posix.normalize(posix.join(posix.dirname(path), target));
      const there = ids.has(file)
        ? hash === "" || ids.get(file)?.has(decodeURIComponent(hash))
        : existsSync(join(out, file)) && hash === "";
      return there === true ? [] : [`${path} -> ${link}`];
    }),
  );
}
