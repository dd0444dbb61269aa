// Files that a person sent, put beside the store for the agent to read: private, and under names that lead nowhere else.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Write the files of one message; returns their paths in order. A second time gives the same paths and bytes. */
export function saveFiles(storePath: string, messageId: string, files: readonly { name: string; data: Uint8Array }[]): string[] {
  if (files.length === 0) return [];
  const folder = join(dirname(storePath), "attachments", messageId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return files.map(({ name, data }, index) => {
    const path = join(folder, `${index + 1}-${plainName(name)}`);
    const unfinished = `${path}.${process.pid}.part`;
    writeFileSync(unfinished, data, { mode: 0o600 });
    renameSync(unfinished, path);
    return path;
  });
}

/** A file's name without folders, control characters and what shells and file systems trip over. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  const plain = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "");
  return [...(plain === "" ? "file" : plain)].slice(-80).join("");
}
