// Texts beside the log, in SQLite.
import { type ContentRef, refDigest } from "@hap/protocol";
import type { ContentRow, StoredContent } from "../../store.ts";
import { Table } from "./table.ts";

/** Reads of texts. */
export class ContentReads extends Table {
  *scanContents(): Iterable<StoredContent> {
    // Spelled by SQLite: a text costs less to hand over than a blob, which is an allocation of its own.
    const query = this.sql.fresh(
      `SELECT ticket_seq, lower(hex(digest)), hex(salt), body FROM contents
       WHERE (ticket_seq, digest)>(?, unhex(?)) ORDER BY ticket_seq, digest LIMIT ?`,
    );
    for (const page of query.pages([-1, ""], ([seq, last]) => [seq as number, last as string]))
      for (const [ticketSeq, digest, salt, body] of page) yield { ticketSeq, digest, salt, body } as StoredContent;
  }

  contents(ticketSeq: number): ReadonlyMap<string, ContentRow> {
    const known = this.mirror.fresh().contents(ticketSeq);
    if (known !== undefined) return known;
    const rows = this.sql.get("SELECT lower(hex(digest)) AS digest, salt, body FROM contents WHERE ticket_seq=?").all(ticketSeq);
    const found = rows.map(({ digest, salt, body }): [string, ContentRow] => [
      `sha256:${digest as string}`,
      { salt: salt as Uint8Array, body: body as string },
    ]);
    return this.mirror.keepContents(ticketSeq, found);
  }

  countContents(): number {
    return (this.sql.get("SELECT count(*) AS n FROM contents").get() as { n: number }).n;
  }
}

/** Writes of texts. */
export class ContentWrites extends Table {
  putContent(ticketSeq: number, ref: ContentRef, salt: Uint8Array, body: string): void {
    const digest = refDigest(ref);
    this.sql
      .get("INSERT INTO contents (ticket_seq, digest, salt, body) VALUES (?, ?, ?, ?)")
      .run(ticketSeq, digestBytes(digest), salt, body);
    this.mirror.addContent(ticketSeq, digest, { salt, body });
  }

  deleteContent(ticketSeq: number, digest: string): boolean {
    this.mirror.dropContents(ticketSeq);
    return this.sql.get("DELETE FROM contents WHERE ticket_seq=? AND digest=?").run(ticketSeq, digestBytes(digest)) > 0;
  }
}

/** The 32 bytes of `sha256:hex`. */
function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest.slice(digest.lastIndexOf(":") + 1), "hex");
}
