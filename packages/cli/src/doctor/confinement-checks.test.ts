// What `hap doctor` says about Seatbelt, with another platform and with attempts to escape that succeed or fail.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as door from "@hap/door-hook/install";
import type { RunInside } from "@hap/sandbox";
import { expect, test } from "vitest";
import { confinementChecks } from "./confinement-checks.ts";

const works: RunInside = async (_profile, script) => (script.includes("WORKED") ? "WORKED\n" : "");

async function said(home: string, runInside?: RunInside) {
  const facts = { host: "claude", home, project: join(home, "app"), options: new Map([["--hap", "/hap"]]), now: 0 } as const;
  const checks = await confinementChecks(door, {
    ...facts,
    platform: "darwin",
    ...(runInside === undefined ? {} : { runInside }),
  });
  return checks.slice(0, 2).map(({ status, text }) => `${status}: ${text}`);
}

test("[CONFINE-MAC-2, DOCTOR-CONFINE-1] on a Mac it tries to escape, and says whether Seatbelt is used", async () => {
  const home = mkdtempSync(join(tmpdir(), "hap-doctor-mac-"));
  const unverified =
    "warn: Nothing can be confined here, so what is not proven asks. HAP's Seatbelt profile is unverified on this Mac. Run `hap doctor`: it tries to escape from the profile, and enables it when every attempt fails.";
  // Nothing runs under Seatbelt where there is none.
  expect(await said(home)).toEqual([unverified]);
  expect(await said(home, works)).toEqual([
    expect.stringMatching(/^ok: Seatbelt stopped all [0-9]{2} attempts to escape on this Mac\.$/),
    "ok: What is not proven runs confined, by Seatbelt.",
  ]);
  const leaks: RunInside = async (profile, script, where) =>
    script.includes("sudo") ? "ESCAPED\n" : works(profile, script, where);
  expect(await said(home, leaks)).toEqual([
    expect.stringMatching(/^warn: Seatbelt did not stop 1 of [0-9]{2} attempts to escape: use more rights\.$/),
    unverified,
  ]);
  expect(await said(home, async () => "")).toEqual([
    "warn: Under Seatbelt, ordinary work failed: write the project; run programs; read git; use temporary files.",
    unverified,
  ]);
  rmSync(home, { recursive: true });
});
