// Hooks of settings files, with the real claude and yume-cli side by side: what they are told has the same fields.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, runYume, says, startProgram, uses } from "./support/place.ts";
import { claudeEnvironment, realClaude } from "./support/real-claude.ts";

type Told = Record<string, unknown>;

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"];

/** Fields that only Claude tells: what its own application knows, and copies of what is in the file or the transcript. */
const ONLY_CLAUDE = new Set(
  "prompt_id structuredPatch originalFile totalLines noOutputExpected background_tasks session_crons replace_all".split(" "),
);

async function tell(which: "claude" | "yume"): Promise<Told[]> {
  const place = await makePlace([], "anthropic");
  const file_path = join(place.work, "a.txt");
  place.model.say(
    uses("I begin.", ["Write", { file_path, content: "one\ntwo\n" }]),
    uses(["Read", { file_path }]),
    uses(["Edit", { file_path, old_string: "one", new_string: "ONE" }]),
    uses(["Bash", { command: "echo out" }]),
    uses(["Bash", { command: "exit 3" }]),
    says("Done."),
  );
  const log = join(place.home, "told.jsonl");
  const hook = [{ hooks: [{ type: "command", command: `cat >> "${log}"; echo >> "${log}"` }] }];
  mkdirSync(join(place.home, ".claude"));
  writeFileSync(
    join(place.home, ".claude", "settings.json"),
    JSON.stringify({ hooks: Object.fromEntries(EVENTS.map((event) => [event, hook])) }),
  );
  const args = ["-p", "go", "--output-format", "json", "--permission-mode", "bypassPermissions"];
  if (which === "yume") await runYume(place, args);
  else {
    const env = { ...claudeEnvironment(place), IS_SANDBOX: "1" };
    const run = startProgram(realClaude(), [...args, "--model", "claude-sonnet-4-5"], place.work, env);
    run.process.stdin.end();
    await run.ended;
  }
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Told);
}

/** Every field with its type, also of objects inside; lists by their first entry. */
function shape(value: unknown, at = ""): string[] {
  if (Array.isArray(value) || typeof value !== "object" || value === null)
    return [`${at}: ${Array.isArray(value) ? "list" : value === null ? "null" : typeof value}`];
  return Object.entries(value)
    .filter(([name]) => !ONLY_CLAUDE.has(name))
    .flatMap(([name, inner]) => shape(inner, `${at}.${name}`));
}

const labelled = (told: readonly Told[]) =>
  told.map((one) => `${String(one.hook_event_name)} ${String(one.tool_name ?? "")}`.trim());

describe("hooks of settings files", () => {
  it("[YUME-HOOKS-2] are told in the same order and with the same fields as by claude", async () => {
    const [claude, yume] = [await tell("claude"), await tell("yume")];
    expect(labelled(yume)).toEqual(labelled(claude));
    for (const [index, one] of claude.entries()) {
      const ours = shape(yume[index]);
      const missing = shape(one).filter((field) => !ours.includes(field));
      expect([labelled([one])[0], missing]).toEqual([labelled([one])[0], []]);
    }
    const read = yume.find((one) => one.hook_event_name === "PostToolUse" && one.tool_name === "Read");
    expect(read?.tool_response).toMatchObject({ file: { content: expect.stringMatching(/^one\ntwo/) } });
  });

  it("[YUME-HOOKS-2] see absolute paths, whatever the model wrote", async () => {
    const place = await makePlace([
      uses(["Read", { file_path: "src/../secret.txt" }], ["Write", { file_path: "./secret.txt", content: "x" }]),
      says("Refused."),
    ]);
    mkdirSync(join(place.work, "src"));
    writeFileSync(join(place.work, "secret.txt"), "swordfish");
    mkdirSync(join(place.home, ".claude"));
    // As such guards are written: a look at the path, nothing else.
    const guard = `grep -q '"file_path":"${join(place.work, "secret.txt")}"' && { echo not this file >&2; exit 2; }; exit 0`;
    const hooks = { PreToolUse: [{ matcher: "Read|Write", hooks: [{ type: "command", command: guard }] }] };
    writeFileSync(join(place.home, ".claude", "settings.json"), JSON.stringify({ hooks }));
    const { frames } = await runYume(place, ["-p", "go", "--output-format", "json", "--permission-mode", "bypassPermissions"]);
    expect(frames[0]?.permission_denials).toHaveLength(2);
    expect(place.asked()).not.toContain("swordfish");
  });
});
