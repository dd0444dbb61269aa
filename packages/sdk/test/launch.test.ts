// How commands start: from a bundle that is current, else from the sources; and never as if all were well when it is not.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const LAUNCH = fileURLToPath(new URL("../bin/launch.mjs", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A command with a bundle, written after its sources. */
function command(bundle: string) {
  const folder = mkdtempSync(join(tmpdir(), "hap-launch-"));
  folders.push(folder);
  const write = (name: string, text: string, at: number) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, at, at);
  };
  write(
    "src/main.ts",
    `import { word } from "./word.ts";\nexport const done: Promise<void> = (async () => console.log(word))();\n`,
    1_000,
  );
  write("src/word.ts", `export const word: string = "sources";\n`, 1_000);
  write("dist/main.cjs", bundle, 2_000);
  write("dist/sources.json", JSON.stringify(["../src/main.ts", "../src/word.ts", "../src/gone.ts"]), 2_000);
  write("bin/it.mjs", `import { launch } from ${JSON.stringify(LAUNCH)};\nawait launch(import.meta.url, "it");\n`, 1_000);
  const run = () => {
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "bin/it.mjs")], { env, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  return { folder, run };
}

const SAYS_BUNDLE = `exports.done = (async () => console.log("bundle"))();`;

test("a bundle that is as new as its sources is run, whatever sources are not there", () => {
  expect(command(SAYS_BUNDLE).run()).toEqual({ status: 0, stdout: "bundle\n", stderr: "" });
});

test("one newer source is enough to run the sources instead", () => {
  const { folder, run } = command(SAYS_BUNDLE);
  utimesSync(join(folder, "src/word.ts"), 2_001, 2_001);
  expect(run()).toEqual({ status: 0, stdout: "sources\n", stderr: "" });
});

test("without a list of its sources a bundle is not trusted", () => {
  const { folder, run } = command(SAYS_BUNDLE);
  rmSync(join(folder, "dist/sources.json"));
  expect(run()).toMatchObject({ status: 0, stdout: "sources\n" });
});

test("work that never ends cannot look like success", () => {
  const { status, stderr } = command("exports.done = new Promise(() => {});").run();
  expect(status).toBe(13);
  expect(stderr).toContain("unsettled");
});

test("work that fails ends with what went wrong", () => {
  const { status, stderr } = command(`exports.done = Promise.reject(new Error("the disk is full"));`).run();
  expect(status).toBe(1);
  expect(stderr).toContain("the disk is full");
});
