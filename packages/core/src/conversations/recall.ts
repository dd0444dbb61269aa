// Which agent is meant (D26)? Hints are compared with what each agent asked, where it runs and what it is called; rare words
// count more. Scripts without spaces between words are compared by pairs of characters.

/** What is known of one agent, in words: each text with its weight. */
export type Remembered<T> = { item: T; texts: readonly { text: string; weight: number }[] };

const joinedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]+/gu;

/** The words of a text in any script. */
function wordsOf(text: string): Set<string> {
  const folded = text.normalize("NFKC").toLowerCase();
  const words = new Set<string>();
  const rest = folded.replaceAll(joinedScripts, (run) => {
    const characters = [...run];
    if (characters.length === 1) words.add(run);
    for (let at = 0; at + 1 < characters.length; at++) words.add(`${characters[at]}${characters[at + 1]}`);
    return " ";
  });
  for (const [word] of rest.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) words.add(word);
  return words;
}

/** Those that fit at least one hint, best first; equals stay in the order in which they came. */
export function rank<T>(hints: string, remembered: readonly Remembered<T>[]): T[] {
  const wanted = [...wordsOf(hints)];
  const known = remembered.map(({ item, texts }) => ({
    item,
    texts: texts.map(({ text, weight }) => ({ words: wordsOf(text), weight })),
  }));
  const rarity = new Map(
    wanted.map((word) => {
      const holders = known.filter(({ texts }) => texts.some(({ words }) => words.has(word))).length;
      return [word, Math.log(1 + (known.length + 1) / (holders + 0.5))];
    }),
  );
  const scored = known.map(({ item, texts }) => {
    let score = 0;
    for (const word of wanted) {
      const weight = Math.max(0, ...texts.filter(({ words }) => words.has(word)).map((text) => text.weight));
      score += weight * (rarity.get(word) as number);
    }
    return { item, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
