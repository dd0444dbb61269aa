// How many lines of a file really change, where a quick look finds many. Loaded only then.
import { diffArrays } from "diff";
import { LARGE_CHANGE, linesOf } from "./file-change.ts";

const LONGEST_SEARCH_MS = 1000;

/** Changed lines; a replaced one counts once. `rough`, which is never too low, where there are more than make a change large. */
export function countChanges(before: string, after: string, rough: number): number {
  const limits = { maxEditLength: 2 * LARGE_CHANGE, timeout: LONGEST_SEARCH_MS };
  const parts = diffArrays(linesOf(before), linesOf(after), limits);
  if (parts === undefined) return rough;
  let [sum, removed, added] = [0, 0, 0];
  for (const part of [...parts, { removed: false, added: false, count: 0 }]) {
    if (part.removed) removed += part.count;
    else if (part.added) added += part.count;
    else {
      sum += Math.max(removed, added);
      [removed, added] = [0, 0];
    }
  }
  return sum;
}
