// Which policies are in force (D5): the user's as it was confirmed; the user's file where it differs from that, which may only
// tighten; and the project's. Reads files, so it is asked before a transaction begins.
import { HapError } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import { confirmedPolicy, NO_POLICY } from "./confirmed-policy.ts";
import type { Policies } from "./policy.ts";
import { PolicyFiles } from "./policy-files.ts";

/** The user's file as it is now, and whether it is the one that is confirmed. A file that is gone has no text. */
export type PolicyStatus = { path: string; hash: string; trusted: boolean; text: string };

/** Where a store's policies come from: files beside what is confirmed, or what is confirmed alone. */
export type PolicySource = {
  /** True if the store itself holds the policy: there is nothing to confirm but what is saved. */
  readonly inStore: boolean;
  /** What verdicts name as the place of the policy. */
  readonly userPath: string;
  forProject: (rows: Pick<StoreReader, "config">, project: string | null) => Policies;
  write: (text: string) => void;
  status: (rows: Pick<StoreReader, "config">) => PolicyStatus;
};

/** The policy files of one home folder, beside what is confirmed. */
export class PoliciesInForce implements PolicySource {
  readonly inStore = false;
  readonly #files: PolicyFiles;

  constructor(home: string) {
    this.#files = new PolicyFiles(home);
  }

  get userPath(): string {
    return this.#files.userPath;
  }

  /** The confirmed policy stays in force until a changed file is confirmed. */
  forProject(rows: Pick<StoreReader, "config">, project: string | null): Policies {
    const confirmed = confirmedPolicy(rows, this.userPath);
    const file = this.#files.user();
    const changed = file === null || file.hash === confirmed?.hash ? null : file;
    return { confirmed, changed, project: this.#files.project(project) };
  }

  /** Write the user's file; it counts as confirmed only once somebody confirms it. */
  write(text: string): void {
    this.#files.writeUser(text);
  }

  status(rows: Pick<StoreReader, "config">): PolicyStatus {
    const file = this.#files.userNow();
    const trusted = rows.config("trusted_policy");
    const path = this.userPath;
    if (file === null && (trusted === undefined || trusted === NO_POLICY)) {
      throw new HapError("invalid_policy", `There is no policy at ${path}. Write one first; docs/policy.md shows how.`, { path });
    }
    const hash = file?.hash ?? NO_POLICY;
    return { path, hash, trusted: trusted === hash, text: file?.text ?? "" };
  }
}
