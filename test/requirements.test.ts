// Requirements are data: every one in force is cited by a test, and every id that a test cites exists.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repoRoot } from "./support/bundle-fixture.ts";

type Requirement = { id: string; source: string; status: "in_force" | "planned"; text: string };

const requirements = parse(readFileSync(join(repoRoot, "spec", "requirements.yaml"), "utf8")) as Requirement[];

const id = "[A-Z]+(?:-[A-Z0-9]+)+-[0-9]+";
/** Ids in square brackets at the beginning or the end of a test's name: one, or several with commas between them. */
const citation = new RegExp(`["'\`]\\[(${id}(?:, ?${id})*)\\]|\\[(${id}(?:, ?${id})*)\\]["'\`]`, "g");

function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(["packages/**/*.test.ts", "apps/**/*.test.ts", "test/**/*.test.ts"], {
    cwd: repoRoot,
    exclude: ["**/node_modules/**"],
  })) {
    for (const [, first, last = ""] of readFileSync(join(repoRoot, file), "utf8").matchAll(citation)) {
      for (const cited of (first ?? last).split(/, ?/)) found.set(cited, [...(found.get(cited) ?? []), file]);
    }
  }
  return found;
}

describe("spec/requirements.yaml", () => {
  const cited = citations();

  it("[SPEC-REQS-1] has a shape of its own: unique ids, a source, a status and one sentence", () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, source, status, text } of requirements) {
      expect(id).toMatch(/^[A-Z]+(-[A-Z0-9]+)+-[0-9]+$/);
      expect(["in_force", "planned"], id).toContain(status);
      expect(source.length, id).toBeGreaterThan(1);
      expect(text, id).toMatch(/\.$/);
    }
  });

  it("[SPEC-REQS-1] is cited by a test for every requirement in force", () => {
    const uncited = requirements.filter(({ id, status }) => status === "in_force" && !cited.has(id)).map(({ id }) => id);
    expect(uncited).toEqual([]);
  });

  it("[SPEC-REQS-1] knows every id that a test cites", () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect([...cited.keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});
