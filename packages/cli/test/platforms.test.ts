// What differs between platforms, with an injected one: where programs and settings are, and what opens a page.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsFile } from "@hap/door-hook/install";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findProgram } from "../src/agent/find-program.ts";
import { browserProgram } from "../src/terminal/open-browser.ts";

test("[INSTALL-PLATFORM-1] a page is opened by each platform's own program, and on Linux only where there is a display", () => {
  expect(browserProgram({}, "darwin")).toBe("open");
  expect(browserProgram({}, "win32")).toBe("explorer");
  expect(browserProgram({}, "linux")).toBeNull();
  expect(browserProgram({ WAYLAND_DISPLAY: "wayland-0" }, "linux")).toBe("xdg-open");
});

test("[INSTALL-PLATFORM-1] managed settings are where each platform's Claude Code reads them", () => {
  const at = (platform: NodeJS.Platform) => settingsFile("claude", "managed", { home: "/h", project: "/p", platform });
  expect(at("darwin")).toBe("/Library/Application Support/ClaudeCode/managed-settings.json");
  expect(at("linux")).toBe("/etc/claude-code/managed-settings.json");
});

test("[INSTALL-PLATFORM-1] a program is found on PATH: executable files only, never in a relative folder", () => {
  const folder = temporaryFolder();
  const put = (name: string, mode: number) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };
  put("plain/claude", 0o644);
  const program = put("bin/claude", 0o755);
  mkdirSync(join(folder, "folder/claude"), { recursive: true });
  const PATH = ["bin", "", ".", join(folder, "plain"), join(folder, "folder"), join(folder, "bin")].join(":");
  expect(findProgram("claude", { PATH }, "linux")).toBe(program);
  expect(findProgram("claude", { PATH: "bin:." }, "linux")).toBeNull();
  expect(findProgram("claude", {}, "darwin")).toBeNull();
});

test("[INSTALL-PLATFORM-1] on Windows a program is found by the endings of PATHEXT, between semicolons", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "claude.cmd"), "", { mode: 0o755 });
  expect(findProgram("claude", { PATH: `relative;${folder}`, PATHEXT: ".EXE;.CMD" }, "win32")).toBe(join(folder, "claude.cmd"));
  expect(findProgram("claude", { PATH: folder, PATHEXT: ".EXE" }, "win32")).toBeNull();
});
