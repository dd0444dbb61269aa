// Where policies lie and how they are read: ~/.hap/policy.json, and .hap/policy.json of the project. Read again when changed.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HapError } from "@hap/protocol";
import { type Policy, readPolicy } from "./policy.ts";

/** How long a look at a policy counts. */
const POLICY_FRESH_MS = 50;

/** Reads policy files, and keeps what it read while size, inode and times stay the same. */
export class PolicyFiles {
  readonly userPath: string;
  readonly #cache = new Map<string, { stamp: string; policy: Policy }>();
  readonly #looked = new Map<string, { at: number; policy: Policy | null }>();

  constructor(home: string) {
    this.userPath = join(home, ".hap", "policy.json");
  }

  user(): Policy | null {
    return this.#read(this.userPath);
  }

  /** As it is at this moment: what a person is about to confirm is never what stood there a moment ago. */
  userNow(): Policy | null {
    this.#looked.delete(this.userPath);
    return this.user();
  }

  /** Put another text in the place of the user's file, whole or not at all. */
  writeUser(text: string): void {
    const path = this.userPath;
    const beside = `${path}.${process.pid}.new`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(beside, text, { mode: 0o600, flush: true });
    renameSync(beside, path);
    this.#looked.delete(path);
  }

  /** The policy of a project folder. A home folder's own `.hap` is the user's, never a project's. */
  project(root: string | null): Policy | null {
    if (root === null) return null;
    const path = join(root, ".hap", "policy.json");
    return path === this.userPath ? null : this.#read(path);
  }

  #read(path: string): Policy | null {
    const now = performance.now();
    const looked = this.#looked.get(path);
    if (looked !== undefined && now - looked.at < POLICY_FRESH_MS) return looked.policy;
    const policy = this.#readFile(path);
    this.#looked.set(path, { at: now, policy });
    return policy;
  }

  /** A broken policy is an error, not an absent one: a gate that cannot read its rules stays closed. */
  #readFile(path: string): Policy | null {
    try {
      const { size, mtimeMs, ctimeMs, ino } = statSync(path);
      const stamp = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
      const known = this.#cache.get(path);
      if (known?.stamp === stamp) return known.policy;
      const text = readFileSync(path, "utf8");
      const policy = readPolicy(text, path);
      this.#cache.set(path, { stamp, policy });
      return policy;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      if (error instanceof HapError)
        throw new HapError(
          "invalid_policy",
          `${error.message} Correct ${path}; until then nothing is allowed by it.`,
          { path, ...error.fields },
          error,
        );
      throw new HapError(
        "invalid_policy",
        `${path} cannot be read (${code ?? (error as Error).message}). Check its permissions.`,
        { path },
        error,
      );
    }
  }
}
