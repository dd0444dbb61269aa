import { describe, expect, it } from "vitest";
import { classifyPath } from "./classify-path.ts";

const context = { cwd: "/home/u/p/src", projectRoot: "/home/u/p", home: "/home/u" };

describe("classifyPath", () => {
  it.each([
    ["a.ts", true, "/home/u/p/src/a.ts"],
    ["../a.ts", true, "/home/u/p/a.ts"],
    ["..", true, "/home/u/p"],
    ["../..", false, "/home/u"],
    ["../../p/a", true, "/home/u/p/a"],
    ["../../p2/a", false, "/home/u/p2/a"],
    ["/home/u/p", true, "/home/u/p"],
    ["/home/u/p/../p/./a//b", true, "/home/u/p/a/b"],
    ["/home/u/pp", false, "/home/u/pp"],
    ["/", false, "/"],
    ["/../../etc", false, "/etc"],
    ["~", false, "/home/u"],
    ["~/p/a", true, "/home/u/p/a"],
    ["~root/x", false, "~root/x"],
    ["", true, "/home/u/p/src"],
    ["a\0b", false, "/home/u/p/src/a\0b"],
  ])("%j: inside %s, resolved %j", (path, inside, resolved) => {
    expect(classifyPath(path, context)).toMatchObject({ inside, resolved });
  });

  it("has nothing inside where there is no real project", () => {
    for (const projectRoot of ["/", "", "p", "/home"])
      expect(classifyPath("/home/u/p/a", { ...context, projectRoot }).inside).toBe(false);
    expect(classifyPath("~/p/a", { cwd: "/home/u/p", projectRoot: "/home/u/p" }).inside).toBe(false);
    expect(classifyPath("a", { cwd: "relative", projectRoot: "/home/u/p" }).inside).toBe(false);
  });

  it.each([
    ...[
      "~/.ssh/id_rsa",
      "~/.ssh",
      "~/.SSH/Config",
      "~/.\u017fsh/x",
      "/x/id_ed25519",
      "/x/id_ed25519_work",
      "../.env",
      ".env.local",
      ".ENV",
      "prod.env",
      ".envrc",
    ],
    ...[
      "~/.aws/credentials",
      "~/.netrc",
      "~/.npmrc",
      "~/.pgpass",
      "~/.git-credentials",
      "~/.kube/config",
      "~/.docker/config.json",
      "~/.config/gh/hosts.yml",
    ],
    ...[
      "server.pem",
      "server.key",
      "a.p12",
      "credentials.json",
      "secrets.yml",
      "service-account-x.json",
      "terraform.tfstate",
      "/etc/shadow",
      "/proc/1/environ",
    ],
    ...[
      "~/.gnupg/x",
      "~/Library/Keychains/login.keychain-db",
      "~/.bash_history",
      "~/.claude/.credentials.json",
      "~/.codex/auth.json",
      "~/.gemini/oauth_creds.json",
      "~/.local/share/opencode/auth.json",
      "~/.config/github-copilot/apps.json",
      "~/.cache/huggingface/token",
      "~/.cloudflared/cert.pem",
      "~/.databrickscfg",
      `/${"a/".repeat(3000)}`,
    ],
  ])("%j is secret", (path) => {
    expect(classifyPath(path, context).secret).toBe(true);
  });

  it.each([
    "a.ts",
    ".env.example",
    ".env.sample",
    "~/.ssh/id_rsa.pub",
    "environment.ts",
    "secret.ts",
    "src/credentials/index.ts",
    "keyboard.ts",
    "monkey",
    "package.json",
  ])("%j is not secret", (path) => {
    expect(classifyPath(path, context).secret).toBe(false);
  });

  it.each([
    ...[
      "../.claude/settings.json",
      "../.claude/settings.local.json",
      "~/.claude.json",
      "../.claude",
      "../.claude/hooks/x.sh",
      "/etc/claude-code/managed-settings.json",
    ],
    ...[
      "~/.codex/config.toml",
      "../.codex",
      "../.mcp.json",
      "../.hap/policy.json",
      "~/.hap",
      "../.git",
      "../.git/config",
      "../.git/hooks/pre-commit",
      "../.GIT/Config",
    ],
    ...[
      "../.git/modules/x/hooks/y",
      "../.git/HEAD",
      "../.git/commondir",
      "../.claude/commands/x.md",
      "../.vscode/tasks.json",
      "../packages/doors/hook/dist/main.cjs",
      "../.git/worktrees/x/config.worktree",
      "~/.gitconfig",
      "~/.config/git/config",
      "../.husky/pre-commit",
      "../lefthook.yml",
    ],
    ...[
      "~/.bashrc",
      "~/.zshenv",
      "~/.profile",
      "~/.config/fish/config.fish",
      "/etc/profile.d/x.sh",
      "../.envrc",
      "../.irbrc",
      "../.iex.exs",
      "../.github/hooks/x.json",
      "../.copilot/config.json",
      "~/Library/LaunchAgents/x.plist",
      "/etc/cron.d/x",
    ],
  ])("%j arms the gate", (path) => {
    expect(classifyPath(path, context).gate).toBe(true);
  });

  it.each([
    "a.ts",
    "../.gitignore",
    "../.gitattributes",
    "../.github/workflows/x.yml",
    "CLAUDE.md",
    "hooks/use-x.ts",
    "profile.ts",
  ])("%j does not arm the gate", (path) => {
    expect(classifyPath(path, context).gate).toBe(false);
  });
});
