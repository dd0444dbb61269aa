// File systems fold case, width and look-alike letters (`.SSH`, `.ſsh` on APFS), so tables of names are read folded.

/** No file system takes a longer path; the tables count one as the worst. */
export const LONGEST_PATH = 4096;

/** Of plain letters only the case folds; asking Unicode about them would cost a program that starts often most of its time. */
const PLAIN = /^[ -~]*$/;

/** A path as a forgiving file system would compare it. */
export function foldName(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  return path
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();
}
