import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify-command.ts";
import { FILE_VERDICTS } from "./verdicts/files.ts";
import { INTERPRETER_VERDICTS } from "./verdicts/interpreters.ts";
import { OBFUSCATED_VERDICTS } from "./verdicts/obfuscated.ts";
import { POWER_VERDICTS } from "./verdicts/powers.ts";
import { PROVEN_VERDICTS } from "./verdicts/proven.ts";
import { REPOSITORY_VERDICTS } from "./verdicts/repositories.ts";
import { verdictOf } from "./verdicts/verdict-row.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };

const tables = {
  proven: PROVEN_VERDICTS,
  files: FILE_VERDICTS,
  powers: POWER_VERDICTS,
  repositories: REPOSITORY_VERDICTS,
  interpreters: INTERPRETER_VERDICTS,
  obfuscated: OBFUSCATED_VERDICTS,
};

describe.each(Object.entries(tables))("the table of verdicts: %s", (_name, rows) => {
  it.each(rows)("%j is %s with [%s]: %s", (command, verdict, effects) => {
    const found = classifyCommand(command, context);
    expect({ verdict: verdictOf(found), effects: found.effects.join(" ") }).toEqual({ verdict, effects });
  });
});

describe("every verdict of the tables", () => {
  const rows = Object.values(tables).flat();

  it("gives a reason for each effect, and at least one when it asks", () => {
    for (const [command] of rows) {
      const found = classifyCommand(command, context);
      expect(found.effects, command).toEqual([...new Set(found.findings.map((finding) => finding.effect))].sort());
      if (!found.proven) expect(found.findings.length, command).toBeGreaterThan(0);
    }
  });

  it("is never proven in an unknown dialect", () => {
    for (const [command] of rows)
      expect(classifyCommand(command, { ...context, dialect: "unknown" }).proven, command).toBe(false);
  });

  it("is never proven without a project", () => {
    for (const projectRoot of ["/", "", "relative", "/home"]) {
      for (const [command] of rows) expect(classifyCommand(command, { ...context, projectRoot }).proven, command).toBe(false);
    }
  });

  it("has no command twice", () => {
    expect(new Set(rows.map(([command]) => command)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(250);
  });
});
