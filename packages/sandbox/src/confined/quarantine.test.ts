import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { lookAtGate } from "./find-gates.ts";
import { quarantine } from "./quarantine.ts";

const MEMORY = "/dev/shm";

test.skipIf(!existsSync(MEMORY) || statSync(MEMORY).dev === statSync(tmpdir()).dev)(
  "[CONFINE-HIDE-1] a gate path goes to another disk, with whatever is in it",
  ({ expect }) => {
    const project = mkdtempSync(join(MEMORY, "hap-project-"));
    const kept = mkdtempSync(join(tmpdir(), "hap-quarantine-"));
    onTestFinished(() => {
      for (const folder of [project, kept]) rmSync(folder, { recursive: true, force: true });
    });
    for (const name of [".vscode", ".idea"]) mkdirSync(join(project, name));
    writeFileSync(join(project, ".vscode", "tasks.json"), "{}");
    execFileSync("mkfifo", [join(project, ".idea", "pipe")]);
    const gates = [".vscode", ".idea"].flatMap((name) => lookAtGate(join(project, name)) ?? []);
    const [text, pipe] = quarantine(gates, [], kept);
    expect(readFileSync(join(text?.kept ?? "", "tasks.json"), "utf8")).toBe("{}");
    expect(existsSync(pipe?.kept ?? "")).toBe(true);
    for (const name of [".vscode", ".idea"]) expect(existsSync(join(project, name))).toBe(false);
  },
);
