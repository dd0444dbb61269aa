// Which language the page speaks: decided once, when it is loaded. ?lang= in the address goes before the browser's own wish.

/** Languages that have a catalogue. `pseudo` is English in disguise, for tests: it shows words that are in no catalogue. */
const LANGUAGES = ["en", "pseudo"] as const;
type Language = (typeof LANGUAGES)[number];

function choose(): Language {
  const asked = typeof location === "undefined" ? null : new URLSearchParams(location.search).get("lang");
  const wishes = [asked, ...(typeof navigator === "undefined" ? [] : navigator.languages)];
  const known = wishes.map((wish) => LANGUAGES.find((name) => name === wish?.split("-")[0]));
  return known.find((name) => name !== undefined) ?? "en";
}

/** The page's language. */
export const language: Language = choose();

/** As HTML and Intl name it. */
export const languageTag = language === "pseudo" ? "en-XA" : language;

/** How this person's browser writes dates and numbers. */
export const locale: string | undefined = typeof navigator === "undefined" ? undefined : knownTag(navigator.language);

/** WebKit says "C" where the system has no language, and Intl refuses what is no language tag. */
function knownTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Say it in the document, for screen readers and hyphenation. */
export function markLanguage(): void {
  document.documentElement.lang = languageTag;
}
