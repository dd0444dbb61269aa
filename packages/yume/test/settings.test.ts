// Settings files as Claude Code has them: rules, variables and command hooks, in the real command.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, type Place, runYume, says, uses } from "./support/place.ts";

const bypass = ["-p", "go", "--output-format", "stream-json", "--dangerously-skip-permissions"];

function put(place: Place, path: string, value: unknown): void {
  const file = join(path.startsWith("~/") ? place.home : place.work, path.replace(/^~\//, ""));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

const before = (command: string, more: object = {}) => ({
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command, ...more }] }] },
});
const touch = () => uses(["Bash", { command: "touch ran" }]);

describe("settings files", () => {
  it.each([
    ["user", "~/.claude/settings.json"],
    ["project", ".claude/settings.json"],
    ["local", ".claude/settings.local.json"],
  ])("[YUME-SETTINGS-1] of the %s forbid in every mode, unless --setting-sources leaves them out", async (_, path) => {
    const place = await makePlace([touch(), says("No."), touch(), says("Yes.")]);
    put(place, path, { permissions: { deny: ["Bash(touch:*)"] } });
    const { frames } = await runYume(place, bypass);
    expect(frames.at(-1)?.permission_denials).toHaveLength(1);
    expect(existsSync(join(place.work, "ran"))).toBe(false);
    await runYume(place, [...bypass, "--setting-sources="]);
    expect(existsSync(join(place.work, "ran"))).toBe(true);
  });

  it("[YUME-SETTINGS-2] of a project set variables of commands, not of the program or of hooks", async () => {
    const place = await makePlace([uses(["Bash", { command: "echo $COLOR/$HAP_MODE" }]), says("Done.")]);
    put(place, "~/.claude/settings.json", before("echo $COLOR/$HAP_MODE/$MINE > hook.txt; exit 0"));
    put(place, ".claude/settings.json", { env: { COLOR: "red", HAP_MODE: "off", OPENAI_BASE_URL: "http://127.0.0.1:1" } });
    const { code, stderr } = await runYume(place, bypass, "", { env: { MINE: "1" } });
    expect(code).toBe(0);
    expect(place.asked()).toContain("red/");
    expect(place.asked()).not.toContain("red/off");
    expect(readFileSync(join(place.work, "hook.txt"), "utf8")).toBe("//1\n");
    expect(stderr).toContain("sets HAP_MODE");
  });

  it("[YUME-SETTINGS-1] that are not JSON end the run before anything is asked", async () => {
    const place = await makePlace([says("never")]);
    put(place, ".claude/settings.json", "{");
    const { code, stdout } = await runYume(place, bypass);
    expect([code, place.model.requests.length]).toEqual([1, 0]);
    expect(stdout).toContain("are not a JSON object");
  });

  it("[YUME-CONFIG-1] of the user's own configuration choose provider, model, endpoint, price and the command for the key", async () => {
    const place = await makePlace([says("Hello.")]);
    const { OPENAI_BASE_URL = "", ...env } = place.env;
    for (const name of ["OPENAI_API_KEY", "YUME_PROVIDER", "YUME_MODEL"]) delete env[name];
    place.env = env;
    put(place, "~/.yume/config.json", {
      provider: "openai",
      model: "my-model",
      providers: { openai: { apiBase: OPENAI_BASE_URL, wire: "chat", keyCommand: "echo key-of-the-command" } },
      prices: { "my-model": { input: 1_000_000, output: 0 } },
    });
    const { frames } = await runYume(place, ["-p", "x", "--output-format", "json"]);
    expect(place.model.requests[0]?.headers.authorization).toBe("Bearer key-of-the-command");
    expect(place.model.requests[0]?.body.model).toBe("my-model");
    expect(Number(frames[0]?.total_cost_usd)).toBeGreaterThan(0);
  });
});

describe("command hooks", () => {
  it.each<[string, string, object, string | null]>([
    ["exit 2 blocks with its words", "echo not on my watch >&2; exit 2", {}, "not on my watch"],
    [
      "JSON that denies blocks",
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no touching"}}'`,
      {},
      "no touching",
    ],
    ["a missing program blocks", "/no/such/guard", {}, "a hook failed"],
    ["a killed one blocks", "kill -9 $$", {}, "a hook failed"],
    ["one that takes too long blocks", "sleep 60", { timeout: 0.2 }, "did not answer within"],
    ["a type that cannot be run blocks", "", { type: "prompt", prompt: "is this fine?" }, "not supported"],
    ["half an answer blocks", `printf '{"hookSpecificOutput":'`, {}, "cannot be read"],
    ["exit 1 is passed over, as in Claude Code", "exit 1", {}, null],
    ["exit 1 blocks when onFailure says so", "exit 1", { onFailure: "block" }, "a hook failed"],
    ["exit 0 lets it pass", "true", {}, null],
  ])("[YUME-HOOKS-1] %s", async (_, command, more, words) => {
    const place = await makePlace([touch(), says("Done.")]);
    put(place, "~/.claude/settings.json", before(command, more));
    await runYume(place, bypass);
    expect(existsSync(join(place.work, "ran"))).toBe(words === null);
    if (words !== null) expect(place.asked()).toContain(words);
  });

  it("[YUME-HOOKS-1] get the event on standard input, change the input, and speak to the model", async () => {
    const place = await makePlace([touch(), says("Done.")]);
    const changed = JSON.stringify({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: { command: "touch other" } },
    });
    writeFileSync(join(place.work, "changed.json"), changed);
    const settings = before('tee "$CLAUDE_PROJECT_DIR/seen.json" > /dev/null; cat changed.json').hooks;
    put(place, "~/.claude/settings.json", {
      hooks: {
        ...settings,
        SessionStart: [{ hooks: [{ type: "command", command: "echo the session starts" }] }],
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo said with the prompt" }] }],
        PostToolUse: [{ matcher: "Bash|Edit", hooks: [{ type: "command", command: "echo check the style >&2; exit 2" }] }],
        SessionEnd: [{ hooks: [{ type: "command", command: "touch ended" }] }],
      },
    });
    await runYume(place, ["-p", "go", "--output-format", "stream-json"]);
    expect(JSON.parse(readFileSync(join(place.work, "seen.json"), "utf8"))).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch ran" },
      cwd: place.work,
      permission_mode: "default",
    });
    expect([existsSync(join(place.work, "ran")), existsSync(join(place.work, "other"))]).toEqual([false, true]);
    for (const words of ["the session starts", "said with the prompt", "check the style"]) expect(place.asked()).toContain(words);
    expect(existsSync(join(place.work, "ended"))).toBe(true);
  });

  it("[YUME-HOOKS-1] answer a permission request before anybody is asked", async () => {
    const place = await makePlace([touch(), says("Done.")]);
    const answer = JSON.stringify({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
    writeFileSync(join(place.work, "answer.json"), answer);
    put(place, "~/.claude/settings.json", {
      hooks: { PermissionRequest: [{ matcher: "Bash", hooks: [{ type: "command", command: "cat answer.json" }] }] },
    });
    await runYume(place, ["-p", "go"]);
    expect(existsSync(join(place.work, "ran"))).toBe(true);
  });
});
