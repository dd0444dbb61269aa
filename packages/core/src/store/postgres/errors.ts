// PostgreSQL's failures in our words: what happened, and what to do.
import { type ErrorCode, HapError, isHapError } from "@hap/protocol";

/** A call that failed. `sent`: the statement may have reached the database, so that what became of it is unknown. */
export class PgFailure extends Error {
  override readonly name = "PgFailure";
  readonly code: string;
  readonly sent: boolean;

  constructor(code: string, message: string, sent: boolean) {
    super(message);
    this.code = code;
    this.sent = sent;
  }

  /** True if the server answered: then the statement was refused, and nothing of it happened. */
  get refused(): boolean {
    return (
      /^[0-9A-Z]{5}$/.test(this.code) && !this.code.startsWith("57P") && !this.code.startsWith("08") && this.code !== "40003"
    );
  }
}

/**
 * An error of the driver as a failed call. The driver's own errors (a connection that closed while it was opened, a timeout) are plain
 * and have no code; errors of other classes without one are not the driver's.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || isHapError(error) || error instanceof PgFailure) return error;
  const { code = "", message } = error as Error & { code?: string };
  return code !== "" || error.constructor === Error ? new PgFailure(code, message, true) : error;
}

/** An address without its password, for messages. */
export function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== "") parsed.password = "***";
    return parsed.href;
  } catch {
    return "the database";
  }
}

const known: [RegExp, ErrorCode, (where: string) => string][] = [
  [
    /^(28|3D)/,
    "store_unusable",
    (where) => `${where} refused the connection. Check user, password and database in HAP_DATABASE_URL.`,
  ],
  [/^42501/, "store_unusable", (where) => `The database user lacks rights in ${where}. It must be a member of hap_app.`],
  [/^25006/, "database_read_only", (where) => `${where} takes reads only, as a standby does. Connect to the primary.`],
  [/^53100/, "store_full", (where) => `The disk of ${where} is full. Free some space and try again. Nothing was changed.`],
  [/^(55P03|40|57014|53)/, "store_busy", (where) => `${where} is overloaded. Try again in a moment. Nothing was changed.`],
];

/** Turn a failure into ours; everything else passes as it is. */
export function translatePg(error: unknown, path: string): unknown {
  if (isHapError(error)) return error;
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (!(error instanceof Error) || !("code" in error)) return error;
  const found = known.find(([pattern]) => pattern.test(code));
  if (found !== undefined)
    return new HapError(found[1], `${found[2](path)} (PostgreSQL: ${message})`, { path, postgres: code }, error);
  if (error instanceof PgFailure && error.refused)
    return new HapError("store_unusable", `${path}: PostgreSQL says "${message}" (${code}).`, { path, postgres: code }, error);
  return new HapError(
    "store_busy",
    `${path} cannot be reached: ${message} Check that PostgreSQL runs, and try again.`,
    { path, postgres: code },
    error,
  );
}
