// The policy of a space in a database (D58): the one that was confirmed last, the same on every node. No file of a node is read for it.
import { HapError } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import { confirmedPolicy, NO_POLICY } from "./confirmed-policy.ts";
import type { PolicySource, PolicyStatus } from "./policies-in-force.ts";
import type { Policies } from "./policy.ts";
import { PolicyFiles } from "./policy-files.ts";

/** The policy of one space, and the files of projects, which can only tighten. */
export class StoredPolicies implements PolicySource {
  readonly inStore = true;
  readonly userPath: string;
  readonly #files: PolicyFiles;

  constructor(space: string, home: string) {
    this.userPath = `the policy of the space ${space}`;
    this.#files = new PolicyFiles(home);
  }

  forProject(rows: Pick<StoreReader, "config">, project: string | null): Policies {
    return { confirmed: confirmedPolicy(rows, this.userPath), changed: null, project: this.#files.project(project) };
  }

  /** Nothing is written before it is confirmed. */
  write(): void {}

  status(rows: Pick<StoreReader, "config">): PolicyStatus {
    const hash = rows.config("trusted_policy") ?? NO_POLICY;
    if (hash === NO_POLICY)
      throw new HapError(
        "invalid_policy",
        "This space has no policy yet. Write one on the page, or put a file in force with `hap policy set FILE`.",
        { path: this.userPath },
      );
    return { path: this.userPath, hash, trusted: true, text: rows.config("trusted_policy_text") ?? "" };
  }
}
