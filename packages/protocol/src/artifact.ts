// The thing that is approved (D14): hashes come from the bytes that the runtime holds and shows, never from a claim.
import type { Json } from "./canonical-json.ts";
import { normaliseDiff } from "./diff.ts";
import { HapError } from "./errors.ts";
import { hashJson, prefixedHash, type Sha256 } from "./hash.ts";
import type { TicketRequest } from "./schema/create-ticket.ts";

/** The key of `details` under which an artifact's bytes lie. */
export type ArtifactBody = "diff" | "command" | "content";
/** An artifact with its hashes. `diff_hash` tells staleness, `bytes_hash` is what is signed and executed. */
export type Artifact = { type: string; body: ArtifactBody | null; opaque: boolean; diff_hash: string; bytes_hash: string };

const bodies = new Map<string, ArtifactBody>([
  ["git_diff", "diff"],
  ["command_script", "command"],
  ["file_content", "content"],
]);

/** Find the bytes, hash them, and refuse a claim that differs. */
export function describeArtifact(
  request: Pick<TicketRequest, "kind" | "summary" | "details" | "confidence" | "artifact">,
  sha256: Sha256,
): Artifact {
  const { artifact, details } = request;
  const claimed = artifact.diffHash ?? artifact.bytesHash;
  const isDiff = typeof details.diff === "string" || claimed !== null;
  const type = artifact.type ?? (isDiff ? "git_diff" : heldType(details));
  // A command or a file that nobody named as the artifact is bound with all that stands beside it, such as its folder.
  const whole = type === "intent" || (artifact.type === null && !isDiff);
  const body = whole ? null : (bodies.get(type) ?? "content");
  const bytes = body === null ? undefined : details[body];
  if (typeof bytes === "string") {
    const hashes = hashBytes(body as ArtifactBody, bytes, sha256);
    refuseDifferent(artifact, hashes);
    return { type, body, opaque: false, ...hashes };
  }
  if (whole) {
    const hash = hashIntent(request, sha256);
    refuseDifferent(artifact, { diff_hash: hash, bytes_hash: hash });
    return { type, body: null, opaque: false, diff_hash: hash, bytes_hash: hash };
  }
  if (claimed === null) {
    throw new HapError(
      "invalid_input",
      `artifact.type is ${type}, but its bytes are missing: give details.${body}, or a hash (the ticket is then opaque and critical).`,
      {
        field: "artifact",
      },
    );
  }
  return { type, body: null, opaque: true, diff_hash: claimed, bytes_hash: artifact.bytesHash ?? claimed };
}

/** The draft's word for what an intent holds, where it has one. */
function heldType(details: TicketRequest["details"]): string {
  if (typeof details.command === "string") return "command_script";
  return typeof details.content === "string" ? "file_content" : "intent";
}

/** Both hashes of some bytes. Only a diff has a normal form; for everything else they are equal. */
export function hashBytes(body: ArtifactBody, bytes: string, sha256: Sha256): { diff_hash: string; bytes_hash: string } {
  const exact = prefixedHash(bytes, sha256);
  return { diff_hash: body === "diff" ? prefixedHash(normaliseDiff(bytes), sha256) : exact, bytes_hash: exact };
}

/** The hash of an intent that is its own artifact. */
export function hashIntent(
  intent: { kind: string; summary: string; details: Record<string, Json>; confidence: number | null },
  sha256: Sha256,
): string {
  return hashJson({ kind: intent.kind, summary: intent.summary, details: intent.details, confidence: intent.confidence }, sha256);
}

function refuseDifferent(given: TicketRequest["artifact"], actual: { diff_hash: string; bytes_hash: string }): void {
  const wrongDiff = given.diffHash !== null && given.diffHash !== actual.diff_hash && given.diffHash !== actual.bytes_hash;
  const wrongBytes = given.bytesHash !== null && given.bytesHash !== actual.bytes_hash;
  if (!wrongDiff && !wrongBytes) return;
  const field = wrongDiff ? "artifact.diff_hash" : "artifact.bytes_hash";
  throw new HapError(
    "artifact_differs",
    `${field} is not the hash of the bytes given: these have diff_hash ${actual.diff_hash} and bytes_hash ${actual.bytes_hash}. Leave it out, or send the bytes that it belongs to.`,
    { field, ...actual },
  );
}
