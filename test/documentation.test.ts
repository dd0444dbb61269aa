// What the documents show works: every snippet is run, every link leads somewhere, every decision has its page.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodePath, repoRoot } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();
const read = (path: string) => readFileSync(join(repoRoot, path), "utf8");

type Snippet = { file: string; line: number; language: string; code: string };

function snippets(file: string): Snippet[] {
  const text = read(file);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    code: match[2] ?? "",
  }));
}

/** A home of its own for each snippet: `hap` on the path, an empty store, and the packages within reach of imports. */
function freshPlace(name: string): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = join(folder, name);
  mkdirSync(join(cwd, "bin"), { recursive: true });
  symlinkSync(join(repoRoot, "node_modules"), join(cwd, "node_modules"));
  writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
  const hap = join(cwd, "bin", "hap");
  writeFileSync(hap, `#!/bin/sh\nexec "${nodePath}" "${join(repoRoot, "packages/cli/bin/hap.mjs")}" "$@"\n`);
  chmodSync(hap, 0o755);
  // Nothing of the person who runs the tests: no server, no name, no keys.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("HAP_")));
  return {
    cwd,
    env: {
      ...env,
      HOME: cwd,
      HAP_DB_PATH: join(cwd, "hap.db"),
      PATH: `${join(cwd, "bin")}:${dirname(nodePath)}:${env.PATH}`,
      NO_COLOR: "1",
    },
  };
}

/** Run a shell snippet line by line as a reader would; `exits N` in a comment says how a line ends. */
function runShell({ code }: Snippet, place: ReturnType<typeof freshPlace>): void {
  let exported = "";
  for (const line of code.split("\n").filter((text) => text.trim() !== "" && !text.startsWith("#"))) {
    if (line.startsWith("export ")) {
      exported += `${line}\n`;
      continue;
    }
    const wanted = Number(/# .*exits ([0-9]+)/.exec(line)?.[1] ?? 0);
    const { status, stdout, stderr } = spawnSync("bash", ["-c", `${exported}${line}`], { ...place, encoding: "utf8" });
    expect(`${line} -> ${status}\n${status === wanted ? "" : stdout + stderr}`).toBe(`${line} -> ${wanted}\n`);
  }
}

/** Run a TypeScript snippet; what its comments say after a log is what it logs. */
function runTypeScript({ code, line }: Snippet, place: ReturnType<typeof freshPlace>): void {
  const path = join(place.cwd, `snippet-${line}.ts`);
  writeFileSync(path, code);
  const { status, stdout, stderr } = spawnSync(nodePath, [path], { ...place, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  for (const [, said = ""] of code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm))
    if (!said.startsWith("words")) expect(stdout).toContain(said);
}

describe("the snippets", () => {
  const runnable = ["README.md", "docs/sdk.md", "docs/quick-start.md"]
    .flatMap(snippets)
    .filter(({ language }) => ["sh", "ts"].includes(language));

  it("[REPO-README-1] begin in the README's first screenful", () => {
    expect(snippets("README.md")[0]?.line).toBeLessThan(20);
    expect(runnable.length).toBeGreaterThanOrEqual(5);
  });

  it.each(runnable.map((snippet) => [`${snippet.file}:${snippet.line}`, snippet] as const))(
    "[REPO-README-1] %s runs as it stands",
    (name, snippet) => {
      const place = freshPlace(name.replaceAll(/[^a-z0-9]/gi, "-"));
      if (snippet.language === "sh") runShell(snippet, place);
      else runTypeScript(snippet, place);
    },
  );

  it("[POLICY-RULE-1] of docs/policy.md is a policy that the program takes", () => {
    const place = freshPlace("policy");
    mkdirSync(join(place.cwd, ".hap"));
    writeFileSync(
      join(place.cwd, ".hap", "policy.json"),
      snippets("docs/policy.md").find(({ language }) => language === "json")?.code ?? "",
    );
    const check = (...args: string[]) => {
      const { stdout, stderr } = spawnSync("hap", ["policy", "check", "--json", ...args], { ...place, encoding: "utf8" });
      expect(stderr).toBe("");
      return JSON.parse(stdout).verdict as { verdict: string; rule: string };
    };
    expect(
      check("--kind", "run_command", "--environment", "prod", "--details", '{"command":"psql -c \\"DROP TABLE users\\""}'),
    ).toMatchObject({ verdict: "deny", rule: "no-prod-drops" });
    expect(check("--kind", "deploy")).toMatchObject({ verdict: "ask", rule: "deploys-to-sam" });
  });
});

describe("the documents", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "spec/**/*.md"], { cwd: repoRoot });

  it("link only to what is there", () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(join(repoRoot, dirname(page), target)))
        .map((target) => `${page} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("show a recording that tells the whole story, without script and small", () => {
    for (const theme of ["dark", "light"]) {
      expect(read("README.md")).toContain(`docs/images/recording-${theme}.svg`);
      const picture = read(`docs/images/recording-${theme}.svg`);
      expect(picture).not.toMatch(/<script|<foreignObject|(?:href|src)="(?!#)/);
      expect(picture.length).toBeLessThan(300_000);
      const words = picture.replaceAll("\u00a0", " ");
      for (const shown of [
        "643 tool calls",
        "sum + price",
        "git push --force origin main",
        "no, open a PR",
        "kill -9",
        "hap claude --continue",
        "Ticket approved",
        "Pushed fix-total",
        "Event log integrity: FAILED at event",
      ])
        expect(words).toContain(shown);
    }
  });

  it("[REPO-DECISIONS-1] have a page for each of D1 to D32, and an index that links them all", () => {
    const index = read("docs/decisions/README.md");
    for (let number = 1; number <= 32; number++) {
      const [page] = globSync(`docs/decisions/d${String(number).padStart(2, "0")}-*.md`, { cwd: repoRoot });
      expect(page, `D${number}`).toBeDefined();
      expect(index).toContain(page?.split("/").at(-1));
      expect(read(page as string)).toMatch(new RegExp(`^# D${number}\\b`));
    }
  });

  it("[REPO-BENCH-1] give each result as a ratio to a baseline of the same run, with the command", () => {
    const page = read("docs/performance.md");
    const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| what"));
    for (const what of [
      "ticket creation",
      "cycles, 1 at a time",
      "cycles, 32 at a time",
      "wake-up across processes, p50",
      "wake-up across processes, p99",
      "verify --chain",
      "hap inbox",
      "a ticket's life after",
    ]) {
      expect(
        rows.some((row) => row.startsWith(`| ${what}`) && / [0-9]+\.[0-9]{2} \|/.test(row)),
        what,
      ).toBe(true);
    }
    expect(page).toContain("npm run bench");
  });
});
