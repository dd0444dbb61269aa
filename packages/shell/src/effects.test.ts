import { expect, it } from "vitest";
import { CRITICAL_EFFECTS, EFFECTS } from "./effects.ts";

it("counts everything that D11 names as critical", () => {
  const named = [
    "delete_outside",
    "privilege",
    "credentials",
    "send_data",
    "irreversible_vcs",
    "production",
    "opaque",
    "unseen_interpreter",
  ] as const;
  for (const effect of named) expect(CRITICAL_EFFECTS.has(effect)).toBe(true);
});

it("leaves reading and writing inside, plain fetches and the unknown below critical", () => {
  for (const effect of [
    "read_inside",
    "write_inside",
    "read_outside",
    "write_outside",
    "delete_inside",
    "network",
    "process_control",
    "unknown",
  ] as const) {
    expect(CRITICAL_EFFECTS.has(effect)).toBe(false);
  }
  expect(new Set(EFFECTS).size).toBe(EFFECTS.length);
});
