// The real Codex behind the real gate: what runs, what does not, what its model reads, and where it cannot fail closed. Only the
// model is a script.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { codexPayloads as fixtures } from "../packages/doors/hook/test/fixtures/codex-payloads.ts";
import { HOOK, World } from "../packages/doors/hook/test/world.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { codexHeard, startCodex } from "./support/codex.ts";
import { arm, drive, recorder, type Step, shapeOf, type Told } from "./support/scripted-host.ts";

const shell = (cmd: string): Step => ({ tool: "exec_command", input: { cmd } });

/** A project with folders to delete. */
async function armed(...folders: string[]): Promise<World> {
  const world = new World();
  for (const folder of folders) mkdirSync(join(world.project, folder));
  await arm(world, "codex");
  return world;
}

describe("a session behind the gate", () => {
  let world: World;
  let told: Told;
  const steps = {
    harmless: shell("ls"),
    approved: { ...shell("rm -r build"), person: (person, { id }) => approveTyped(person, id, "this once") },
    rejected: { ...shell("rm -r kept"), person: (person, { id }) => person.reject(id, "it is my only copy") },
    edited: {
      ...shell("rm -r docs"),
      person: (person, { id }) => approveTyped(person, id, "", { edits: { command: "rm -r old" } }),
    },
    // Its folder is told as the session's; a shell of the model's choice is not started by its path.
    elsewhere: {
      tool: "exec_command",
      input: { cmd: "echo x > pre-commit", workdir: ".git/hooks", shell: "tools/bash" },
      person: (person, { id }) => person.reject(id, "not there"),
    },
    otherShell: { tool: "exec_command", input: { cmd: "ls", shell: "tools/bash" } },
  } satisfies Record<string, Step>;
  const has = (folder: string) => existsSync(join(world.project, folder));
  const heard = (name: keyof typeof steps) => told.heard[Object.keys(steps).indexOf(name)];

  beforeAll(async () => {
    world = await armed("build", "docs", "kept", "old", ".git/hooks");
    chmodSync(world.write("tools/bash", '#!/bin/sh\ntouch ran\nexec /bin/bash "$@"\n'), 0o755);
    const hooks = Object.fromEntries(
      ["PreToolUse", "Stop", "SessionStart"].map((event) => [event, [{ hooks: [recorder(world)] }]]),
    );
    mkdirSync(join(world.home, ".codex"));
    writeFileSync(join(world.home, ".codex", "hooks.json"), JSON.stringify({ hooks }));
    told = await drive(world, Object.values(steps), { start: (model) => startCodex(world, model), lastWords: codexHeard });
  });

  test("[HOOK-HOST-3] a harmless call runs, and only what matters became a ticket", async () => {
    expect(heard("harmless")).toContain("docs");
    expect((await world.tickets()).map(({ intent }) => intent.summary).reverse()).toEqual([
      "Run: rm -r build",
      "Run: rm -r kept",
      "Run: rm -r docs",
      "Run: echo x > pre-commit",
    ]);
  });

  test("[GATE-PATCH-1] a command is judged in the folder that it would run in, and no shell of the model's choice runs", async () => {
    const [ticket] = await world.tickets();
    expect(ticket).toMatchObject({ effects: ["gate_files", "write_inside"] });
    expect(ticket?.intent.details.cwd).toBe(join(world.project, ".git/hooks"));
    expect(heard("elsewhere")).toContain("not there");
    expect(heard("otherShell")).toContain("docs");
    expect([has(".git/hooks/pre-commit"), has("ran")]).toEqual([false, false]);
  });

  test("[HOOK-HOST-3, HOOK-WORDS-2] an approved call runs, and the model reads the person's words", () => {
    expect(has("build")).toBe(false);
    expect(heard("approved")).toContain("Approved by human:alex. They said: this once");
  });

  test("[HOOK-HOST-3] a rejected call does not run, and the model reads why", () => {
    expect(has("kept")).toBe(true);
    expect(heard("rejected")).toMatch(/Rejected by human:alex: do not do this\. They said: it is my only copy \(tk_/);
  });

  test("[HOOK-HOST-3] what the person changed runs in place of what was asked for", () => {
    expect([has("docs"), has("old")]).toEqual([true, false]);
    expect(heard("edited")).toContain("Approved with edits by human:alex");
  });

  test.each([
    ["a command", () => fixtures.bash(world.project, "ls"), "PreToolUse"],
    ["the end of a turn", () => fixtures.stop(world.project), "Stop"],
    ["the beginning", () => fixtures.sessionStart(world.project), "SessionStart"],
  ])("[HOOK-HOST-4] the fixture of %s has the fields that were sent", (_, fixture, event) => {
    expect(shapeOf(fixture())).toEqual(shapeOf(told.payloads.find(({ hook_event_name }) => hook_event_name === event)));
  });
});

test("[HOOK-HOST-3] what the guard lives to see is closed; what kills it is open", async () => {
  // The last one is quick: it is also what the end of the session runs.
  const faults: Record<string, string | null> = {
    killed: "process.kill(process.ppid, 'SIGKILL')",
    silent: "process.exit(0)",
    crashed: "throw new Error('broken')",
    missing: null,
  };
  const world = await armed(...Object.keys(faults));
  const path = join(world.project, ".codex", "hooks.json");
  const hook = join(world.home, "hook.cjs");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(HOOK, hook));
  const steps = Object.entries(faults).map(([folder, fault]) => ({
    ...shell(`rm -r ${folder}`),
    before: () => {
      rmSync(hook, { force: true });
      if (fault !== null) writeFileSync(hook, fault);
    },
  }));
  await drive(world, steps, { start: (model) => startCodex(world, model), lastWords: codexHeard });
  const gone = Object.keys(faults).filter((folder) => !existsSync(join(world.project, folder)));
  expect(gone).toEqual(["killed"]);
});

test("[HOOK-HOST-3] hooks that nobody has reviewed are not run at all", async () => {
  const world = await armed("build");
  const start = (model: Parameters<typeof startCodex>[1]) => startCodex(world, model, { trusted: false });
  await drive(world, [shell("rm -r build")], { start, lastWords: codexHeard });
  expect(existsSync(join(world.project, "build"))).toBe(false);
  expect(existsSync(world.store)).toBe(false);
});
