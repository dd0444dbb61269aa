// yume-cli as an agent of our own harness: a real terminal, a scripted model.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, refuses, says, uses, yumeCli } from "../packages/yume/test/support/place.ts";
import { repoRoot } from "./support/bundle-fixture.ts";

const term = join(repoRoot, "packages/term/bin/term.mjs");

describe("yume-cli term-agent", () => {
  const run = async (answers: Parameters<typeof makePlace>[0]) => {
    const place = await makePlace(answers);
    const args = [
      "run",
      "--agent",
      `${process.execPath} ${yumeCli} term-agent`,
      "--instruction",
      "Make hello.txt",
      "--cwd",
      place.work,
    ];
    const child = spawn(process.execPath, [term, ...args, "--sandbox", "none", "--out", join(place.home, "runs"), "--json"], {
      env: place.env,
      cwd: place.home,
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    return { place, code, output };
  };

  it("[YUME-TERM-1] works in the harness's terminal and says when it is done", async () => {
    const { place, code, output } = await run([
      uses(["Bash", { command: "echo hello > hello.txt" }]),
      uses(["Bash", { command: "cat hello.txt; false" }]),
      says("Made."),
    ]);
    expect(`${code} ${code === 0 ? "" : output}`).toBe("0 ");
    expect(readFileSync(join(place.work, "hello.txt"), "utf8")).toBe("hello\n");
    expect(place.asked()).toContain("Exit code 1");
  });

  it("[YUME-TERM-1] never reports a failure of its model as completion", async () => {
    const { place, code } = await run([refuses(401, "no key")]);
    expect(code).not.toBe(0);
    expect(existsSync(join(place.work, "hello.txt"))).toBe(false);
  });
});
