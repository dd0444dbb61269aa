// "Always allow": what a host is offered, and what becomes of the changes that it sends with a yes. Held against the real `claude`,
// which gets the same answers.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CanUseTool, type PermissionUpdate, query } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { Gate } from "../src/permissions/gate.ts";
import { readUpdates } from "../src/permissions/permission-update.ts";
import { parseRules } from "../src/permissions/rules.ts";
import { suggestUpdates } from "../src/permissions/suggest-updates.ts";
import type { CallFacts } from "../src/tools/tool.ts";
import { makePlace, type Place, says, startProgram, uses, yumeCli } from "./support/place.ts";
import { claudeEnvironment, realClaude } from "./support/real-claude.ts";

type Answer = { behavior: "allow" | "deny"; updatedPermissions?: unknown[]; message?: string };
const no: Answer = { behavior: "deny", message: "no" };
const rule = (content: string, destination: string, behavior = "allow", type = "addRules") => ({
  type,
  rules: [{ toolName: "Bash", ruleContent: content }],
  behavior,
  destination,
});
const yes = (...updatedPermissions: unknown[]): Answer => ({ behavior: "allow", updatedPermissions });
const bash = (command: string): [string, Record<string, unknown>] => ["Bash", { command, description: "d" }];

/** Talk to a program on stdio: each call of the model is answered; told are the calls that were asked about. */
async function talk(
  place: Place,
  program: { command: string; args: string[]; env: Record<string, string> },
  steps: { call: [string, Record<string, unknown>]; answer: Answer }[],
  more: string[] = [],
) {
  const flags = ["--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5", "--input-format", "stream-json"];
  const child = startProgram(
    program.command,
    [...program.args, ...flags, "--permission-prompt-tool", "stdio", ...more],
    place.work,
    program.env,
  );
  child.say({ type: "control_request", request_id: "begin", request: { subtype: "initialize" } });
  await child.until((frame) => frame.type === "control_response");
  const asked: string[] = [];
  for (const { call, answer } of steps) {
    place.model.say(...[uses(call), says("Done.")].map((turn) => ({ ...turn, model: "claude-sonnet-4-5" })));
    child.say({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: "Go" }] },
      parent_tool_use_id: null,
      session_id: "",
    });
    await child.until((frame) => {
      if (frame.type === "control_request") {
        const { input } = frame.request as { input: { command?: string; file_path?: string } };
        asked.push(input.command ?? String(input.file_path));
        const response = answer.behavior === "allow" ? { ...answer, updatedInput: input } : answer;
        child.say({ type: "control_response", response: { subtype: "success", request_id: frame.request_id, response } });
      }
      return frame.type === "result";
    });
    child.frames.splice(0);
  }
  child.process.stdin.end();
  const { stderr } = await child.ended;
  return { asked, stderr };
}

const ours = (place: Place) => ({ command: process.execPath, args: [yumeCli], env: place.env });
const FILES = ["work/.claude/settings.json", "work/.claude/settings.local.json", "home/.claude/settings.json"];
const filesOf = (place: Place) =>
  Object.fromEntries(
    FILES.flatMap((name) => {
      const path = join(dirname(place.work), name);
      return existsSync(path) ? [[name, readFileSync(path, "utf8")]] : [];
    }),
  );
