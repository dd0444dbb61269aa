// What a harmless command line looks at, once its options have been recognised.

/** `names`: paths of which only names and attributes are shown; `contents`: paths whose bytes are shown. */
export type Reading = {
  readonly names: readonly string[];
  readonly contents: readonly string[];
  /** Only in the project's root: see git.ts. */
  readonly inRoot?: true;
};

/** Recognises the arguments of one program, or returns undefined: not harmless. */
export type Reader = (args: readonly string[]) => Reading | undefined;

/** A command line that looks at no file. */
export const LOOKS_AT_NOTHING: Reading = { names: [], contents: [] };
