// The Seatbelt profile of macOS, as far as it can be tested elsewhere: its text against the gate's table, and the attempts to escape
// with the real shell. Whether macOS obeys it is what `hap doctor` finds out on a Mac.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GATE_PATTERNS, gatesInProject } from "@hap/shell/paths";
import { expect, test } from "vitest";
import { needProgram } from "../../../../test/support/system-package.ts";
import { tryConfinement } from "../confined/availability.ts";
import { ESCAPE_ATTEMPTS } from "./escape-attempts.ts";
import { seatbeltPatterns } from "./gate-patterns.ts";
import { hasSeatbelt, markSeatbelt } from "./seatbelt-mark.ts";
import { isPlainPath, seatbeltProfile } from "./seatbelt-profile.ts";
import { type RunInside, tryEscapes } from "./try-escapes.ts";

needProgram("bwrap", "bubblewrap");

const project = "/Users/alex/My (old) app+1";
const NAMES = [
  ...[
    ".git",
    ".git/config",
    "a/.git/hooks/x",
    ".GIT/config",
    ".gIt",
    ".claude/settings.json",
    ".claude.json",
    ".codex",
    ".hap/policy.json",
  ],
  ...[
    ".cursor/x",
    ".mcp.json",
    ".Mcp.json",
    ".husky/x",
    ".hu\u017fky/x",
    "lefthook.yml",
    ".lefthook-local.toml",
    ".pre-commit-config.yaml",
  ],
  ...[
    ".envrc",
    "a/b/.envrc",
    ".vscode/tasks.json",
    ".vscode",
    ".idea/x",
    ".devcontainer/x",
    "x.code-workspace",
    ".bashrc",
    ".zshrc",
  ],
  ...[
    "doors/hook/dist/main.cjs",
    "hap-hook.cjs",
    ".config/nvim/init.lua",
    ".gitmodules",
    ".\u212ashrc",
    "Library/LaunchAgents/x.plist",
  ],
  ...[
    "src/a.ts",
    "a.git",
    "git/config",
    ".github/workflows/x.yml",
    ".gitignore",
    "claude/settings.json",
    ".vscode/extensions.json",
  ],
  ...["x.envrc", "README.md", ".huskyx", "lefthook.yml.md", "bashrc", "src/.gitkeep", "mcp.json"],
];

test("[CONFINE-MAC-1] the profile's patterns match below the project what the gate's table matches, in any case", () => {
  const patterns = seatbeltPatterns(GATE_PATTERNS, project).map((pattern) => new RegExp(pattern));
  const isGate = gatesInProject(project, { path: [] } as unknown as Parameters<typeof gatesInProject>[1]);
  for (const name of NAMES) {
    const path = `${project}/${name}`;
    expect([name, patterns.some((pattern) => pattern.test(path))]).toEqual([name, isGate(path)]);
  }
  expect(patterns.some((pattern) => pattern.test("/Users/alex/My Xold) app+1/.git"))).toBe(false);
});

test("[CONFINE-MAC-1] a project in a folder that is itself a gate path is no gate", () => {
  const [inside] = ["/home/dev/.claude/worktrees/app"];
  const patterns = seatbeltPatterns(GATE_PATTERNS, inside as string).map((pattern) => new RegExp(pattern));
  expect(patterns.some((pattern) => pattern.test(`${inside}/src/a.ts`))).toBe(false);
  expect(patterns.some((pattern) => pattern.test(`${inside}/.claude/settings.json`))).toBe(true);
});

const facts = {
  project,
  writable: ["/own/tmp"],
  toolchains: ["/Users/alex/.cargo/bin"],
  gates: GATE_PATTERNS,
  readOnly: [`${project}/tools/hooks`],
  gitDirs: [`${project}/.git`],
  proxyPort: 4080,
};
/** Where a rule stands: the last one that matches counts. */
const at = (profile: string, text: string) => profile.indexOf(text);