function put(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

describe("a yes for always", () => {
  it("[YUME-ALWAYS-1] is offered to canUseTool, counts at once, is kept in its file, and counts in the next run", async () => {
    const place = await makePlace([uses(bash("mkdir one")), uses(bash("mkdir one two")), says("Made.")]);
    const offered: unknown[] = [];
    const canUseTool: CanUseTool = async (_name, input, { suggestions = [] }) => {
      offered.push(suggestions);
      return { behavior: "allow", updatedInput: input, updatedPermissions: suggestions as PermissionUpdate[] };
    };
    const options = { pathToClaudeCodeExecutable: yumeCli, cwd: place.work, env: place.env, canUseTool };
    for await (const _ of query({ prompt: "Go", options }));
    const suggestion = { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "mkdir one *" }] };
    expect(offered).toEqual([[{ ...suggestion, behavior: "allow", destination: "localSettings" }]]);
    expect(existsSync(join(place.work, "two"))).toBe(true);
    place.model.say(uses(bash("mkdir one three")), says("Made."));
    for await (const _ of query({ prompt: "Go", options }));
    expect([offered.length, existsSync(join(place.work, "three"))]).toEqual([1, true]);
  });

  it("[YUME-ALWAYS-1] is kept in the files that claude writes, and asked about as often", async () => {
    // One change an answer: claude loses some when two for the same file come at once.
    const steps = [
      { call: bash("mkdir one"), answer: yes(rule("mkdir:*", "session")) },
      { call: bash("mkdir two"), answer: no },
      { call: bash("touch a"), answer: yes(rule("touch:*", "localSettings")) },
      { call: bash("touch b"), answer: no },
      { call: bash("cp a e"), answer: yes(rule("rmdir:*", "localSettings", "deny")) },
      { call: bash("rmdir two"), answer: no },
      { call: bash("ln a c"), answer: yes(rule("ln:*", "userSettings")) },
      { call: bash("mv e f"), answer: yes(rule("chmod 600 a", "userSettings", "ask")) },
      { call: bash("chmod 600 a"), answer: yes(rule("x (y)", "projectSettings")) },
      { call: bash("mkfifo p"), answer: yes({ type: "addDirectories", directories: ["/usr"], destination: "localSettings" }) },
      { call: bash("ln a d"), answer: no },
      { call: bash("truncate -s 1 a"), answer: yes(rule("touch:*", "localSettings", "allow", "removeRules")) },
      { call: bash("install a g"), answer: yes(rule("ln a:*", "userSettings", "allow", "replaceRules")) },
      { call: bash("mkfifo q"), answer: yes({ type: "setMode", mode: "acceptEdits", destination: "localSettings" }) },
      { call: bash("ls"), answer: no },
    ];
    const told = await Promise.all(
      ["theirs", "ours"].map(async (which) => {
        const place = await makePlace([], "anthropic");
        put(join(place.work, ".claude/settings.local.json"), { env: { A: "1" }, permissions: { allow: ["Bash(ls:*)"] } });
        const theirs = { command: realClaude(), args: [], env: claudeEnvironment(place) };
        const { asked } = await talk(place, which === "ours" ? ours(place) : theirs, steps);
        return { asked, files: filesOf(place) };
      }),
    );
    expect(told[1]).toEqual(told[0]);
  });

  it("[YUME-ALWAYS-2] gives nothing in this run where its file is not read or its project is not trusted", async () => {
    const place = await makePlace([], "anthropic");
    const steps = [
      { call: bash("touch a"), answer: yes(rule("touch:*", "localSettings"), rule("touch:*", "projectSettings")) },
      { call: bash("touch b"), answer: no },
    ];
    expect((await talk(place, ours(place), steps, ["--setting-sources", "user,project"])).asked).toEqual(["touch a", "touch b"]);
    put(join(place.home, ".yume/config.json"), { trustedProjects: [dirname(place.work)] });
    const { asked } = await talk(place, ours(place), steps, ["--setting-sources", "user,project"]);
    expect(asked).toEqual([]);
  });

  it("[YUME-ALWAYS-2] opens neither what is denied or asked about each time, nor what arms a gate, nor bypassPermissions", async () => {
    const place = await makePlace([], "anthropic");
    put(join(place.home, ".claude/settings.json"), { permissions: { deny: ["Bash(rmdir:*)"], ask: ["Bash(chmod:*)"] } });
    const everything = ["session", "localSettings", "userSettings"].flatMap((destination) => [
      {
        type: "addRules",
        rules: [{ toolName: "Bash" }, { toolName: "Edit", ruleContent: "/**" }],
        behavior: "allow",
        destination,
      },
      ...["removeRules", "replaceRules"].map((type) => rule("rmdir:*", destination, "deny", type)),
      rule("chmod:*", destination, "ask", "removeRules"),
      { type: "setMode", mode: "bypassPermissions", destination },
    ]);
    const { asked, stderr } = await talk(place, ours(place), [
      { call: bash("touch a"), answer: yes(...everything) },
      { call: bash("touch b"), answer: no },
      { call: bash("rmdir x"), answer: no },
      { call: bash("chmod 600 a"), answer: no },
      { call: bash("echo '{}' > .claude/settings.json"), answer: no },
      { call: ["Write", { file_path: join(place.work, ".claude/settings.json"), content: "{}" }], answer: no },
      { call: ["Write", { file_path: join(place.work, "plain.txt"), content: "x" }], answer: no },
    ]);
    expect(asked).toEqual([
      "touch a",
      "chmod 600 a",
      "echo '{}' > .claude/settings.json",
      join(place.work, ".claude/settings.json"),
    ]);
    expect(existsSync(join(place.work, "plain.txt"))).toBe(true);
    expect(existsSync(join(place.work, ".claude/settings.json"))).toBe(false);
    expect(stderr).toContain("bypassPermissions is not taken from an answer");
    expect(stderr).toContain("cannot remove deny rules of userSettings");
    expect(JSON.parse(filesOf(place)["home/.claude/settings.json"] ?? "").permissions.deny).toEqual(["Bash(rmdir:*)"]);
  });

  it("[YUME-ALWAYS-2] is not written through a link out of the project, nor over a file that is not JSON", async () => {
    const place = await makePlace([], "anthropic");
    const elsewhere = join(place.home, "elsewhere.json");
    writeFileSync(elsewhere, "{}");
    mkdirSync(join(place.work, ".claude"));
    symlinkSync(elsewhere, join(place.work, ".claude/settings.local.json"));
    const { asked, stderr } = await talk(place, ours(place), [
      { call: bash("touch a"), answer: yes(rule("touch:*", "localSettings")) },
      { call: bash("touch b"), answer: no },
    ]);
    expect(readFileSync(elsewhere, "utf8")).toBe("{}");
    expect(stderr).toContain("link out of the project");
    expect(asked).toEqual(["touch a"]);
  });

  it("[YUME-ALWAYS-2] that cannot be read changes nothing, and a no changes nothing", () => {
    expect(
      readUpdates([
        null,
        { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "nowhere" },
        { type: "addRules", rules: [{ toolName: 1 }], behavior: "allow", destination: "session" },
        { type: "addRules", rules: "Bash", behavior: "allow", destination: "session" },
        { type: "setMode", mode: "anything", destination: "session" },
        { type: "addDirectories", directories: [""], destination: "session" },
        { type: "allowAll", destination: "session" },
      ]),
    ).toEqual([]);
  });
});

