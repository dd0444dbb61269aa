// Differential fuzzing: what the gate allows really runs, in a throw-away sandbox, and must change nothing that was not declared.
// 500 runs here, 20,000 in `npm run bench -- gate-fuzz`. HAP_TEST_SEED tries other commands.
import { expect, test } from "vitest";
import { needProgram } from "../../../../test/support/system-package.ts";
import { fuzzGate } from "./fuzz/fuzz-gate.ts";

needProgram("bwrap", "bubblewrap");
const seed = Number(process.env.HAP_TEST_SEED ?? 33);

test("[GATE-FUZZ-1] 500 allowed commands do nothing but what was declared", { timeout: 300_000 }, async () => {
  const found = await fuzzGate({ count: 500, seed });
  expect(found.failure).toBeNull();
  expect(found.ran).toBe(500);
});

test("[GATE-FUZZ-1] with the rule that allowed whatever was not flagged, it is found out", { timeout: 300_000 }, async () => {
  const found = await fuzzGate({ count: 20_000, seed, commandsInside: true });
  expect(found.failure).toMatch(/^it /);
});
