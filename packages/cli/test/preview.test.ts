// hap preview on transcripts as Claude Code and Codex write them.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { World } from "./hap.ts";

const now = new Date().toISOString();

function transcripts(world: World): string {
  const project = join(world.folder, "app");
  mkdirSync(join(project, ".git"), { recursive: true });
  const write = (path: string, lines: unknown[]) => {
    mkdirSync(join(world.folder, path, ".."), { recursive: true });
    writeFileSync(join(world.folder, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const said = (...content: object[]) => ({ type: "assistant", timestamp: now, cwd: project, message: { content } });
  write(".claude/projects/app/one.jsonl", [
    said(use("a1", "Bash", { command: "ls -la" }), use("a2", "Bash", { command: "git push --force origin main" })),
    { type: "user", message: { content: "words" } },
    // A session that was resumed repeats what came before.
    said(use("a1", "Bash", { command: "ls -la" }), use("a3", "Read", { file_path: join(project, "x.ts") })),
    said(use("a4", "AskUserQuestion", { questions: [] })),
  ]);
  const codex = (payload: object) => ({ timestamp: now, type: "response_item", payload });
  write(".codex/sessions/2026/11/17/rollout-1.jsonl", [
    { timestamp: now, type: "session_meta", payload: { id: "s", cwd: project } },
    codex({
      type: "function_call",
      name: "shell",
      call_id: "c1",
      arguments: JSON.stringify({ command: ["bash", "-lc", "rm -rf ~/backups"] }),
    }),
    codex({ type: "local_shell_call", call_id: "c2", action: { type: "exec", command: ["cat", "README.md"] } }),
  ]);
  return project;
}

test("[PREVIEW-CMD-1] counts what would run, ask and be denied, shows the most dangerous, and writes nothing", async () => {
  const world = new World();
  const project = transcripts(world);
  const files = () => (readdirSync(world.folder, { recursive: true }) as string[]).sort();
  const before = files();
  const report = await world.json<Record<string, unknown> & { worth_seeing: { about: string; verdict: string }[] }>(["preview"]);
  expect(report).toMatchObject({ calls: 5, run: 3, ask: 2, deny: 0, sessions: { claude: 1, codex: 1 } });
  expect(report.worth_seeing.map(({ about }) => about).sort()).toEqual(["git push --force origin main", "rm -rf ~/backups"]);
  const shown = await world.ok(["preview"]);
  expect(shown).toMatch(/would ask you +2 +40\.0 %/);
  expect(shown).toContain("rm -rf ~/backups");
  expect(files()).toEqual(before);
  mkdirSync(join(project, ".hap"));
  const rules = [{ id: "no-force", match: { command: "git push --force *" }, verdict: "deny", why: "Open a PR" }];
  const policy = { version: 1, rules };
  writeFileSync(join(project, ".hap/policy.json"), JSON.stringify(policy));
  expect(await world.json(["preview"])).toMatchObject({ ask: 1, deny: 1 });
});

test("[PREVIEW-CMD-1] says where it looked when there is nothing", async () => {
  expect(await new World().ok(["preview"])).toContain("~/.claude/projects");
});
