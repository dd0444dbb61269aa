// The real Claude Code behind the real gate: what runs, what does not, and what its model reads. Only the model is a script.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { claudePayloads as fixtures } from "../packages/doors/hook/test/fixtures/claude-payloads.ts";
import { HOOK, World } from "../packages/doors/hook/test/world.ts";
import { approveTyped } from "./support/approve-typed.ts";
import { claudeHeard, startClaude } from "./support/claude-code.ts";
import { NOBODY, ownEtc, withEtc } from "./support/own-etc.ts";
import { arm, drive, recorder, type Step, shapeOf, type Told } from "./support/scripted-host.ts";

const bash = (command: string): Step => ({ tool: "Bash", input: { command, description: "Run it" } });
/** What our MCP server asks for: one line of text. */
const form = { type: "object", properties: { answer: { type: "string", title: "t" } }, required: ["answer"] };
const events = ["PreToolUse", "PermissionRequest", "Elicitation", "Stop", "SessionStart", "SessionEnd"];

const noDialog = () => ({ behavior: "deny", message: "no" });

/** Where folders are that the sandbox does not hold: deleting one asks, whether it is on or off. */
const BESIDE = "../beside";

/** A project, and folders to delete. */
function projectWith(place: string, ...folders: string[]): World {
  const world = new World();
  for (const folder of folders) mkdirSync(join(world.project, place, folder), { recursive: true });
  return world;
}

describe.each([
  ["without the sandbox", "off", "."],
  ["with the sandbox, for what needs the outside", "auto", BESIDE],
])("a session behind the gate, %s", (_, confine, place) => {
  const world = projectWith(place, "build", "docs", "kept", "old");
  world.write(".hap/policy.json", JSON.stringify({ version: 1, confine }));
  const at = (folder: string) => join(place, folder);
  const has = (folder: string) => existsSync(join(world.project, place, folder));
  const asked: string[] = [];
  const [question] = fixtures.question(world.project).tool_input.questions;
  const steps = {
    harmless: bash("ls"),
    approved: { ...bash(`rm -rf ${at("build")}`), person: (person, { id }) => approveTyped(person, id, "this once") },
    rejected: { ...bash(`rm -rf ${at("kept")}`), person: (person, { id }) => person.reject(id, "it is my only copy") },
    edited: {
      ...bash(`rm -rf ${at("docs")}`),
      person: (person, { id }) => approveTyped(person, id, "", { edits: { command: `rm -rf ${at("old")}` } }),
    },
    question: {
      tool: "AskUserQuestion",
      input: { questions: [question] },
      person: (person, { id }) => person.answer(id, { type: "choice", choices: ["2"] }),
    },
    ruled: bash("touch ruled"),
    relayed: { tool: "mcp__hap__hap_ask", input: { question: "Which colour?" } },
    wrote: { tool: "Write", input: { file_path: join(world.project, "src/new.ts"), content: "export {};\n" } },
  } satisfies Record<string, Step>;
  let told: Told;
  const heard = (name: keyof typeof steps) => told.heard[Object.keys(steps).indexOf(name)];
  const sent = (event: string, tool?: string) =>
    told.payloads.find(({ hook_event_name, tool_name }) => hook_event_name === event && tool_name === tool);

  beforeAll(async () => {
    await arm(world, "claude");
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [recorder(world)] }]]));
    world.write(".claude/settings.json", JSON.stringify({ permissions: { ask: ["Bash(touch *)"] }, hooks }));
    const dialog = ({ subtype, tool_name }: { subtype: string; tool_name?: string }) => {
      asked.push(tool_name ?? subtype);
      if (subtype === "elicitation") return { action: "accept", content: { answer: "green" } };
      return { behavior: "deny", message: "the host's own person says no" };
    };
    const start = (model: Parameters<typeof startClaude>[1]) => startClaude(world, model, dialog);
    told = await drive(world, Object.values(steps), { start, lastWords: claudeHeard });
  });

  test("[HOOK-HOST-1] a harmless call runs, and only what matters became a ticket", async () => {
    expect(heard("harmless")).toContain("src");
    expect((await world.tickets()).map(({ intent }) => intent.summary).reverse()).toEqual([
      `Run: rm -rf ${at("build")}`,
      `Run: rm -rf ${at("kept")}`,
      `Run: rm -rf ${at("docs")}`,
      question.question,
      "Which colour?",
    ]);
  });

  test("[HOOK-HOST-1, HOOK-WORDS-2] an approved call runs, and the model reads the person's words", () => {
    expect(has("build")).toBe(false);
    expect(heard("approved")).toContain("Approved by human:alex. They said: this once");
  });

  test("[HOOK-HOST-1] a rejected call does not run, and the model reads why", () => {
    expect(has("kept")).toBe(true);
    expect(heard("rejected")).toMatch(/Rejected by human:alex: do not do this\. They said: it is my only copy \(tk_/);
  });

  test("[HOOK-HOST-1] what the person changed runs in place of what was asked for", () => {
    expect([has("docs"), has("old")]).toEqual([true, false]);
    expect(heard("edited")).toContain("Approved with edits by human:alex");
  });

  test("[HOOK-HOST-1, HOOK-QUESTION-1] a question is answered from the inbox", () => {
    expect(heard("question")).toContain(`\\"${question.question}\\"=\\"Temporal\\"`);
  });

  test("[HOOK-PERMISSION-2] where the host's own rule wants a person, its own dialog is asked", () => {
    expect(asked).toContain("Bash");
    expect(heard("ruled")).toContain("the host's own person says no");
    expect(has("ruled")).toBe(false);
  });

  test("[HOOK-ELICIT-2] what our MCP server asks stands in the inbox once, and the host's form may answer it", () => {
    expect(asked).toContain("elicitation");
    expect(heard("relayed")).toContain("green");
  });

  test.each([
    ["a command", () => fixtures.bash(world.project, "ls"), ["PreToolUse", "Bash"]],
    ["a file", () => fixtures.write(world.project, "a", "b"), ["PreToolUse", "Write"]],
    ["a question", () => fixtures.question(world.project), ["PreToolUse", "AskUserQuestion"]],
    ["a permission", () => fixtures.permission(world.project, "ls"), ["PermissionRequest", "Bash"]],
    ["a form", () => fixtures.elicitation(world.project, form), ["Elicitation"]],
    ["the end of a turn", () => fixtures.stop(world.project), ["Stop"]],
    ["the beginning", () => fixtures.sessionStart(world.project), ["SessionStart"]],
    ["the end", () => fixtures.sessionEnd(world.project), ["SessionEnd"]],
  ] as const)("[HOOK-HOST-4] the fixture of %s has the fields that were sent", (_, fixture, [event, tool]) => {
    expect(shapeOf(fixture())).toEqual(shapeOf(sent(event, tool)));
  });
});

