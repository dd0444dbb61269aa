// What a proven command line looks at and changes, once its options have been recognised.

/** Paths by what happens to them. */
export type Reading = {
  /** Only names and attributes are shown. */
  readonly names: readonly string[];
  /** Bytes are shown. */
  readonly contents: readonly string[];
  /** Bytes of everything below are shown: `hidden` says whether files with a leading dot are, too. */
  readonly trees?: readonly { readonly path: string; readonly hidden: boolean }[];
  /** Plain files that are made or overwritten. */
  readonly writes?: readonly string[];
  /** Plain files or links that are taken away. */
  readonly removes?: readonly string[];
  /** Folders that are made or, when empty, taken away. */
  readonly folders?: readonly string[];
  /** Plain files that are copied or moved into a file or folder. */
  readonly copy?: { readonly sources: readonly string[]; readonly target: string; readonly moves: boolean };
  /** What git does: see git.ts. */
  readonly git?: GitUse;
};

/** `shows` reads; `diffs` may run a clean filter too; `index` and `refs` write the repository, never the working tree. */
export type GitUse = "shows" | "diffs" | "index" | "refs";

/** Recognises the arguments of one program, or returns undefined: not proven. */
export type Reader = (args: readonly string[]) => Reading | undefined;

/** A command line that looks at no file. */
export const LOOKS_AT_NOTHING: Reading = { names: [], contents: [] };
