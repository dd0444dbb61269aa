import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { confineMode } from "./policy-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hap-policies-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (where: "home" | "app", text: string) => {
  mkdirSync(join(folder, where, ".hap"), { recursive: true });
  writeFileSync(join(folder, where, ".hap", "policy.json"), text);
};
const mode = () => confineMode(join(folder, "home"), join(folder, "app"));

test("[POLICY-CONFINE-1] the mode comes from both files, and from neither where one is not valid", () => {
  expect(mode()).toBe("auto");
  write("home", '{"version":1,"confine":"off"}');
  expect(mode()).toBe("off");
  write("app", '{"version":1,"confine":"auto"}');
  expect(mode()).toBe("off");
  write("app", '{"version":1,"confine":"require"}');
  expect(mode()).toBe("require");
  write("app", '{"version":1,"confine":"never"}');
  expect(mode()).toBeNull();
});
