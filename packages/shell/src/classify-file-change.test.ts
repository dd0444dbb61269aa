import { describe, expect, it } from "vitest";
import { classifyFileChange } from "./classify-file-change.ts";

const context = { cwd: "/home/u/p", projectRoot: "/home/u/p", home: "/home/u" };

describe("classifyFileChange", () => {
  it.each([
    ["src/a.ts", "write", "write_inside"],
    ["src/a.ts", "delete", "delete_inside"],
    ["../a.ts", "write", "write_outside"],
    ["/etc/hosts", "delete", "delete_outside"],
    [".", "delete", "delete_outside"],
    [".env", "write", "credentials write_inside"],
    [".claude/settings.json", "write", "gate_files write_inside"],
    [".git/hooks/pre-commit", "write", "gate_files write_inside"],
    [".git/config", "delete", "delete_inside gate_files irreversible_vcs"],
    ["~/.bashrc", "write", "gate_files write_outside"],
    ["~/.ssh/authorized_keys", "write", "credentials write_outside"],
  ] as const)("%s of %s has [%s]", (path, op, effects) => {
    const found = classifyFileChange({ path, op }, context);
    expect(found.proven).toBe(false);
    expect(found.effects.join(" ")).toBe(effects);
    expect(found.findings.length).toBe(found.effects.length);
  });
});
