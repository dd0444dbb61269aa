// Every known way past the gate, by name, and everyday commands that it must leave alone.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeCall } from "../src/describe-call.ts";
import { judge } from "../src/judge.ts";
import { FOUND_BYPASSES, KNOWN_BYPASSES } from "./fixtures/bypasses.ts";
import { prepareProject } from "./prepared-project.ts";

const { home, project, remove } = prepareProject();
afterAll(remove);

const PATH = "/usr/local/bin:/usr/bin:/bin";

async function answer(command: string, path = PATH): Promise<{ verdict: string; needs: readonly string[] }> {
  const around = { agent: "agent:x", cwd: project, project, home, path, gate: [] };
  const described = await describeCall({ name: "Bash", input: { command } }, around);
  return { verdict: judge(described).verdict, needs: described.needs };
}

describe("[GATE-BYPASS-1] what was found against the gate", () => {
  test.each([...KNOWN_BYPASSES, ...FOUND_BYPASSES])("%s", async (_, command, mildest) => {
    const { verdict } = await answer(command);
    expect(verdict).toBe(mildest === "ask" ? "ask_engine" : verdict === "ask_engine" ? "ask_engine" : "confine");
  });

  test("has as many ways that were found since as were reported", () => {
    expect(FOUND_BYPASSES.length).toBeGreaterThanOrEqual(KNOWN_BYPASSES.length);
    expect(new Set([...KNOWN_BYPASSES, ...FOUND_BYPASSES].map(([, command]) => command)).size).toBe(
      KNOWN_BYPASSES.length + FOUND_BYPASSES.length,
    );
  });
});

describe("[GATE-BYPASS-1] what depends on the machine", () => {
  test("without a repository, git diff compares folders with the credentials in them", async () => {
    const bare = prepareProject();
    try {
      rmSync(join(bare.project, ".git"), { recursive: true });
      const around = { agent: "agent:x", cwd: bare.project, project: bare.project, home: bare.home, path: PATH, gate: [] };
      const verdictOf = async (command: string) =>
        judge(await describeCall({ name: "Bash", input: { command } }, around)).verdict;
      expect(await verdictOf("git diff . src")).toBe("confine");
      expect(await verdictOf("git status")).toBe("allow");
    } finally {
      bare.remove();
    }
  });

  test.each([
    ["asdf", ".asdf/shims"],
    ["mise", ".local/share/mise/shims"],
    ["volta", ".volta/bin"],
    ["goenv", ".goenv/bin"],
    ["proto", ".proto/bin"],
    ["aqua", ".local/share/aquaproj-aqua/bin"],
  ])("a program of %s, which a file of the project chooses, is not proven", async (_, folder) => {
    const bin = join(home, folder);
    mkdirSync(bin, { recursive: true });
    for (const name of ["jq", "rg"]) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
    expect((await answer("jq . package.json", `${bin}:${PATH}`)).verdict).toBe("confine");
    rmSync(bin, { recursive: true });
  });

  test("a search by ripgrep is proven only where no credentials lie below, hidden ones included", async () => {
    const bin = join(home, "programs");
    mkdirSync(bin);
    writeFileSync(join(bin, "rg"), "#!/bin/sh\n", { mode: 0o755 });
    // A line `!.env` in an ignore file brings it back.
    expect((await answer("rg KEY", `${bin}:${PATH}`)).verdict).toBe("confine");
    expect((await answer("rg KEY src", `${bin}:${PATH}`)).verdict).toBe("allow");
  });
});

describe("[GATE-PROVEN-1] everyday commands", () => {
  test.each([
    "ls -la src",
    "cat src/a.ts",
    "cat 'src/b file.ts'",
    "head -20 package.json | tail -5",
    "grep -rn --include='*.ts' export src",
    "grep -rn export src lib",
    "ls src/*.ts",
    "wc -l src/*.ts lib/*.ts",
    "git status",
    "git status --short && git log --oneline -5",
    "git diff HEAD~1 -- src/a.ts",
    "cd src && git status",
    "cd src; cat ../a.txt",
    "mkdir -p dist/x",
    "touch src/new.ts",
    "cp src/a.ts lib/b.ts",
    "cp src/a.ts lib",
    "cp src/*.ts lib/",
    "mv src/a.ts src/c.ts",
    "rm src/a.ts",
    "rm -f lib/*.ts",
    "echo hello > notes.txt",
    "sort a.txt | uniq -c > counts.txt",
    "cat a.txt | tee copy.txt",
    "git add src/a.ts",
    "git add -A && git commit -m 'Fix the first: one'",
    "git branch feature/x",
    "git checkout -b feature/x",
    "git switch -c feature/x",
    "git restore --staged src/a.ts",
    "find . -name '*.ts' -not -path './node_modules/*'",
    "sed -n 1,20p src/a.ts",
    "jq .a.b package.json",
    "date +%s",
  ])("%s needs nobody", async (command) => {
    expect((await answer(command)).verdict).toBe("allow");
  });

  test.each([
    "npm test",
    "node x.js",
    "python3 -m pytest -q",
    "make",
    "cargo build",
    "./evil.sh",
    "some-tool --x",
    "npm install",
  ])("%s is confined", async (command) => {
    expect((await answer(command)).verdict).toBe("confine");
  });

  test("a program that lies, or could be put, in the project is not proven", async () => {
    for (const path of [`${project}/node_modules/.bin:${PATH}`, `${project}/not-there:${PATH}`, `.:${PATH}`, `:${PATH}`, ""])
      expect((await answer("cat a.txt", path)).verdict, path).toBe("confine");
    expect((await answer("cat a.txt", `${PATH}:${project}/bin`)).verdict).toBe("allow");
  });
});
