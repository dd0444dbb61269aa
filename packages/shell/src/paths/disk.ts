// What the classifier may ask about the disk. The package itself touches none: `@hap/shell/disk` reads this machine's, tests
// describe one. Every answer is about this moment; what cannot be told is not proven.

/** What stands at a path, itself not followed. */
export type DiskEntry = {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Where a link points, as written in it. */
  readonly target?: string;
  /** Device and inode: the same file under another name has the same. */
  readonly id: string;
  /** How many names the file has. */
  readonly names: number;
  /** A program that can be started; a folder that everybody can enter. */
  readonly executable: boolean;
};

/** A disk, and where its shell looks for programs. */
export type Disk = {
  /** The entry at an absolute path; null: nothing is there; undefined: it cannot be told. */
  look(path: string): DiskEntry | null | undefined;
  /** The names in a folder; undefined: it cannot be told. */
  list(path: string): readonly string[] | undefined;
  /** A small text file; null: nothing is there; undefined: it cannot be told. */
  read(path: string): string | null | undefined;
  /** The folders in which programs are looked for, in order. */
  readonly path: readonly string[];
};
