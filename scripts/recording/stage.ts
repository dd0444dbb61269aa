// What the recording plays in: a home with a history of recorded sessions, a small project with a failing test and a remote, the real
// `hap` and `claude` on the PATH, and a model that follows a script.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeProject } from "../../bench/agent-calls/make-project.ts";
import { readCalls, readSources } from "../../bench/agent-calls/read-calls.ts";
import { realClaude, scriptedClaude } from "../../packages/yume/test/support/real-claude.ts";
import type { ScriptedModel } from "../../packages/yume/test/wire/server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const FILES: Record<string, string> = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/total.js": "export const total = (prices) => prices.reduce((sum, price) => sum - price, 0);\n",
  "test/total.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { total } from "../src/total.js";

test("adds the prices", () => assert.equal(total([2, 3]), 5));
`,
};

/** Ends everything that runs in the project with SIGKILL, and prints what it was. The two shells stay. */
const KILL_ALL = `#!/bin/sh
for folder in /proc/[0-9]*; do
  pid=\${folder#/proc/}
  case "$(readlink "$folder/cwd" 2>/dev/null)" in "$HOME"*) ;; *) continue ;; esac
  name=$(tr '\\0' ' ' < "$folder/cmdline" 2>/dev/null)
  case "$(readlink "$folder/exe") $name" in
    *kill-everything*|*/bash\\ *) continue ;;
    */claude\\ *) what="Claude Code" ;;
    *hap-hook*) what="the gate's hook" ;;
    *\\ mcp*) what="HAP's MCP server" ;;
    *start*) what="the inbox" ;;
    *) what="a child of one of them" ;;
  esac
  kill -9 "$pid" 2>/dev/null && echo "kill -9 $pid  ($what)"
done
`;

export type Stage = { home: string; project: string; env: Record<string, string> };

export function setStage(model: ScriptedModel): Stage {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hap-recording-")));
  const project = join(home, "shop");
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  for (const [name, text] of Object.entries(FILES)) put(join(project, name), text);
  const run = (name: string, script: string) => put(join(home, "bin", name), `#!/bin/sh\n${script}\n`, 0o755);
  run("hap", `exec '${process.execPath}' '${join(root, "packages/cli/bin/hap.mjs")}' "$@"`);
  run("claude", `exec '${realClaude()}' "$@"`);
  put(join(home, "bin", "kill-everything"), KILL_ALL, 0o755);
  writeHistory(home, put);
  // The agent's first-run questions are answered, and its colours are the terminal's own.
  const answered = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const key = model.env("anthropic").ANTHROPIC_API_KEY ?? "";
  const state = {
    hasCompletedOnboarding: true,
    numStartups: 9,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
  };
  put(join(home, ".claude.json"), JSON.stringify({ ...state, theme: "dark-ansi", projects: { [project]: answered } }));
  const settings = { theme: "dark-ansi", spinnerTipsEnabled: false, permissions: { defaultMode: "default" } };
  put(join(home, ".claude", "settings.json"), JSON.stringify(settings));
  put(join(home, ".gitconfig"), "[user]\n\tname = Alex\n\temail = alex@example.org\n[init]\n\tdefaultBranch = main\n");
  const env = {
    HOME: home,
    PATH: `${join(home, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PS1: "$ ",
    HAP_HUMAN_ID: "human:alex",
    ...scriptedClaude(model),
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, env, stdio: "ignore" });
  execFileSync("git", ["init", "--quiet", "--bare", join(home, "shop.git")], { env });
  git("init", "--quiet");
  git("remote", "add", "origin", join(home, "shop.git"));
  git("add", "-A");
  git("commit", "--quiet", "--message", "Add up prices");
  git("push", "--quiet", "origin", "main");
  return { home, project, env };
}

/** The calls of published sessions (bench/fixtures/agent-calls) as transcripts of Claude Code. */
function writeHistory(home: string, put: (path: string, text: string) => void): void {
  const calls = readCalls();
  const timestamp = new Date().toISOString();
  for (const [key, { language }] of Object.entries(readSources())) {
    const own = calls.filter(({ source }) => source === key);
    const project = makeProject(join(home, "history", key), language, own);
    const lines = project.calls.map(({ tool }, at) => {
      const use = { type: "tool_use", id: `${key}-${at}`, ...tool };
      return JSON.stringify({ type: "assistant", timestamp, cwd: project.root, message: { content: [use] } });
    });
    put(join(home, ".claude", "projects", key, "session.jsonl"), `${lines.join("\n")}\n`);
  }
}
