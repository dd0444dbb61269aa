// `hap backup`: a copy of a running store that holds one moment, is verified before it gets its name, and belongs to its owner alone.
// Copying the files themselves is not that: while somebody writes, the database and its log are of two moments.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type BackupReport, HapError, isHapError, quote } from "@hap/protocol";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import type { BackupRow, Store } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import { assertVerifies } from "./verify-copy.ts";

/** What a backup needs of its engine. */
export type BackupTools = { verifySignature: SignatureVerifier; random: (bytes: Uint8Array) => Uint8Array; now: () => number };

/** Copy, verify, sync, then give it its name; whatever fails leaves nothing behind. */
export function backupStore(store: Store, given: string, { verifySignature, random, now }: BackupTools): BackupReport {
  const path = checkTarget(given);
  const recorded = record(store, { path, made_at: toIso(now()) });
  const partial = `${path}.${Buffer.from(random(new Uint8Array(8))).toString("hex")}.partial`;
  try {
    closeSync(inFolder(path, () => openSync(partial, "wx", 0o600)));
    const { events, head } = verified(store.copyTo(partial), verifySignature);
    sync(partial);
    // Unlike a rename, this never takes the place of another file.
    inFolder(path, () => linkSync(partial, path));
    sync(dirname(path));
    return { path, events, head, bytes: statSync(path).size, recorded };
  } catch (error) {
    if (recorded) store.write((tx) => tx.dropBackup(path));
    throw error;
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

/** Note it before it exists, so that no erasure misses it. A full disk does not stop a backup to another one. */
function record(store: Store, row: BackupRow): boolean {
  try {
    store.write((tx) => tx.putBackup(row));
    return true;
  } catch (error) {
    if (isHapError(error) && error.code === "store_full") return false;
    throw error;
  }
}

function verified(copy: Store, verifySignature: SignatureVerifier): { events: number; head: string } {
  try {
    return assertVerifies(copy, verifySignature, "The copy does not verify, so no backup was made");
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
