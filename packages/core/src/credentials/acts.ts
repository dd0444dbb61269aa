// Signed acts that are no decisions (D23, D25): what is given out to be signed is stored for one use, and comes back once.
import { hash } from "node:crypto";
import {
  type AnyStatement,
  type ContentMedia,
  type EndGrantStatement,
  type EnrolStatement,
  type GrantStatement,
  HapError,
  INTENT_TTL_MS,
  type LoginStatement,
  type RevokeStatement,
  statementText,
} from "@hap/protocol";
import type { NewContent } from "../log/contents.ts";
import { fromIso, toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** An expired statement is kept this long, so that whoever comes with it is told that it is too late. */
const KEPT_MS = 3_600_000;

type ActStatement = EnrolStatement | RevokeStatement | LoginStatement | GrantStatement | EndGrantStatement;
type Typ = ActStatement["typ"];
type ActOf<T extends Typ> = Extract<ActStatement, { typ: T }>;
/** What is particular to one act. */
type Particular<T extends Typ> = Omit<ActOf<T>, "typ" | "space" | "runtime" | "epoch" | "nonce" | "issued_at" | "expires_at">;
/** What a caller is to have signed. */
export type Challenge<T extends AnyStatement> = { statement: T; challenge: string; expires_at: string };
type Stored = { statement: ActStatement; contents: { ref: string; salt: string; body: string }[] };

/** Fix a statement and keep it until it comes back. */
export function giveOut<T extends Typ>(
  session: Session,
  typ: T,
  particular: Particular<T>,
  contents: readonly NewContent[] = [],
): Challenge<ActOf<T>> {
  const { id, epoch } = session.runtime();
  const expires = session.now + INTENT_TTL_MS.longest;
  const statement = {
    typ,
    space: session.tx.space,
    runtime: id,
    epoch,
    ...particular,
    nonce: session.names.nonce(),
    issued_at: toIso(session.now),
    expires_at: toIso(expires),
  } as unknown as ActOf<T>;
  const stored: Stored = {
    statement,
    contents: contents.map(({ ref, salt, body }) => ({ ref, salt: Buffer.from(salt).toString("base64"), body })),
  };
  session.tx.dropStatements(session.now - KEPT_MS);
  session.tx.putStatement(statement.nonce, JSON.stringify(stored), expires);
  return { statement, challenge: challengeOf(statement), expires_at: statement.expires_at };
}

/** The WebAuthn challenge of a statement: the SHA-256 of its text, in base64url. */
export function challengeOf(statement: AnyStatement): string {
  return hash("sha256", statementText(statement), "base64url");
}

/** What was given out under a nonce. */
export function readAct<T extends Typ>(
  stored: string | undefined,
  typ: T,
  now: number,
): { statement: ActOf<T>; contents: NewContent[] } {
  const act = stored === undefined ? undefined : (JSON.parse(stored) as Stored);
  if (act === undefined || act.statement.typ !== typ) {
    throw new HapError(
      "statement_mismatch",
      "Statement mismatch: this nonce was not given out for this, or was used. Begin again.",
      { field: "nonce" },
    );
  }
  const { statement, contents } = act;
  if (fromIso(statement.expires_at) <= now) {
    throw new HapError("intent_expired", `Intent expired at ${statement.expires_at}. Begin again.`, {
      field: "nonce",
      expires_at: statement.expires_at,
    });
  }
  return {
    statement: statement as ActOf<T>,
    contents: contents.map(({ ref, salt, body }) => ({
      ref: ref as `${ContentMedia}:sha256:${string}`,
      salt: Buffer.from(salt, "base64"),
      body,
    })),
  };
}
