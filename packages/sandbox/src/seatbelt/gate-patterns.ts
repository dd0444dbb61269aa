// The gate's table as patterns of Seatbelt, for paths below one project. Seatbelt knows no `(?:` and no flag for upper and lower case,
// and APFS folds case, so each letter is written in all its forms. Pure.

/** Letters that APFS takes for the same as a plain one. */
const LOOK_ALIKE: Readonly<Record<string, string>> = { k: "\u212a", s: "\u017f" };

/** One pattern for each row of the table that can match below `project`. */
export function seatbeltPatterns(table: readonly RegExp[], project: string): string[] {
  // Where the project itself lies says nothing about the files in it.
  const inside = table.filter(({ source }) => !source.startsWith("^"));
  return inside.map(({ source }) => `^${escapePath(project)}(/.*)?(${translate(source)})`);
}

/** A path as a pattern that matches it alone. */
export function escapePath(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, (letter) => `\\${letter}`);
}

function translate(source: string): string {
  const plain = source.replaceAll("(?:", "(").replaceAll("\\/", "/");
  if (/\\[^.$?+*()|[\]{}^-]|\(\?/.test(plain)) throw new Error(`Seatbelt has no such pattern: ${source}`);
  return plain.replaceAll(/\[[^\]]*\]|\\.|[a-z]/g, (part) => (/^[a-z]$/.test(part) ? everyForm(part) : part));
}

function everyForm(letter: string): string {
  const other = LOOK_ALIKE[letter];
  const forms = [letter, letter.toUpperCase()];
  return other === undefined ? `[${forms.join("")}]` : `(${[...forms, other].join("|")})`;
}
