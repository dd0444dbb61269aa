// The frame of a page: header with search, navigation, contents. All links are relative, so the site works below any address and from
// a folder; nothing is inline, so it works under the server's content policy.
import { posix } from "node:path";
import { escapeHtml } from "../../packages/server/src/docs/schema-html.ts";
import type { Part } from "./render-markdown.ts";
import type { Page } from "./site-map.ts";

export type Content = { page: Page; html: string; parts: readonly Part[] };

/** A link from one page of the site to another file of it. */
export const relative = (from: string, to: string): string => posix.relative(posix.dirname(from), to);

export function layout({ page, html, parts }: Content, pages: readonly Page[]): string {
  const to = (path: string) => relative(page.path, path);
  const at = pages.findIndex(({ path }) => path === page.path);
  const near = (other: Page | undefined, words: string, side: string) =>
    other === undefined
      ? ""
      : `<a class="${side}" href="${to(other.path)}"><small>${words}</small>${escapeHtml(other.title)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.path === "index.html" ? "HAP documentation" : `${page.title} · HAP`)}</title>
<link rel="stylesheet" href="${to("assets/site.css")}">
<script src="${to("assets/site.js")}" defer></script>
</head>
<body data-root="${to("index.html").replace(/index\.html$/, "")}">
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="name" href="${to("index.html")}">HAP</a>
<div class="search" role="search"><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><ol class="found" hidden></ol></div>
<a href="${to("quick-start.html")}">Quick start</a><a href="${to("api.html")}">API</a><a href="${to("sdk-reference.html")}">SDK</a>
<button type="button" class="theme" hidden>Theme</button>
</header>
<div class="page">
<nav aria-label="Pages">${navigation(page, pages)}</nav>
<main id="content">
${contents(parts)}
${html}
<footer class="near">${near(pages[at - 1], "Previous", "previous")}${near(pages[at + 1], "Next", "next")}</footer>
</main>
</div>
</body>
</html>
`;
}

/** Sections, of which the one with this page is open. */
function navigation(current: Page, pages: readonly Page[]): string {
  // A source file is in no section: a way back is enough.
  if (current.section === "") return `<a class="group" href="${relative(current.path, "pages.html")}">All pages</a>`;
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections
    .map((section) => {
      const items = pages
        .filter((page) => page.section === section)
        .map(({ path, title }) => {
          const here = path === current.path ? ' aria-current="page"' : "";
          return `<li><a href="${relative(current.path, path)}"${here}>${escapeHtml(title)}</a></li>`;
        });
      return `<details${section === current.section || section === "Start" ? " open" : ""}><summary class="group">${escapeHtml(section)}</summary><ul>${items.join("")}</ul></details>`;
    })
    .join("\n");
}

/** The sections of a long page. */
function contents(parts: readonly Part[]): string {
  const sections = parts.filter(({ depth }) => depth === 2);
  if (sections.length < 3) return "";
  const items = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<details class="contents"><summary>On this page</summary><ul>${items.join("")}</ul></details>`;
}
