// Every vector, by the package and by Python alone.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, type Vector } from "../../scripts/spec/vector.ts";
import { suites } from "../../scripts/spec/vector-files.ts";

const folder = join(import.meta.dirname, "../../spec/vectors");
const files = new Map(
  readdirSync(folder)
    // Those of the terminal harness are written by hand and run by its SDKs.
    .filter((name) => !name.startsWith("term-"))
    .map((name) => [
      name.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, name), "utf8")) as {
        description: string;
        flags: Record<string, string>;
        tests: Vector[];
      },
    ]),
);
const all = [...files.values()].flatMap((file) => file.tests);

describe.each([...files])("[SPEC-VECTORS-1] %s", (name, file) => {
  const suite = suites.find((one) => one.name === name);

  test("every test comes out as it says", () => {
    expect(suite).toBeDefined();
    if (suite === undefined) return;
    for (const { id, input, result, output, code } of file.tests) {
      const wanted = result === "valid" ? { result, output } : { result, code };
      expect(answer(suite, input), id).toEqual(wanted);
    }
  });

  test("ids and comments are unique, flags are explained and used", () => {
    expect(new Set(file.tests.map((one) => one.id)).size).toBe(file.tests.length);
    expect(new Set(file.tests.map((one) => one.comment)).size).toBe(file.tests.length);
    expect([...new Set(file.tests.flatMap((one) => one.flags))].sort()).toEqual(Object.keys(file.flags).sort());
    expect(file.description).not.toBe("");
  });
});

describe("[SPEC-VECTORS-1] all files together", () => {
  test("cover what has vectors", () => {
    expect([...files.keys()].sort()).toEqual([
      "answers",
      "canonical-json",
      "contents",
      "cueme",
      "diff-hash",
      "event-chain",
      "grants",
      "human-question",
      "lease-clock",
      "presentation",
      "quorum",
      "risk-and-tier",
      "signatures",
      "state-machine",
      "statement",
    ]);
  });

  test("have more negatives than positives, also without the long table of the state machine", () => {
    for (const tests of [all, all.filter((one) => !one.id.startsWith("state-machine"))]) {
      const negatives = tests.filter((one) => one.result === "invalid").length;
      expect(negatives).toBeGreaterThan(tests.length - negatives);
    }
  });

  test("[RISK-FORMULA-1] have the draft's worked examples of risk", () => {
    const risks = files
      .get("risk-and-tier")
      ?.tests.slice(0, 3)
      .map((one) => (one.output as { risk: number }).risk);
    expect(risks).toEqual([0.14, 0.86, 0.58]);
  });

  test("[CANON-LAW-1, CHAIN-HASH-1, CONTENT-DIGEST-1] hold in Python, with the draft's own code for the chain", () => {
    const python = spawnSync("python3", [join(import.meta.dirname, "../fixtures/verify-vectors.py"), folder], {
      encoding: "utf8",
    });
    const checked = ["canonical-json", "event-chain", "contents", "diff-hash", "statement", "presentation"];
    expect(python.stderr).toBe("");
    expect(python.stdout.trim().split("\n")).toEqual(checked.map((name) => `${name} ${files.get(name)?.tests.length}`));
  });
});
