import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tokenChecks } from "./token-check.ts";

test("[LOGIN-FILE-1] a token in a file is worth a warning, and one that others can read is a failure", () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-token-"));
  try {
    const path = join(folder, "login.json");
    const env = { HAP_LOGIN_FILE: path };
    expect(tokenChecks(env)).toEqual([]);
    writeFileSync(path, '{"https://hap.example.org":{"person":"human:alex"}}', { mode: 0o600 });
    expect(tokenChecks(env)).toMatchObject([{ id: "token", status: "ok", text: expect.stringContaining("keyring") }]);
    writeFileSync(path, '{"https://hap.example.org":{"person":"human:alex","token":"t"}}', { mode: 0o600 });
    expect(tokenChecks(env)).toMatchObject([{ id: "token", status: "warn", text: expect.stringContaining("critical") }]);
    chmodSync(path, 0o644);
    expect(tokenChecks(env)).toMatchObject([{ status: "fail", text: expect.stringContaining("chmod 600") }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
