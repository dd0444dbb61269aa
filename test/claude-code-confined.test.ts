// The real Claude Code with the real gate and the real sandbox: in every mode what is not proven runs confined, and nobody is asked.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectKeeper, sessionFolder } from "@hap/sandbox";
import { afterAll, expect, test } from "vitest";
import { World } from "../packages/doors/hook/test/world.ts";
import { realClaude } from "../packages/yume/test/support/real-claude.ts";
import type { ScriptedModel } from "../packages/yume/test/wire/server.ts";
import { claudeHeard } from "./support/claude-code.ts";
import { arm, drive, recorder, type Step } from "./support/scripted-host.ts";
import { needProgram } from "./support/system-package.ts";

needProgram("bwrap", "bubblewrap");
needProgram("tmux");

const bash = (command: string, more: object = {}): Step => ({ tool: "Bash", input: { command, description: "Run it", ...more } });
const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1" };
const environment = (world: World, model: ScriptedModel) => ({
  HOME: world.home,
  PATH: process.env.PATH ?? "",
  ...model.env("anthropic"),
  ...quiet,
});

/** `claude -p`. */
function printing(world: World, model: ScriptedModel): ChildProcess {
  return spawn(realClaude(), ["-p", "Go"], {
    cwd: world.project,
    env: environment(world, model),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** As the SDKs start it, with a person's dialog that never answers. */
function embedded(world: World, model: ScriptedModel): ChildProcess {
  const words = [
    "--print",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--permission-prompt-tool",
    "stdio",
  ];
  const child = spawn(realClaude(), words, {
    cwd: world.project,
    env: environment(world, model),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.write(
    `${JSON.stringify({ type: "user", message: { role: "user", content: "Go" }, session_id: "", parent_tool_use_id: null })}\n`,
  );
  child.stdout.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes('"type":"result"')) child.stdin.end();
  });
  return child;
}

/** At a terminal. It ends with the test. */
function interactive(world: World, model: ScriptedModel): ChildProcess {
  const env = environment(world, model);
  const projects = { [world.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  const key = String(model.env("anthropic").ANTHROPIC_API_KEY).slice(-20);
  writeFileSync(
    join(world.home, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: [key], rejected: [] },
      projects,
    }),
  );
  const words = Object.entries({ ...env, TERM: "xterm-256color" }).map(([name, value]) => `${name}='${value}'`);
  const socket = join(world.home, "tmux");
  const command = `cd '${world.project}' && env -i ${words.join(" ")} '${realClaude()}' --permission-mode default Go`;
  spawnSync("tmux", ["-S", socket, "new-session", "-d", "-x", "120", "-y", "40", command]);
  // Until its last words are on the screen.
  const script = `until tmux -S '${socket}' capture-pane -p | grep -q 'That is all'; do sleep 0.2; done; tmux -S '${socket}' kill-server`;
  return spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
}

const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds)
    for (const name of existsSync(join(world.home, ".hap", "confined"))
      ? spawnSync("ls", [join(world.home, ".hap", "confined")], { encoding: "utf8" }).stdout.split("\n")
      : [])
      if (name !== "") await connectKeeper(sessionFolder(world.home, name)).then((keeper) => keeper?.ask({ ask: "end" }));
});

test.each([
  ["with -p", printing],
  ["as the SDKs start it", embedded],
  ["at a terminal", interactive],
])(
  "[CONFINE-MODES-1] %s, what is not proven runs confined, and goes on where it ended",
  async (_, start) => {
    const world = new World();
    worlds.push(world);
    mkdirSync(join(world.project, "sub"));
    await arm(world, "claude", ["--no-mcp"]);
    world.write(
      ".claude/settings.json",
      JSON.stringify({
        hooks: { PermissionRequest: [{ hooks: [recorder(world)] }], SessionEnd: [{ hooks: [recorder(world)] }] },
      }),
    );
    world.write("make.js", "require('fs').writeFileSync('made', String(process.env.HAP_CONFINED));\n");
    world.write(
      "leave.js",
      "const fs = require('fs'); fs.writeFileSync(process.env.HOME + '/evil', 'x'); console.log(fs.readdirSync(process.env.HOME)); process.exit(7);\n",
    );
    const steps = [bash("cd sub && node ../make.js"), bash("pwd"), bash("node ../leave.js")];
    const { heard, payloads } = await drive(world, steps, { start: (model) => start(world, model), lastWords: claudeHeard });
    expect(readFileSync(join(world.project, "sub", "made"), "utf8")).toBe("1");
    expect(heard[1]).toContain(join(world.project, "sub"));
    expect(heard[2]).toContain("Exit code 7");
    expect(heard[2]).not.toContain("hap.db");
    expect(existsSync(join(world.home, "evil"))).toBe(false);
    expect(await world.tickets()).toEqual([]);
    expect(payloads.filter(({ hook_event_name }) => hook_event_name === "PermissionRequest").length).toBeGreaterThan(0);
  },
  180_000,
);

test("[CONFINE-HOOK-2] a command outside the sandbox becomes a ticket, and runs outside after a yes", async () => {
  const world = new World();
  worlds.push(world);
  await arm(world, "claude", ["--no-mcp"]);
  world.write("say.js", "console.log('confined: ' + process.env.HAP_CONFINED);\n");
  const step = {
    ...bash("node say.js", { dangerouslyDisableSandbox: true }),
    person: async (person: Parameters<NonNullable<Step["person"]>>[0], { id }: { id: string }) =>
      person.approve(id, "", { phrase: (await person.issuePhrase(id)).phrase }),
  };
  const { heard } = await drive(world, [step], { start: (model) => printing(world, model), lastWords: claudeHeard });
  expect(heard[0]).toContain("confined: undefined");
});
