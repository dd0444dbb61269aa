import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify-command.ts";
import { FILE_VERDICTS } from "./verdicts/files.ts";
import { HARMLESS_VERDICTS } from "./verdicts/harmless.ts";
import { INTERPRETER_VERDICTS } from "./verdicts/interpreters.ts";
import { OBFUSCATED_VERDICTS } from "./verdicts/obfuscated.ts";
import { POWER_VERDICTS } from "./verdicts/powers.ts";
import { REPOSITORY_VERDICTS } from "./verdicts/repositories.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };

const tables = {
  harmless: HARMLESS_VERDICTS,
  files: FILE_VERDICTS,
  powers: POWER_VERDICTS,
  repositories: REPOSITORY_VERDICTS,
  interpreters: INTERPRETER_VERDICTS,
  obfuscated: OBFUSCATED_VERDICTS,
};

describe.each(Object.entries(tables))("the table of verdicts: %s", (_name, rows) => {
  it.each(rows)("%j is %s with [%s]: %s", (command, verdict, effects) => {
    const found = classifyCommand(command, context);
    expect({ verdict: found.verdict, effects: found.effects.join(" ") }).toEqual({ verdict, effects });
  });
});

describe("every verdict of the tables", () => {
  const rows = Object.values(tables).flat();

  it("gives a reason for each effect, and at least one when it asks", () => {
    for (const [command] of rows) {
      const found = classifyCommand(command, context);
      expect(found.effects, command).toEqual([...new Set(found.findings.map((finding) => finding.effect))].sort());
      if (found.verdict === "ask") expect(found.findings.length, command).toBeGreaterThan(0);
    }
  });

  it("is never harmless in an unknown dialect", () => {
    for (const [command] of rows)
      expect(classifyCommand(command, { ...context, dialect: "unknown" }).verdict, command).toBe("ask");
  });

  it("is never harmless without a project", () => {
    for (const projectRoot of ["/", "", "relative", "/home"]) {
      for (const [command] of rows) expect(classifyCommand(command, { ...context, projectRoot }).verdict, command).toBe("ask");
    }
  });

  it("has no command twice", () => {
    expect(new Set(rows.map(([command]) => command)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(250);
  });
});
