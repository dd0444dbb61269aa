// The real Claude Code through `hap claude`: gated by its command line alone. Only the model is a script.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { World } from "../packages/doors/hook/test/world.ts";
import { realClaude } from "../packages/yume/test/support/real-claude.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { claudeHeard, startClaude } from "./support/claude-code.ts";
import { putProgram, settingsWritten, throughHap, untilNothingIsLeft } from "./support/run-hap.ts";
import { arm, drive, type Step, type Told } from "./support/scripted-host.ts";

const bash = (command: string): Step => ({ tool: "Bash", input: { command, description: "Run it" } });
const noDialog = () => ({ behavior: "deny", message: "the host's own dialog says no" });

/** A project with folders to delete, `claude` on the PATH, and without a sandbox: what is not proven asks. */
function projectWith(...folders: string[]): World {
  const world = new World();
  world.write(".hap/policy.json", JSON.stringify({ version: 1, confine: "off" }));
  for (const folder of folders) mkdirSync(join(world.project, folder));
  putProgram(world, "claude", `exec '${realClaude()}' "$@"`);
  return world;
}

function run(world: World, steps: readonly Step[]): Promise<Told> {
  return drive(world, steps, {
    start: (model) => startClaude(world, model, noDialog, throughHap(world, "claude", 1)),
    lastWords: claudeHeard,
  });
}

describe("a session through hap claude", () => {
  const world = projectWith("build", "kept");
  const has = (folder: string) => existsSync(join(world.project, folder));
  const steps = {
    harmless: bash("ls"),
    approved: { ...bash("rm -rf build"), person: (person, { id }) => approveTyped(person, id, "this once") },
    rejected: { ...bash("rm -rf kept"), person: (person, { id }) => person.reject(id, "it is my only copy") },
    asked: {
      tool: "mcp__hap__hap_ask",
      input: { question: "Which colour?" },
      person: (person, { id }) => person.answer(id, { type: "text", text: "green" }),
    },
  } satisfies Record<string, Step>;
  let told: Told;
  const heard = (name: keyof typeof steps) => told.heard[Object.keys(steps).indexOf(name)];

  beforeAll(async () => {
    // What disarms a hook that stands in settings has no effect on one that stands on the command line.
    world.write(".claude/settings.json", JSON.stringify({ disableAllHooks: true }));
    told = await run(world, Object.values(steps));
  });

  test("[AGENT-RUN-1] harmless calls run, approved ones run, rejected ones do not; a project's disableAllHooks has no effect", () => {
    expect(heard("harmless")).toContain("kept");
    expect([has("build"), has("kept")]).toEqual([false, true]);
    expect(heard("approved")).toContain("Approved by human:alex. They said: this once");
    expect(heard("rejected")).toContain("They said: it is my only copy");
  });

  test("[AGENT-RUN-1] our MCP server is there", () => {
    expect(heard("asked")).toContain("green");
  });

  test("[AGENT-RUN-2] no settings are written, and nothing is left beside the store", async () => {
    expect(told.code).toBe(0);
    expect(settingsWritten(world)).toEqual([]);
    await untilNothingIsLeft(world);
  });
});

test("[AGENT-RUN-3] a gate that is in the settings already asks once", async () => {
  const world = projectWith("build", "kept");
  await arm(world, "claude");
  await run(world, [
    { ...bash("rm -rf build"), person: (person, { id }) => approveTyped(person, id, "") },
    { ...bash("rm -rf kept"), person: (person, { id }) => person.reject(id, "no") },
  ]);
  expect((await world.tickets()).map(({ intent }) => intent.summary).reverse()).toEqual([
    "Run: rm -rf build",
    "Run: rm -rf kept",
  ]);
  expect([existsSync(join(world.project, "build")), existsSync(join(world.project, "kept"))]).toEqual([false, true]);
});
