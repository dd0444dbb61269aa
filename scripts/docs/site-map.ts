// What the site is made of: the sections of its navigation, and where each Markdown file of the repository ends up.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A page: its Markdown (null where it is generated), its place in the site, its title. */
export type Page = { source: string | null; path: string; title: string; section: string };

/** Sections in their order; pages of docs/ by name, generated ones by their place in the site. */
const SECTIONS: readonly (readonly [section: string, pages: readonly string[]])[] = [
  ["Start", ["README.md", "docs/quick-start.md", "docs/tutorial.md", "docs/install.md", "examples/README.md"]],
  ["Inbox", ["docs/inbox.md", "docs/tui.md", "docs/desktop.md", "docs/cli.md"]],
  [
    "Gate",
    ["docs/gate.md", "docs/claude-code.md", "docs/codex.md", "docs/confinement.md", "docs/policy.md", "docs/authority.md"],
  ],
  [
    "Agents and code",
    ["docs/sdk.md", "sdk-reference.html", "docs/mcp.md", "docs/cueme.md", "docs/bridge.md", "docs/exec.md", "docs/github.md"],
  ],
  ["Server", ["docs/server.md", "api.html", "docs/signing.md", "docs/operations.md", "docs/scale.md"]],
  ["yume-cli", ["docs/yume.md", "docs/yume-*.md"]],
  ["term", ["docs/term.md", "docs/term-*.md", "packages/term-sdk/README.md", "sdks/python/README.md", "sdks/rust/README.md"]],
  ["Protocol", ["spec/README.md", "spec/protocol.md", "spec/tickets.md", "spec/*.md"]],
  [
    "Project",
    [
      "docs/architecture.md",
      "docs/performance.md",
      "docs/scoreboard.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      "CHANGELOG.md",
      "*.md",
      "docs/*.md",
    ],
  ],
  ["Decisions", ["docs/decisions/README.md", "docs/decisions/*.md"]],
];

/** Pages that are made of something else than Markdown. */
const GENERATED: Record<string, string> = { "sdk-reference.html": "SDK reference", "api.html": "API reference" };
/** Not for readers of the site. */
const LEFT_OUT = ["CLAUDE.md"];
/** Short names in the navigation, where a page's own title is a sentence. */
const SHORT: Record<string, string> = {
  "README.md": "Overview",
  "docs/README.md": "All pages",
  "docs/decisions/README.md": "All decisions",
  "spec/README.md": "The specification",
};

/** Every page, in the order of the navigation. Each file is in the first section that names it. */
export function sitePages(): Page[] {
  const pages = new Map<string, Page>();
  for (const [section, patterns] of SECTIONS)
    for (const pattern of patterns) {
      const generated = GENERATED[pattern];
      if (generated !== undefined) pages.set(pattern, { source: null, path: pattern, title: generated, section });
      for (const source of generated === undefined ? globSync(pattern, { cwd: root }).sort() : [])
        if (!pages.has(source) && !LEFT_OUT.includes(source))
          pages.set(source, { source, path: placeOf(source), title: titleOf(source), section });
    }
  return [...pages.values()];
}

/** docs/x.md -> x.html; spec/x.md -> spec/x.html; what is elsewhere keeps its folder. */
function placeOf(source: string): string {
  if (source === "README.md") return "index.html";
  if (source === "docs/README.md") return "pages.html";
  const inRoot = source.includes("/") ? source.replace(/^docs\//, "") : `project/${source.toLowerCase()}`;
  return inRoot.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

function titleOf(source: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, source), "utf8"))?.[1] ?? source;
  return SHORT[source] ?? heading.replaceAll("`", "").replace(/^(Tutorial|Policy|The gate): .*/, "$1");
}
