// From a file's name to a grammar. Each grammar is a file of its own that is fetched when it is needed.
import type { LanguageRegistration } from "@shikijs/core";

type Grammar = () => Promise<{ default: LanguageRegistration[] }>;

const grammars: Record<string, Grammar> = {
  bash: () => import("@shikijs/langs/bash"),
  c: () => import("@shikijs/langs/c"),
  cpp: () => import("@shikijs/langs/cpp"),
  csharp: () => import("@shikijs/langs/csharp"),
  css: () => import("@shikijs/langs/css"),
  docker: () => import("@shikijs/langs/docker"),
  go: () => import("@shikijs/langs/go"),
  html: () => import("@shikijs/langs/html"),
  ini: () => import("@shikijs/langs/ini"),
  java: () => import("@shikijs/langs/java"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  kotlin: () => import("@shikijs/langs/kotlin"),
  markdown: () => import("@shikijs/langs/markdown"),
  php: () => import("@shikijs/langs/php"),
  python: () => import("@shikijs/langs/python"),
  ruby: () => import("@shikijs/langs/ruby"),
  rust: () => import("@shikijs/langs/rust"),
  sql: () => import("@shikijs/langs/sql"),
  swift: () => import("@shikijs/langs/swift"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  yaml: () => import("@shikijs/langs/yaml"),
};

const endings: Record<string, keyof typeof grammars> = {
  bash: "bash",
  sh: "bash",
  zsh: "bash",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  css: "css",
  dockerfile: "docker",
  go: "go",
  htm: "html",
  html: "html",
  svg: "html",
  xml: "html",
  cfg: "ini",
  conf: "ini",
  ini: "ini",
  java: "java",
  cjs: "javascript",
  js: "javascript",
  mjs: "javascript",
  json: "json",
  jsonc: "json",
  kt: "kotlin",
  markdown: "markdown",
  md: "markdown",
  php: "php",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sql: "sql",
  swift: "swift",
  toml: "toml",
  jsx: "tsx",
  tsx: "tsx",
  cts: "typescript",
  mts: "typescript",
  ts: "typescript",
  yaml: "yaml",
  yml: "yaml",
};

/** The language of a file by its name, or null. */
export function languageOf(path: string): string | null {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  return endings[ending] ?? null;
}

/** Fetch a grammar. */
export async function loadGrammar(language: string): Promise<LanguageRegistration[]> {
  const load = grammars[language];
  return load === undefined ? [] : (await load()).default;
}
