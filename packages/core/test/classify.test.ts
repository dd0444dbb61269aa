// Risk, effects and tier come from what the runtime sees, not from what the agent says about it (D11).
import { DEFAULT_RISK_TABLE, describeArtifact, parseCreateTicket } from "@hap/protocol";
import { describe, expect, it } from "vitest";
import { findOut, rate } from "../src/classifier/classify.ts";
import { sha256 } from "../src/transaction/facts.ts";

const classified = (input: Record<string, unknown>) => {
  const request = parseCreateTicket(input);
  return rate(request, findOut(request, describeArtifact(request, sha256), "/home/alex"), DEFAULT_RISK_TABLE);
};

describe("the classification of a request", () => {
  it("[TIER-CRITICAL-1] makes `rm -rf ~` critical although its number is 0.54", () => {
    expect(classified({ kind: "run_command", details: { command: "rm -rf ~" } })).toMatchObject({
      risk: 0.54,
      tier: "critical",
      effects: ["delete_outside"],
    });
  });

  it("[TIER-CRITICAL-1] judges a command from the folder that it would run in, and not only from the project", () => {
    const command = "rm -rf data";
    expect(classified({ kind: "run_command", details: { command }, project: "/srv/app" }).effects).toEqual(["delete_inside"]);
    const elsewhere = { command, cwd: "/srv/other" };
    expect(classified({ kind: "run_command", details: elsewhere, project: "/srv/app" })).toMatchObject({
      tier: "critical",
      effects: ["delete_outside"],
    });
    const nowhere = { command, cwd: "other" };
    expect(classified({ kind: "run_command", details: nowhere, project: "/srv/app" }).effects).toEqual(["delete_inside"]);
  });

  it.each([
    ["/home/me/app/src", ["delete_inside"]],
    ["/home/me", ["delete_outside"]],
    ["src", ["delete_outside"]],
  ])("[TIER-CRITICAL-1] reads a command in its own folder, %s", (cwd, effects) => {
    const request = { kind: "run_command", project: "/home/me/app", details: { command: "rm -r ../lib", cwd } };
    expect(classified(request).effects).toEqual(effects);
  });

  it("[TIER-ROUTINE-1] counts a command that is not given as notable", () => {
    expect(classified({ kind: "run_command", confidence: 1, environment: "dev" })).toMatchObject({
      tier: "notable",
      effects: ["unknown"],
    });
  });

  it.each([
    ["the new path", "rename from src/a\nrename to .git/hooks/pre-commit"],
    ["the old path", "rename from .git/hooks/pre-commit\nrename to src/a"],
  ])("[TIER-CRITICAL-1] sees a file that arms the gate in %s of a moved file", (_, names) => {
    const [from, to] = names.split("\n").map((line) => line.split(" ").at(-1));
    const diff = `diff --git a/${from} b/${to}\nsimilarity index 100%\n${names}\n`;
    expect(classified({ diff })).toMatchObject({ tier: "critical", effects: expect.arrayContaining(["gate_files"]) });
  });

  it("[RISK-CLAIM-1] counts lines in the diff, whatever the agent claims", () => {
    const lines = Array.from({ length: 250 }, (_, at) => `+line ${at}`).join("\n");
    const diff = `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -0,0 +1,250 @@\n${lines}\n`;
    expect(classified({ diff, lines_added: 1, lines_removed: 0 }).factors.scope).toBe(0.9);
  });

  it("[RISK-CLAIM-1] takes a higher claim and keeps a lower one", () => {
    expect(classified({ file: "src/a.ts", risk: 0.9 })).toMatchObject({ risk: 0.9, riskClaimed: 0.9, tier: "critical" });
    expect(classified({ file: "src/a.ts", risk: 0.01 })).toMatchObject({ risk: 0.26, riskClaimed: 0.01 });
  });

  it("[TIER-CRITICAL-1] makes production and what it cannot see critical", () => {
    expect(classified({ kind: "deploy", environment: "production-eu" }).effects).toContain("production");
    expect(classified({ artifact: { diff_hash: `sha256:${"a".repeat(64)}` } })).toMatchObject({
      tier: "critical",
      effects: expect.arrayContaining(["opaque"]),
    });
  });
});
