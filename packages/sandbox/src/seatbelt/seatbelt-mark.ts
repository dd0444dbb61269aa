// Whether the Seatbelt profile was tried out on this Mac. Until `hap doctor` has run the escape attempts here and none succeeded, the
// sandbox counts as unverified and is not used. A new release of the system or of the profile has to be tried again.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import { GATE_PATTERNS } from "@hap/shell/paths";
import type { Availability } from "../confined/availability.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

const place = (home: string) => join(home, ".hap", "seatbelt.json");

/** What was tried: the system, and the profile's own text. */
function seatbeltIdentity(): string {
  const facts = { project: "/project", writable: ["/own"], toolchains: [], gates: GATE_PATTERNS, readOnly: ["/project/a/b"] };
  const text = [true, false].map((gitWritable) =>
    seatbeltProfile({ ...facts, gitDirs: ["/project/.git"], gitWritable, proxyPort: 1 }),
  );
  return createHash("sha256")
    .update([release(), arch(), ...text].join("\n"))
    .digest("hex");
}

/** True where macOS has its sandbox. */
export function hasSeatbelt(): boolean {
  return existsSync(SANDBOX_EXEC);
}

/** Note when every attempt to escape failed; null takes the note away. */
export function markSeatbelt(home: string, verifiedAt: number | null): void {
  if (verifiedAt === null) {
    rmSync(place(home), { force: true });
    return;
  }
  mkdirSync(join(home, ".hap"), { recursive: true, mode: 0o700 });
  const mark = { verified: seatbeltIdentity(), at: new Date(verifiedAt).toISOString() };
  writeFileSync(place(home), `${JSON.stringify(mark)}\n`, { mode: 0o600 });
}

/** Whether Seatbelt confines here. */
export function seatbeltAvailability(home: string): Availability {
  if (readMark(home) === seatbeltIdentity()) return { kind: "seatbelt", disableUserns: false };
  return {
    kind: null,
    why: "HAP's Seatbelt profile is unverified on this Mac.",
    fix: "Run `hap doctor`: it tries to escape from the profile, and enables it when every attempt fails.",
  };
}

function readMark(home: string): string | null {
  try {
    const mark: unknown = JSON.parse(readFileSync(place(home), "utf8"));
    const { verified } = mark as { verified?: unknown };
    return typeof verified === "string" ? verified : null;
  } catch {
    return null;
  }
}
