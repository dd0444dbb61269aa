// Anchors (D25): a pinned fingerprint counts only where the runtime's own user could not have pinned it.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFixture } from "../../../test/support/bundle-fixture.ts";
import { asUser, NOBODY } from "../../../test/support/own-etc.ts";
import { Anchors } from "../src/credentials/anchors.ts";

const PINNED = "SHA256:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/AbCdE";
const isRoot = process.getuid?.() === 0;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hap-anchors-"));
  chmodSync(folder, 0o755);
  program = await bundleFixture("has-anchor", folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of anchors in a folder of its own. */
function anchors(name: string, options: { file?: number; folder?: number; text?: string } = {}): string {
  const path = join(folder, name, "anchors");
  mkdirSync(dirname(path));
  writeFileSync(path, options.text ?? `# people\nSHA256:other\n  ${PINNED}  alex's token\n`);
  chmodSync(path, options.file ?? 0o644);
  chmodSync(dirname(path), options.folder ?? 0o755);
  return path;
}

/** What an ordinary user's process makes of it. */
function asNobody(path: string, fingerprint = PINNED): string {
  const ran = spawnSync(...asUser(NOBODY, [process.execPath, program, path, fingerprint]), { encoding: "utf8", cwd: "/" });
  return ran.stdout || ran.stderr;
}

describe("a file of anchors", () => {
  it.runIf(isRoot)("[CRED-ANCHOR-1] counts for an ordinary user when it and its folders are root's", () => {
    const path = anchors("good");
    expect(asNobody(path)).toBe("true");
    expect(asNobody(path, "SHA256:AbCd")).toBe("false");
    expect(asNobody(path, "people")).toBe("false");
    symlinkSync(path, join(folder, "link"));
    expect(asNobody(join(folder, "link"))).toBe("true");
  });

  it.runIf(isRoot)("[CRED-ANCHOR-1] does not count where that user could write it, replace it, or where it is not there", () => {
    expect(asNobody(anchors("writable", { file: 0o666 }))).toBe("false");
    expect(asNobody(anchors("group", { file: 0o664 }))).toBe("false");
    expect(asNobody(anchors("replaceable", { folder: 0o777 }))).toBe("false");
    expect(asNobody(anchors("secret", { file: 0o600 }))).toBe("false");
    expect(asNobody(join(folder, "missing"))).toBe("false");
    expect(asNobody(folder)).toBe("false");
    const own = anchors("own");
    spawnSync("chown", [String(NOBODY), own]);
    expect(asNobody(own)).toBe("false");
    cpSync(anchors("copy"), join(folder, "copied"));
    spawnSync("chown", [String(NOBODY), join(folder, "copy")]);
    expect(asNobody(join(folder, "copy", "anchors"))).toBe("false");
  });

  it("[CRED-ANCHOR-1] does not count for whoever may write it, root included", () => {
    expect(new Anchors(anchors("mine")).read().has(PINNED)).toBe(false);
  });
});