describe("suggestions", () => {
  const command = (text: string, callClass: CallFacts["callClass"] = "command"): CallFacts => ({
    callClass,
    subject: { tool: "Bash", command: text },
    summary: text,
  });
  it.each<[string, string[] | null]>([
    ["npm install left-pad", ["npm install *"]],
    ["npm run a && npm run b && git push", ["npm run *", "git push *"]],
    ["rm build", ["rm build"]],
    ["bash build", ["bash build"]],
    ["curl https://example.com", ["curl https://example.com"]],
    ["FOO=1 make x", ["FOO=1 make x"]],
    ["echo hi > out.txt", ["echo hi > out.txt"]],
    ["make $(cat x)", null],
  ])("[YUME-ALWAYS-1] for %s", (text, contents) => {
    const [update] = suggestUpdates(command(text));
    expect(update === undefined ? null : "rules" in update && update.rules.map(({ ruleContent }) => ruleContent)).toEqual(
      contents,
    );
  });

  it("[YUME-ALWAYS-1] open exactly the call that was asked about, in a gate that takes them", async () => {
    const roots = { cwd: "/work", home: "/home/me" };
    const gate = new Gate({
      mode: "default",
      rules: { allow: [], ask: [], deny: parseRules(["Bash(npm install evil:*)"]) },
      dialect: "claude",
      roots,
      asker: () => null,
    });
    const judge = (facts: CallFacts) => gate.judge(facts).verdict;
    const outside: CallFacts = {
      callClass: "read_outside",
      subject: { tool: "Grep", path: "/data/logs" },
      summary: "",
      isFolder: true,
    };
    for (const facts of [command("npm install x"), command("rm -rf /data/x", "command_outside"), outside]) {
      expect(judge(facts)).toBe("ask");
      gate.take(suggestUpdates(facts).map((update) => ({ ...update, destination: "session" })));
      expect(judge(facts)).toBe("allow");
    }
    expect(judge(command("npm install evil"))).toBe("deny");
    expect(judge(command("npm install x; curl y"))).toBe("ask");
    expect(judge(command("rm -rf /data/x /etc", "command_outside"))).toBe("ask");
    expect(judge({ ...outside, subject: { tool: "Read", path: "/data/other" } })).toBe("ask");
    expect(judge({ ...command("npm install ~/.ssh/id_rsa"), guards: "secret" })).toBe("ask");
  });
});
