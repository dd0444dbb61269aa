import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDiff } from "@hap/protocol";
import { expect, test } from "vitest";
import { imageType, literals, toImage } from "./binary-image.ts";

test("[DIFF-IMAGE-1] both images of a patch that git made come back byte for byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-image-"));
  try {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder, encoding: "utf8" });
    const before = Uint8Array.from({ length: 300 }, (_, at) => (at * 7) % 256);
    const after = Uint8Array.from({ length: 77 }, (_, at) => (at * 131 + 5) % 256);
    git("init", "-q");
    writeFileSync(join(folder, "a.png"), before);
    git("add", ".");
    git("commit", "-qm", "one");
    writeFileSync(join(folder, "a.png"), after);
    const [file] = parseDiff(git("diff", "--binary")).files;
    const found = literals([...(file?.header ?? []), ...(file?.tail ?? [])]);
    const images = await Promise.all(found.map((one) => toImage("image/png", one)));
    const data = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
    expect(images).toEqual([data(after), data(before)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("[DIFF-IMAGE-1] only kinds without script, of a bearable size, and nothing that does not inflate", async () => {
  expect(imageType("docs/A.PNG")).toBe("image/png");
  expect(imageType("a.svg")).toBeNull();
  expect(await toImage("image/png", { size: 5e9, bytes: new Uint8Array() })).toBeNull();
  expect(await toImage("image/png", { size: 3, bytes: new Uint8Array([1, 2, 3]) })).toBeNull();
});
