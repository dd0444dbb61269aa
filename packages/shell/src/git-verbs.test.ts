// For which commands the sandbox makes the git dir writable.
import { expect, test } from "vitest";
import { writesGit } from "./git-verbs.ts";

test.each([
  "git add -A && git commit -m x",
  "/usr/bin/git stash",
  "bash -c 'git checkout -b x'",
  "find . -name '*.ts' | xargs git add",
  "git update-index --refresh",
  "(git tag v1)",
  "git worktree add ../x",
])("[CONFINE-GIT-1] %s writes the repository", (command) => {
  expect(writesGit(command)).toBe(true);
});

test.each([
  "git status",
  "git log -p | head",
  "git diff --stat",
  "npm run commit",
  "ls .git",
  "cargo add serde",
  "git rev-parse HEAD",
])("[CONFINE-GIT-1] %s does not", (command) => {
  expect(writesGit(command)).toBe(false);
});
