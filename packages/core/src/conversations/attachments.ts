// Files that people send lie beside the log like every text (D19): what is known about one, and its bytes in base64 parts.
import { type Attachment, attachmentSchema, type ContentRef, HapError, type Json, LIMITS, parseWith } from "@hap/protocol";
import { ContentReader, type ContentWriter } from "../log/contents.ts";
import type { StoreReader } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import type { MessageRecord } from "./records.ts";

/** A file as a face hands it over. */
export type NewAttachment = { name: string; media_type?: string | undefined; data: Uint8Array };

/** Bytes of one part: its base64 must fit into one content. */
const PART_BYTES = 720_000;

/** Write files as contents; returns what stands for them in the event. */
export function writeAttachments(contents: ContentWriter, files: readonly NewAttachment[]): MessageRecord["attachments"] {
  const total = files.reduce((sum, file) => sum + file.data.length, 0);
  if (files.length > LIMITS.attachmentsMax || total > LIMITS.attachmentBytes) {
    throw new HapError(
      "too_large",
      `${files.length} files with ${total} bytes; one message takes at most ${LIMITS.attachmentsMax} files with ${LIMITS.attachmentBytes} bytes together. Send a path instead.`,
      { field: "attachments", files: files.length, bytes: total, limit: LIMITS.attachmentBytes },
    );
  }
  return files.map((file) => writeAttachment(contents, file));
}

function writeAttachment(
  contents: ContentWriter,
  { name, media_type, data }: NewAttachment,
): MessageRecord["attachments"][number] {
  const about: Attachment = parseWith(
    attachmentSchema(),
    { name, media_type: media_type ?? "application/octet-stream", size: data.length, sha256: `sha256:${sha256(data)}` },
    "The attachment",
  );
  const parts: ContentRef[] = [];
  for (let start = 0; start === 0 || start < data.length; start += PART_BYTES)
    parts.push(contents.text("attachment", Buffer.from(data.subarray(start, start + PART_BYTES)).toString("base64")));
  return { about: contents.json("attachment", about as Json), parts };
}

/** The bytes of one file of a message. */
export function readAttachment(store: StoreReader, message: MessageRecord, index: number): Uint8Array {
  const contents = new ContentReader(store, message.seq);
  const found = message.attachments[index]?.parts.map((ref) => contents.resolve(ref as ContentRef));
  if (found?.every((part) => typeof part === "string")) return Buffer.concat(found.map((part) => Buffer.from(part, "base64")));
  throw new HapError("content_erased", `File ${index + 1} of ${message.id} is not there, or was erased.`, {
    message_id: message.id,
  });
}
