// Comments on lines of a diff, inside the comment of a decision: canonical JSON, so that its hash covers every one of them (D44).
// Anything that is not exactly such a text is a plain comment.
import { canonicalJson, type Json } from "./canonical-json.ts";
import { LIMITS } from "./constants.ts";

/** A comment on one line. `side` is "old" for a line that the diff removes. */
export type LineComment = { file: string; line: number; text: string; side?: "old" };

/** A comment with comments on lines. */
export type Review = { text: string; lines: readonly LineComment[] };

const MARK = '{"hap_review":1,';

/** The comment that carries a review. Without comments on lines it is the text alone. */
export function writeReview({ text, lines }: Review): string {
  if (lines.length === 0) return text;
  const kept = lines.map(({ file, line, text: said, side }) => ({ file, line, text: said, ...(side === "old" ? { side } : {}) }));
  return canonicalJson({ hap_review: 1, lines: kept, text } as unknown as Json);
}

/** The review in a comment, or null for a plain one. */
export function readReview(comment: string | null | undefined): Review | null {
  if (!comment?.startsWith(MARK)) return null;
  try {
    const { lines, text } = JSON.parse(comment) as { lines?: unknown; text?: unknown };
    if (!Array.isArray(lines) || lines.length === 0 || lines.length > LIMITS.reviewLines || typeof text !== "string") return null;
    if (!lines.every(isLineComment)) return null;
    const review = { text, lines };
    return writeReview(review) === comment ? review : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isLineComment(value: unknown): value is LineComment {
  const { file, line, text, side } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof file === "string" &&
    Number.isSafeInteger(line) &&
    (line as number) >= 1 &&
    typeof text === "string" &&
    text !== "" &&
    (side === undefined || side === "old")
  );
}

/** A comment as words: the text, then one line for each comment on a line. */
export function commentWords(comment: string): string {
  const review = readReview(comment);
  if (review === null) return comment;
  const lines = review.lines.map(
    ({ file, line, text, side }) => `${file}:${line}${side === "old" ? " (removed line)" : ""}: ${text}`,
  );
  return [...(review.text === "" ? [] : [review.text]), ...lines].join("\n");
}
