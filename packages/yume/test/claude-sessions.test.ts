// Sessions in Claude's layout: the SDK lists, shows, forks and loads what yume-cli wrote.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forkSession, getSessionMessages, listSessions, query } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, expect, it, vi } from "vitest";
import { makePlace, type Place, runYume, says, uses, yumeCli } from "./support/place.ts";

afterEach(() => vi.unstubAllEnvs());

async function ask(place: Place, prompt: string, resume?: string): Promise<string> {
  let id = "";
  for await (const message of query({
    prompt,
    options: {
      pathToClaudeCodeExecutable: yumeCli,
      cwd: place.work,
      env: place.env,
      settingSources: [],
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
      ...(resume === undefined ? {} : { resume }),
    },
  }))
    id = message.session_id ?? id;
  return id;
}

it("[YUME-SESSION-8] of Claude's SDK are listed, shown, forked and loaded", async () => {
  const place = await makePlace([
    uses("I make two.", ["Write", { file_path: "a.txt", content: "1" }], ["Write", { file_path: "b.txt", content: "2" }]),
    says("Both are made."),
    says("You asked for files."),
    says("In the copy, too."),
  ]);
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(place.home, ".claude"));
  const id = await ask(place, "Make two files");
  expect(await ask(place, "What did I ask for?", id)).toBe(id);
  const [info, ...others] = await listSessions({ dir: place.work });
  expect(others).toEqual([]);
  expect(info).toMatchObject({ sessionId: id, firstPrompt: "Make two files", cwd: place.work });
  const messages = await getSessionMessages(id, { dir: place.work });
  expect(messages.map(({ type }) => type)).toEqual([
    "user",
    "assistant",
    "assistant",
    "assistant",
    "user",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(JSON.stringify(messages)).toContain("Both are made.");
  const { sessionId } = await forkSession(id, { dir: place.work });
  await ask(place, "And here?", sessionId);
  for (const words of ["Make two files", "a.txt", "You asked for files.", "And here?"]) expect(place.asked()).toContain(words);
});

it("[YUME-SESSION-8] are told to hooks by their path", async () => {
  const place = await makePlace([uses(["Bash", { command: "true" }]), says("Done.")]);
  const command = "cat > seen.json";
  const settings = JSON.stringify({ hooks: { PostToolUse: [{ hooks: [{ type: "command", command }] }] } });
  await runYume(place, ["-p", "x", "--settings", settings, "--dangerously-skip-permissions"]);
  const { transcript_path } = JSON.parse(readFileSync(join(place.work, "seen.json"), "utf8"));
  expect(readFileSync(transcript_path, "utf8")).toContain('"name":"Bash"');
});
