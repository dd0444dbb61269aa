// A folder of its own for each test file, gone afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Make a folder that is removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hap-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
