// English in disguise: every letter has a mark, so that a word which is not from the catalogue is seen at once.
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MARKED = "åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ";
const marks = new Map([...PLAIN].map((letter, at) => [letter, [...MARKED][at] as string]));

/** A message in disguise; {names} stay as they are. */
export function disguise(message: string): string {
  const parts = message.split(/(\{\w+\})/);
  return `⟦${parts.map((part, at) => (at % 2 === 1 ? part : [...part].map((letter) => marks.get(letter) ?? letter).join(""))).join("")}⟧`;
}
