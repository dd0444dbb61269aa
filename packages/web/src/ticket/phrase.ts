// A phrase made for one decision: typing it is the person's own act, and nothing that a hand does by itself.
const first = [
  "amber",
  "brave",
  "calm",
  "clear",
  "dusty",
  "early",
  "faint",
  "gentle",
  "hollow",
  "iron",
  "late",
  "mild",
  "north",
  "quiet",
  "rapid",
  "silver",
];
const second = [
  "anchor",
  "bridge",
  "candle",
  "delta",
  "ember",
  "field",
  "garden",
  "harbor",
  "island",
  "jacket",
  "kettle",
  "lantern",
  "meadow",
  "needle",
  "orchard",
  "pebble",
];

/** Two words and two digits. */
export function makePhrase(random: Uint8Array = crypto.getRandomValues(new Uint8Array(4))): string {
  const [a = 0, b = 0, c = 0, d = 0] = random;
  return `${first[a % first.length]} ${second[b % second.length]} ${c % 10}${d % 10}`;
}

/** True when it was typed, give or take blanks and capitals. */
export function isPhrase(typed: string, phrase: string): boolean {
  const fold = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, " ");
  return fold(typed) === fold(phrase);
}