test("[HOOK-HOST-2] whatever happens to the hook, nothing runs without it", async () => {
  // The last one is quick: it is also what the end of the session runs.
  const faults: Record<string, string | null> = {
    stuck: "setTimeout(() => {}, 60_000)",
    killed: "process.kill(process.ppid, 'SIGKILL')",
    silent: "process.exit(0)",
    noisy: "console.log('all fine')",
    crashed: "throw new Error('broken')",
    missing: null,
  };
  const folders = Object.keys(faults);
  const world = projectWith(BESIDE, ...folders);
  await arm(world, "claude");
  const path = join(world.project, ".claude", "settings.local.json");
  const hook = join(world.home, "hook.cjs");
  // A link in place of the hook, to be exchanged as the session goes on, and a host that is out of patience soon.
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(HOOK, hook).replaceAll('"timeout": 620', '"timeout": 2'));
  symlinkSync(HOOK, hook);
  const steps = folders.map((folder) => ({
    ...bash(`rm -rf ${join(BESIDE, folder)}`),
    before: () => {
      rmSync(hook);
      const fault = faults[folder];
      if (typeof fault === "string") writeFileSync(hook, fault);
    },
  }));
  const start = (model: Parameters<typeof startClaude>[1]) => startClaude(world, model, noDialog);
  const { heard } = await drive(world, steps, { start, lastWords: claudeHeard });
  expect(folders.filter((folder) => !existsSync(join(world.project, BESIDE, folder)))).toEqual([]);
  for (const words of heard) expect(words).toContain('"is_error":true');
});

test("[DOCTOR-ENFORCED-1] a gate in managed settings holds although the project switches hooks off", async () => {
  const etc = ownEtc();
  const world = projectWith(BESIDE, "kept");
  await arm(world, "claude", ["--managed", "--wait", "1s"], (command) => withEtc(etc, 0, command));
  world.write(".claude/settings.json", JSON.stringify({ disableAllHooks: true, permissions: { allow: ["Bash"] } }));
  spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, world.home]);
  const asUser = (command: readonly string[]) => withEtc(etc, NOBODY, command);
  const start = (model: Parameters<typeof startClaude>[1]) => startClaude(world, model, noDialog, asUser);
  const { heard } = await drive(world, [bash(`rm -rf ${join(BESIDE, "kept")}`)], { start, lastWords: claudeHeard });
  expect(existsSync(join(world.project, BESIDE, "kept"))).toBe(true);
  expect(heard[0]).toContain("Still pending, tk_");
});
