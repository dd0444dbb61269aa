// `hap backup`: a copy of a running store that holds one moment, is verified before it gets its name, and belongs to its owner alone.
// Copying the files themselves is not that: while somebody writes, the database and its log are of two moments.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type BackupReport, HapError, quote } from "@hap/protocol";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import type { Store } from "../store/store.ts";
import { verifyLog } from "./verify.ts";

/** What a backup needs of its engine. */
export type BackupTools = { verifySignature: SignatureVerifier; random: (bytes: Uint8Array) => Uint8Array };

/** Copy, verify, sync, then give it its name; whatever fails leaves nothing behind. */
export function backupStore(store: Store, given: string, { verifySignature, random }: BackupTools): BackupReport {
  const path = checkTarget(given);
  const partial = `${path}.${Buffer.from(random(new Uint8Array(8))).toString("hex")}.partial`;
  try {
    closeSync(inFolder(path, () => openSync(partial, "wx", 0o600)));
    const { events, head } = verifyCopy(store.copyTo(partial), verifySignature);
    sync(partial);
    // Unlike a rename, this never takes the place of another file.
    inFolder(path, () => linkSync(partial, path));
    sync(dirname(path));
    return { path, events, head, bytes: statSync(path).size };
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(partial + end, { force: true });
  }
}

function checkTarget(given: string): string {
  const path = resolve(given);
  if (!existsSync(path)) return path;
  throw new HapError("invalid_input", `${quote(path)} exists. Give a name that is free; a backup replaces nothing.`, {
    field: "FILE",
    path,
  });
}

function verifyCopy(copy: Store, verifySignature: SignatureVerifier): { events: number; head: string } {
  try {
    const report = verifyLog(copy, { chainOnly: false, verifySignature });
    if (report.ok) return report;
    throw new HapError(
      "integrity_violation",
      `The copy does not verify, so no backup was made: ${report.violation.message} Run \`hap verify\` on the store itself.`,
      { seq: report.violation.seq },
    );
  } finally {
    copy.close();
  }
}

/** What the system says about the target's folder, in our words. */
function inFolder<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const full = code === "ENOSPC";
    throw new HapError(
      full ? "store_full" : "invalid_input",
      `${quote(path)} cannot be written (${code}). Give a file in a folder that exists, has space and is yours to write.`,
      { field: "FILE", path },
      error,
    );
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
