// An erasure reaches the backups that HAP made (draft 19.1): each is opened as a store of its own, loses the same texts and people,
// says so in its log, and verifies afterwards. Running it again does nothing more.
import { existsSync } from "node:fs";
import { type BackupErasure, type HapEvent, isHapError, prefixedHash, type TrustClass } from "@hap/protocol";
import type { SignatureVerifier } from "../credentials/verify-signature.ts";
import { rolesIn, setRoles } from "../people/roles.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store, StoreReader } from "../store/store.ts";
import { Names, sha256, type World } from "../transaction/facts.ts";
import { Session } from "../transaction/session.ts";
import { checkOnOpen } from "./check-on-open.ts";
import { forgetPerson } from "./forget-person.ts";
import { importRows } from "./import-rows.ts";
import { deleteText, recordErased } from "./record-erased.ts";
import { assertVerifies } from "./verify-copy.ts";

/** What it takes to write into a copy. */
export type CopyTools = { world: World; trust: TrustClass; verifySignature: SignatureVerifier };

/** Who erases in a backup: whoever did it in the store may be unknown there. */
const BY = "system:backup";

/** What the log says was erased, ever. */
type Erased = { digests: ReadonlySet<string>; people: readonly string[] };

/** Bring every backup up to the erasures of the store. One that is gone is forgotten. */
export function eraseInBackups(store: Store, tools: CopyTools): BackupErasure[] {
  const backups = store.listBackups();
  if (backups.length === 0) return [];
  const erased = readErased(store);
  return backups.map(({ path, made_at }): BackupErasure => {
    if (!existsSync(path)) {
      store.write((tx) => tx.dropBackup(path));
      return { path, made_at, result: "missing", problem: "There is no file at this path any more." };
    }
    try {
      eraseInCopy(path, store.space, erased, tools);
      return { path, made_at, result: "erased", problem: null };
    } catch (error) {
      if (!isHapError(error)) throw error;
      return { path, made_at, result: "failed", problem: error.message };
    }
  });
}

function readErased(store: StoreReader): Erased {
  const digests = new Set<string>();
  const people: string[] = [];
  for (const { payload } of store.scanEvents(0)) {
    if (!payload.includes('.erased"')) continue;
    const event = JSON.parse(payload) as HapEvent;
    if (event.type === "content.erased") for (const digest of event.digests) digests.add(digest);
    if (event.type === "person.erased") people.push(event.person);
  }
  return { digests, people };
}

function eraseInCopy(path: string, space: string, erased: Erased, { world, trust, verifySignature }: CopyTools): void {
  const copy = new SqliteStore({ path, space });
  try {
    checkOnOpen(copy);
    copy.write((tx) => {
      const session = new Session(tx, world, new Names(world), trust);
      importRows(session);
      const gone = deleteTexts(session, erased.digests);
      recordErased(session, gone, { from: BY });
      for (const person of erased.people) {
        withdrawPolicy(session, person);
        forgetPerson(session, person, BY);
      }
    });
    copy.scrub();
    assertVerifies(copy, verifySignature, "The texts are erased, but the backup does not verify");
  } finally {
    copy.close();
  }
}

/** Delete those of these texts that the copy has; returns their digests. */
function deleteTexts(session: Session, digests: ReadonlySet<string>): string[] {
  const found = [...session.tx.scanContents()].filter(({ digest }) => digests.has(`sha256:${digest}`));
  for (const { ticketSeq, digest } of found) deleteText(session, ticketSeq, `sha256:${digest}`);
  return found.map(({ digest }) => `sha256:${digest}`);
}

/** A copy of a time when the person held a role has their name in its policy. It is withdrawn; the file on disk can only tighten. */
function withdrawPolicy(session: Session, person: string): void {
  const { tx } = session;
  const text = tx.config("trusted_policy_text");
  const name = tx.nameOf(person);
  if (name === undefined || !rolesIn(text).has(name)) return;
  const file_hash = prefixedHash("", sha256);
  session.commitApart([{ type: "policy.trust", from: person, file_hash, confirmed: false, trust: session.trust }]);
  setRoles(session, text, "", file_hash);
  tx.setConfig("trusted_policy", file_hash);
  tx.setConfig("trusted_policy_text", "");
}
