// Before each test file: property tests begin with the seed of the run.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { SEED } from "./seed.ts";

const { testPath } = expect.getState();
// Loaded only where it is used: most files are not about properties.
if (testPath === undefined || readFileSync(testPath, "utf8").includes('"fast-check"')) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: SEED });
}
