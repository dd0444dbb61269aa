// The real Codex through `hap codex`: hooks and their trust come with its command line, for this session alone.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { World } from "../packages/doors/hook/test/world.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { nodePath } from "./support/bundle-fixture.ts";
import { codexHeard, LAUNCHER, startCodex } from "./support/codex.ts";
import { putProgram, settingsWritten, throughHap, untilNothingIsLeft } from "./support/run-hap.ts";
import { arm, drive, type Step, type Told } from "./support/scripted-host.ts";

const shell = (cmd: string): Step => ({ tool: "exec_command", input: { cmd } });

function projectWith(...folders: string[]): World {
  const world = new World();
  for (const folder of folders) mkdirSync(join(world.project, folder));
  putProgram(world, "codex", `exec '${nodePath}' '${LAUNCHER}' "$@"`);
  return world;
}

const run = (world: World, steps: readonly Step[], trusted: boolean): Promise<Told> =>
  drive(world, steps, {
    start: (model) => startCodex(world, model, { trusted, start: throughHap(world, "codex", 2) }),
    lastWords: codexHeard,
  });

test("[AGENT-RUN-1, AGENT-RUN-2] calls pass the gate though nobody has trusted a hook, others' hooks stay untrusted, and nothing is left", async () => {
  const world = projectWith("build", "kept");
  const has = (folder: string) => existsSync(join(world.project, folder));
  const foreign = {
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `touch '${join(world.home, "foreign")}'` }] }] },
  };
  mkdirSync(join(world.home, ".codex"));
  writeFileSync(join(world.home, ".codex", "hooks.json"), JSON.stringify(foreign));
  const told = await run(
    world,
    [
      shell("ls"),
      { ...shell("rm -r build"), person: (person, { id }) => approveTyped(person, id, "this once") },
      { ...shell("rm -r kept"), person: (person, { id }) => person.reject(id, "it is my only copy") },
    ],
    false,
  );
  expect(told.heard[0]).toContain("kept");
  expect([has("build"), has("kept")]).toEqual([false, true]);
  expect(told.heard[2]).toContain("They said: it is my only copy");
  expect(existsSync(join(world.home, "foreign"))).toBe(false);
  expect(told.code).toBe(0);
  expect(settingsWritten(world)).toEqual([join(world.home, ".codex", "hooks.json")]);
  await untilNothingIsLeft(world);
});

test("[AGENT-RUN-3] a gate that is in Codex's settings already, untrusted, does not ask a second time", async () => {
  const world = projectWith("kept");
  await arm(world, "codex");
  await run(world, [{ ...shell("rm -r kept"), person: (person, { id }) => person.reject(id, "no") }], false);
  expect(await world.tickets()).toHaveLength(1);
  expect(existsSync(join(world.project, "kept"))).toBe(true);
});
