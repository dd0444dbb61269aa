// A disk that is full, before a run or in the middle of it: a small file system of its own holds what yume-cli keeps.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { type Frame, kinds, makePlace, type Place, says, uses, yumeCli } from "./support/place.ts";

beforeAll(() => needProgram("bwrap", "bubblewrap"));

const DISK = 64 * 1024;

/** Run with ~/.yume on a disk of 64 kB; what is on it afterwards is copied to `kept`. */
async function runOnSmallDisk(
  place: Place,
  before: string,
): Promise<{ frames: Frame[]; code: number; names: string[]; kept: string }> {
  const kept = join(place.home, "kept");
  mkdirSync(join(place.home, ".yume"));
  mkdirSync(kept);
  const script = `${before}
"$@" --provider openai --session-id full --prompt Go --permission-mode auto < /dev/null
echo $? > ${kept}/code; ls -A ~/.yume/sessions > ${kept}/names; cat ~/.yume/sessions/full.json > ${kept}/session 2> /dev/null; true`;
  const mounts = ["--dev-bind", "/", "/", "--size", String(DISK), "--tmpfs", join(place.home, ".yume")];
  const child = spawn("bwrap", [...mounts, "--die-with-parent", "--", "/bin/sh", "-c", script, "sh", process.execPath, yumeCli], {
    cwd: place.work,
    env: place.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) stdout += chunk;
  const read = (name: string) => readFileSync(join(kept, name), "utf8");
  return {
    frames: stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Frame),
    code: Number(read("code")),
    names: read("names").split("\n").filter(Boolean),
    kept: read("session"),
  };
}

describe("a full disk", () => {
  it("[YUME-SESSION-6] in the middle of a run ends it with an error and a result, and leaves the session as it was", async () => {
    const place = await makePlace([uses(["LS", {}]), says("x".repeat(DISK)), says("never")]);
    const { frames, code, names, kept } = await runOnSmallDisk(place, "");
    expect(kinds(frames).slice(-3)).toEqual(["error", "result", "message_stop"]);
    const words = expect.stringMatching(/^Session full could not be written: ENOSPC/);
    expect(frames.at(-3)).toMatchObject({ message: words, code: "session" });
    expect(frames.at(-2)).toMatchObject({ subtype: "error_during_execution", is_error: true, errors: [words] });
    expect(code).toBe(1);
    expect(names).toEqual(["full.json"]);
    const turns = JSON.parse(kept).turns as { role: string }[];
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(place.model.left()).toBe(1);
  });

  it("[YUME-SESSION-6] from the beginning is told before a model is asked", async () => {
    const place = await makePlace([says("never")]);
    const { frames, code, kept } = await runOnSmallDisk(place, "cat /dev/zero > ~/.yume/filler 2> /dev/null");
    expect(kinds(frames)).toEqual(["system/init", "error", "result", "message_stop"]);
    expect(String(frames[1]?.message)).toContain("ENOSPC");
    expect(code).toBe(1);
    expect(kept).toBe("");
    expect(place.model.requests).toEqual([]);
  });
});
