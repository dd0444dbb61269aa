// What a newcomer does on a clean checkout, and the walls between the rooms.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { arePublished, commands, libraries, otherRegistries, takenNames } from "../scripts/artefacts/published.ts";
import { nodePath, repoRoot } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();

/** The files of this checkout that git knows or would add, with the installed packages linked in. */
function checkout(name: string): string {
  const copy = join(folder, name);
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: repoRoot,
    encoding: "utf8",
  });
  for (const file of listed.stdout.split("\n").filter((line) => line !== "")) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(repoRoot, file), join(copy, file));
  }
  symlinkSync(join(repoRoot, "node_modules"), join(copy, "node_modules"));
  return copy;
}

describe("versions", () => {
  it("[INSTALL-VERSION-1] every package has the version of the root manifest", () => {
    const version = (file: string) => JSON.parse(readFileSync(join(repoRoot, file), "utf8")).version;
    const listed = spawnSync("git", ["ls-files", "packages/**/package.json"], { cwd: repoRoot, encoding: "utf8" });
    const manifests = listed.stdout.split("\n").filter((file) => /^packages\/(doors\/)?[^/]+\/package\.json$/.test(file));
    expect(manifests.length).toBeGreaterThan(15);
    for (const file of manifests) expect({ file, version: version(file) }).toEqual({ file, version: version("package.json") });
  });
});

describe("names", () => {
  const documents = spawnSync("git", ["ls-files", "*.md"], { cwd: repoRoot, encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);

  it("[INSTALL-NAMES-1] no document tells anyone to install a name that is not ours", () => {
    expect(arePublished).toBe(false);
    const names = [commands, ...libraries, ...otherRegistries, ...takenNames].map(({ name }) => name);
    const install =
      /\b(?:npm (?:install|i|add)|npx (?:-y|--yes)|pnpm add|yarn add|pip3? install|pipx install|uv add|cargo (?:add|install)) ([^\n`|]*)/g;
    const told = documents.flatMap((file) =>
      [...readFileSync(join(repoRoot, file), "utf8").matchAll(install)].flatMap(([line, words = ""]) =>
        words.split(/\s+/).some((word) => names.includes(word.replace(/(?<=.)@[^/]*$/, ""))) ? [`${file}: ${line}`] : [],
      ),
    );
    expect(told).toEqual([]);
  });

  it("[INSTALL-NAMES-1] manifests of the SDKs have the names of the one list", () => {
    for (const { name, folder: place } of otherRegistries) {
      const file = place.endsWith("python") ? "pyproject.toml" : "Cargo.toml";
      expect(readFileSync(join(repoRoot, place, file), "utf8")).toContain(`name = "${name}"`);
    }
  });
});

describe("npm run release", () => {
  const release = (...args: string[]) =>
    spawnSync(nodePath, ["scripts/release.mjs", ...args], { cwd: repoRoot, encoding: "utf8" });

  it("[INSTALL-RELEASE-1] shows a release without writing it, and refuses what is no version", () => {
    const before = readFileSync(join(repoRoot, "CHANGELOG.md"), "utf8");
    expect(release("9.9.9", "--dry-run").stdout).toMatch(/-> 9\.9\.9\n[\s\S]*Release notes:\n\n### [\s\S]*nothing was written/);
    expect(readFileSync(join(repoRoot, "CHANGELOG.md"), "utf8")).toBe(before);
    expect(release("nine", "--dry-run")).toMatchObject({ status: 1, stderr: expect.stringContaining("is not a version") });
  });
});

describe("npm start", () => {
  it("[REPO-START-1] serves the inbox on the embedded store, and says how to sign in", async () => {
    const copy = checkout("start");
    const env = {
      ...process.env,
      HOME: folder,
      HAP_DB_PATH: join(folder, "start.db"),
      HAP_HUMAN_ID: "human:newcomer",
      NO_COLOR: "1",
    };
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: copy,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
      });
    try {
      for (let waited = 0; !said.includes("hap login --link"); waited++) {
        if (waited > 4000 || child.exitCode !== null) throw new Error(`it does not start: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const url = /Inbox\s+(\S+)/.exec(said)?.[1] as string;
      const page = await fetch(url);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("<title>HAP");
    } finally {
      const ended = new Promise((resolve) => child.once("close", resolve));
      process.kill(-(child.pid as number), "SIGTERM");
      // The folder goes after the test, and nobody may still be writing in it.
      await ended;
    }
  }, 300_000);
});

describe("the arrows between packages", () => {
  const cruise = (cwd: string) =>
    spawnSync(
      nodePath,
      [join(repoRoot, "node_modules/.bin/depcruise"), "packages", "apps", "--config", ".dependency-cruiser.mjs"],
      {
        cwd,
        encoding: "utf8",
      },
    );

  it("[REPO-ARROWS-1, SDK-ONLY-1] fail a check when an import goes against them", { timeout: 120_000 }, () => {
    const copy = checkout("arrows");
    // The packages of the copy itself must be what its imports resolve to.
    const write = (path: string, code: string) => {
      mkdirSync(join(copy, dirname(path)), { recursive: true });
      writeFileSync(join(copy, path), code);
    };
    write(
      "packages/protocol/src/wrong.ts",
      'import { HapEngine } from "../../core/src/index.ts";\nexport const wrong = HapEngine;\n',
    );
    write("packages/shell/src/wrong.ts", 'import { readFileSync } from "node:fs";\nexport const wrong = readFileSync;\n');
    write("packages/sdk/src/wrong.ts", 'import { HapEngine } from "../../core/src/index.ts";\nexport const wrong = HapEngine;\n');
    write("packages/cli/src/wrong.ts", 'import { HapEngine } from "../../core/src/index.ts";\nexport const wrong = HapEngine;\n');
    write(
      "packages/doors/hook/src/wrong.ts",
      'import { connectPerson } from "../../../sdk/src/connect-person.ts";\nexport const wrong = connectPerson;\n',
    );
    const { status, stdout } = cruise(copy);
    expect(status).not.toBe(0);
    for (const rule of [
      "protocol-arrows",
      "protocol-and-shell-are-paper",
      "sdk-loads-core-lazily",
      "cli-arrows",
      "agents-cannot-decide",
    ])
      expect(stdout).toContain(rule);
  });
});

describe("the checkout", () => {
  it("names no package registry and no folder of the machine that wrote it", () => {
    const lock = readFileSync(join(repoRoot, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/"resolved": "https?:/);
  });
});
