// Searches texts for a person's name and addresses: whole words, in any letter case and width, also inside JSON and base64.

/** Words to look for, and how to find them. */
export type Words = { list: readonly string[]; find: (body: string) => { found: string[]; excerpt: string } | null };

/** How much of a text stands around a word that was found. */
const AROUND = 40;
/** Shorter account names, like `42`, are everywhere. */
const SHORTEST_ACCOUNT = 5;

/** The words for a person: the id, the bare name, account names and whatever else the caller gives. */
export function wordsFor(person: string, accounts: readonly { subject: string }[], also: readonly string[] = []): Words {
  const name = person.replace(/^human:/, "");
  const spoken = name.replaceAll(/[_-]+/g, " ").trim();
  const subjects = accounts.map(({ subject }) => subject).filter((subject) => subject.length >= SHORTEST_ACCOUNT);
  const list = [...new Set([person, name, spoken, ...subjects, ...also].map(fold).filter((word) => word !== ""))];
  const patterns = list.map((word) => ({ word, pattern: wholeWord(word) }));
  const find = (body: string) => {
    for (const text of readings(body)) {
      const hits = patterns.flatMap(({ word, pattern }) => {
        const at = text.search(pattern);
        return at === -1 ? [] : [{ word, at }];
      });
      const [first] = hits;
      if (first !== undefined) return { found: hits.map(({ word }) => word), excerpt: excerptOf(text, first.at, first.word) };
    }
    return null;
  };
  return { list, find };
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
}

function wholeWord(word: string): RegExp {
  const quoted = word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, "u");
}

/** What a stored text may say: itself, the strings of its JSON without their escapes, and the bytes behind base64. */
function* readings(body: string): Iterable<string> {
  yield fold(body);
  if (/^[[{"]/.test(body)) {
    const strings: string[] = [];
    collect(parse(body), strings);
    yield fold(strings.join("\n"));
  }
  if (body.length >= 8 && /^[A-Za-z0-9+/]+={0,2}$/.test(body)) yield fold(Buffer.from(body, "base64").toString("utf8"));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function collect(value: unknown, strings: string[]): void {
  if (typeof value === "string") strings.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, strings);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      strings.push(key);
      collect(item, strings);
    }
}

function excerptOf(text: string, at: number, word: string): string {
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + word.length + AROUND);
  const part = text.slice(start, end).replaceAll(/\s+/g, " ");
  return `${start > 0 ? "..." : ""}${part}${end < text.length ? "..." : ""}`;
}
