// Colours for code, as class names: the page's policy allows no style in markup, and the theme stays in the style sheet.
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { loadGrammar } from "./languages.ts";

/** A piece of a line and the class of its colour, or none. */
export type Token = { text: string; tone: string | null };

/** Beyond this many characters colours cost more than they give. */
const LARGEST = 200_000;
const LONGEST_LINE = 2_000;

const theme = createCssVariablesTheme({ name: "page", variablePrefix: "--" });
let highlighter: Promise<HighlighterCore> | null = null;

/** The lines of a text in coloured pieces; null where there is no grammar or too much of it. */
export async function highlight(text: string, language: string): Promise<Token[][] | null> {
  if (text.length > LARGEST || text.split("\n").some((line) => line.length > LONGEST_LINE)) return null;
  highlighter ??= createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  const ready = await highlighter;
  if (!ready.getLoadedLanguages().includes(language)) await ready.loadLanguage(...(await loadGrammar(language)));
  const { tokens } = ready.codeToTokens(text, { lang: language, theme: "page" });
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, tone: toneOf(color) })));
}

/** `var(--token-keyword)` -> `keyword`; plain text has no tone. */
function toneOf(color: string | undefined): string | null {
  return /^var\(--token-([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? null;
}
