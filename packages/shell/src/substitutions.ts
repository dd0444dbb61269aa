// How many substitutions a command opens. The grammar looks ahead from each, which is quadratic where they stay open.

/** More than this is no command that anybody writes. */
export const MOST_SUBSTITUTIONS = 1_000;

/** Whether a text opens more substitutions than are read. */
export function opensTooMany(command: string): boolean {
  let count = 0;
  for (const _ of command.matchAll(/[$<>=]\(|`/g)) {
    count += 1;
    if (count > MOST_SUBSTITUTIONS) return true;
  }
  return false;
}
