// Moves a store between a SQLite file and PostgreSQL, whole and verified: the head's hash is the same on both sides.
import { HapError } from "@hap/protocol";
import { verifyEnrolled } from "../../credentials/verify-signature.ts";
import { verifyLog } from "../../log/verify.ts";
import { SqliteStore } from "../sqlite/sqlite-store.ts";
import type { Store } from "../store.ts";
import { withoutPassword } from "./errors.ts";
import { importSpace } from "./import-space.ts";
import { openPostgres } from "./open-postgres.ts";
import { makePool, prepareDatabase } from "./prepare-database.ts";

/** What was moved, and where to. */
export type MigrationReport = {
  from: string;
  to: string;
  space: string;
  events: number;
  head: string;
  /** For how long the file could not be written. */
  locked_ms?: number;
};
type Options = { url: string; space: string; progress?: ((rows: number) => void) | undefined };

/** Copy a file into a space, and verify it there. Run again, also after a failure, it copies what is new or missing. */
export async function migrateStore(file: string, { url, space, progress }: Options): Promise<MigrationReport> {
  const source = new SqliteStore({ path: file, space });
  const expected = source.head();
  source.close();
  await prepareDatabase(url);
  const pool = makePool(url, 1);
  try {
    const path = withoutPassword(url);
    const { events, head, lockedMs } = await importSpace({ from: file, space, pool, path, progress });
    const { store } = await openPostgres({ url, space });
    try {
      assertSame(store, { seq: events, hash: head });
      if (events === expected.seq && head !== expected.hash) throw differs(path);
    } finally {
      store.close();
    }
    return { from: file, to: path, space, events, head, locked_ms: lockedMs };
  } finally {
    await pool.end();
  }
}

/** Copy a space into a new file, and verify it there. */
export async function migrateBack(file: string, { url, space }: Options): Promise<MigrationReport> {
  const { store } = await openPostgres({ url, space });
  try {
    const snapshot = store.snapshot();
    const head = snapshot.head();
    snapshot.close();
    const copy = store.copyTo(file);
    try {
      const reached = copy.head();
      if (reached.seq < head.seq) throw differs(file);
      assertSame(copy, reached);
      return { from: store.path, to: file, space, events: reached.seq, head: reached.hash };
    } finally {
      copy.close();
    }
  } finally {
    store.close();
  }
}

/** Refuse a copy that does not verify, or whose head is another. */
function assertSame(copy: Store, expected: { seq: number; hash: string }): void {
  const report = copy.read(() => verifyLog(copy, { chainOnly: false, verifySignature: verifyEnrolled }));
  if (!report.ok) throw new HapError("integrity_violation", `The copy does not verify: ${report.violation.message}`, {});
  const head = copy.head();
  if (head.seq !== expected.seq || head.hash !== expected.hash) throw differs(copy.path);
}

function differs(path: string): HapError {
  return new HapError(
    "integrity_violation",
    `The log in ${path} ends elsewhere than the one that was copied. Use neither; run it again.`,
    {
      path,
    },
  );
}