test("[CONFINE-MAC-1] nothing is allowed by default, what arms a gate is denied after the project is opened, and one port is reached", () => {
  const profile = seatbeltProfile({ ...facts, gitWritable: false });
  expect(profile.startsWith("(version 1)\n(deny default)\n")).toBe(true);
  expect(profile).not.toContain("allow default");
  expect(at(profile, `(subpath "${project}")`)).toBeLessThan(at(profile, "(deny file-write*\n  (regex"));
  expect(profile).toContain("(deny file-link)");
  expect(profile).toContain(`(deny file-write*\n  (subpath "${project}/tools/hooks"))`);
  expect(profile).toContain(`(deny file-write-unlink\n  (literal "${project}/tools")\n  (literal "${project}/.git"))`);
  expect(profile.match(/\(allow network[^\n]*/g)).toEqual(['(allow network-outbound (remote tcp "localhost:4080"))']);
  expect(profile).not.toContain(`(allow file-write*\n  (subpath "${project}/.git"))`);
  // Parentheses are balanced outside of texts.
  const bare = profile.replaceAll(/"[^"]*"/g, "");
  expect(bare.split("(").length).toBe(bare.split(")").length);
});

test("[CONFINE-MAC-1] with a writing verb of git its folder is opened again, but for what runs code or leads elsewhere", () => {
  const profile = seatbeltProfile({ ...facts, gitWritable: true });
  const opened = at(profile, `(allow file-write*\n  (subpath "${project}/.git"))`);
  expect(opened).toBeGreaterThan(at(profile, "(deny file-write*\n  (regex"));
  for (const name of ["config", "hooks", "info", "commondir", "modules", "rebase-merge"])
    expect(profile.lastIndexOf(`(subpath "${project}/.git/${name}")`)).toBeGreaterThan(opened);
});

test("[CONFINE-MAC-1] paths that a profile cannot name are refused", () => {
  for (const path of ['/a"b', "/a\nb", "/a\\b", "relative"]) expect(isPlainPath(path)).toBe(false);
  expect(isPlainPath(project)).toBe(true);
});

test("[CONFINE-MAC-2] until the attempts to escape were run on this Mac, Seatbelt is unverified and not used", () => {
  const home = mkdtempSync(join(tmpdir(), "hap-mac-"));
  const found = () => tryConfinement(undefined, { platform: "darwin", home });
  expect(found()).toEqual({
    kind: null,
    why: "HAP's Seatbelt profile is unverified on this Mac.",
    fix: "Run `hap doctor`: it tries to escape from the profile, and enables it when every attempt fails.",
  });
  markSeatbelt(home, Date.now());
  expect(found().kind).toBe("seatbelt");
  markSeatbelt(home, null);
  expect(found().kind).toBeNull();
  expect(hasSeatbelt()).toBe(process.platform === "darwin");
  rmSync(home, { recursive: true });
});

test("[CONFINE-MAC-2] the attempts are real: where only the network, devices and the rest of the disk are closed, they are found", async () => {
  const run: RunInside = async (_profile, script, { cwd, env }) => {
    const jail = [
      "--unshare-all",
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--bind",
      join(cwd, ".."),
      join(cwd, ".."),
    ];
    const ran = spawnSync("bwrap", [...jail, "--chdir", cwd, "bash", "-c", script], { env, encoding: "utf8" });
    return ran.stdout;
  };
  const { escaped, failed, attempts } = await tryEscapes(run);
  expect(failed).toEqual([]);
  expect(attempts).toBe(ESCAPE_ATTEMPTS.length);
  expect(attempts).toBeGreaterThanOrEqual(40);
  for (const name of [
    "write git's configuration",
    "rename the git folder",
    "link git's configuration",
    "read outside the project",
  ])
    expect(escaped).toContain(name);
  // Everything that is about files in the project succeeds there, so each of these attempts can fail.
  const files = ESCAPE_ATTEMPTS.filter(({ changes, script }) => changes !== undefined && !/GIT|sandbox-exec/.test(script));
  expect(files.map(({ name }) => name).filter((name) => !escaped.includes(name))).toEqual([]);
  const closed = await tryEscapes(async (_profile, script) => (script.includes("WORKED") ? "WORKED\n" : ""));
  expect(closed).toEqual({ escaped: [], failed: [], attempts });
});
