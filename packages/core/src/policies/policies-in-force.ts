// Which policies are in force (D5): the user's as it was confirmed, kept in the store word for word; the user's file where it
// differs from that, which may only tighten; and the project's.
import { HapError, prefixedHash } from "@hap/protocol";
import type { Store } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { type Policies, type Policy, readPolicy } from "./policy.ts";
import { POLICY_FRESH_MS, PolicyFiles } from "./policy-files.ts";

/** The user's file as it is now, and whether it is the one that is confirmed. A file that is gone has no text. */
export type PolicyStatus = { path: string; hash: string; trusted: boolean; text: string };

/** The hash that stands for "no policy": that of an empty text. */
const NO_POLICY = prefixedHash("", sha256);

export class PoliciesInForce {
  readonly #store: Store;
  readonly #files: PolicyFiles;
  #confirmed: Policy | null = null;
  #trusted: { at: number; hash: string | undefined } = { at: Number.NEGATIVE_INFINITY, hash: undefined };

  constructor(store: Store, home: string) {
    this.#store = store;
    this.#files = new PolicyFiles(home);
  }

  /** The confirmed policy stays in force until a changed file is confirmed. */
  forProject(project: string | null): Policies {
    const confirmed = this.#confirmedPolicy();
    const file = this.#files.user();
    const changed = file === null || file.hash === confirmed?.hash ? null : file;
    return { confirmed, changed, project: this.#files.project(project) };
  }

  /** As it is right now: who decides by a role must hold it at that moment, or the log would not verify. */
  confirmedAlone(): Policies {
    this.forget();
    return { confirmed: this.#confirmedPolicy(), changed: null, project: null };
  }

  /** Look at what is confirmed anew. */
  forget(): void {
    this.#trusted = { at: Number.NEGATIVE_INFINITY, hash: undefined };
  }

  /** Write the user's file; it counts as confirmed only once somebody confirms it. */
  write(text: string): void {
    this.#files.writeUser(text);
  }

  status(): PolicyStatus {
    const file = this.#files.userNow();
    const trusted = this.#store.config("trusted_policy");
    const path = this.#files.userPath;
    if (file === null && (trusted === undefined || trusted === NO_POLICY)) {
      throw new HapError("invalid_policy", `There is no policy at ${path}. Write one first; docs/policy.md shows how.`, { path });
    }
    const hash = file?.hash ?? NO_POLICY;
    return { path, hash, trusted: trusted === hash, text: file?.text ?? "" };
  }

  /** The hash of the confirmed policy, looked up anew after a while, as the files are. */
  #trustedHash(): string | undefined {
    const now = performance.now();
    if (now - this.#trusted.at > POLICY_FRESH_MS) this.#trusted = { at: now, hash: this.#store.config("trusted_policy") };
    return this.#trusted.hash;
  }

  #confirmedPolicy(): Policy | null {
    const hash = this.#trustedHash();
    if (hash === undefined || hash === NO_POLICY) return null;
    if (this.#confirmed?.hash === hash) return this.#confirmed;
    const text = this.#store.config("trusted_policy_text") ?? "";
    if (prefixedHash(text, sha256) !== hash) {
      const { path } = this.#store;
      throw new HapError(
        "integrity_violation",
        `The confirmed policy in ${path} is not the one that was confirmed (${hash}). Run \`hap verify\`.`,
        { path },
      );
    }
    this.#confirmed = readPolicy(text, this.#files.userPath);
    return this.#confirmed;
  }
}
