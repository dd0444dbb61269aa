// What users of Claude Code keep in files: instructions, commands, agents; and /compact.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, type Place, refuses, runYume, says, uses } from "./support/place.ts";

function put(place: Place, path: string, text: string): void {
  const file = path.startsWith("~/") ? join(place.home, path.slice(2)) : join(place.work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe("instructions", () => {
  it("[YUME-FILES-4] come from the user, the folders above and the folder, with imports, and from nowhere private", async () => {
    const place = await makePlace([says("Yes."), says("Yes.")]);
    put(place, "~/.claude/CLAUDE.md", "Of the user.");
    put(place, "CLAUDE.md", "Of the folder above.");
    put(
      place,
      "app/AGENTS.md",
      "For all agents. See @docs/style.md and `@not/imported.md`.\n@../../home/.ssh/id_key\n@~/private.md",
    );
    put(place, "app/docs/style.md", "Imported: tabs. @more.md");
    put(place, "app/docs/more.md", "Imported by an import.");
    put(place, "app/not/imported.md", "In code, so not imported.");
    put(place, "~/.ssh/id_key", "PRIVATE KEY");
    put(place, "~/private.md", "PRIVATE NOTE");
    await runYume(place, ["-p", "x"], "", { cwd: join(place.work, "app") });
    const asked = place.asked();
    for (const words of ["Of the user.", "Of the folder above.", "For all agents.", "Imported: tabs.", "Imported by an import."])
      expect(asked).toContain(words);
    expect(asked).not.toMatch(/PRIVATE|In code, so/);
    await runYume(place, ["-p", "x", "--setting-sources="], "", { cwd: join(place.work, "app") });
    expect(place.asked()).not.toMatch(/Of the user|For all agents/);
  });
});

describe("commands and agents", () => {
  it("[YUME-FILES-5] of .claude/commands are told to hosts and become their text", async () => {
    const place = await makePlace([says("Reviewed."), says("Plain.")]);
    put(
      place,
      ".claude/commands/review.md",
      "---\ndescription: Review a file\nargument-hint: <file>\n---\nReview $1 for $2. All: $ARGUMENTS",
    );
    put(place, "~/.claude/commands/mine/note.md", "Take a note.");
    const { frames } = await runYume(place, ["-p", "/review a.ts bugs", "--output-format", "stream-json"]);
    expect(frames[0]?.slash_commands).toEqual(["compact", "review", "mine:note"]);
    expect(place.asked()).toContain("Review a.ts for bugs. All: a.ts bugs");
    await runYume(place, ["-p", "/etc/hosts is what?"]);
    expect(place.asked()).toContain("/etc/hosts is what?");
  });

  it("[YUME-FILES-5] of .claude/agents are kinds of sub-agents with their own prompt and tools", async () => {
    const place = await makePlace([
      uses(["Task", { description: "look", prompt: "Look around", subagent_type: "scout" }]),
      says("I looked."),
      says("Done."),
    ]);
    put(
      place,
      ".claude/agents/scout.md",
      "---\nname: scout\ndescription: Looks around\ntools: Read, Grep\n---\nYou are the scout.",
    );
    const { frames } = await runYume(place, ["-p", "x", "--output-format", "stream-json"]);
    expect(frames[0]?.agents).toEqual(["general-purpose", "scout"]);
    expect(place.asked(1)).toContain("You are the scout.");
    expect(place.asked(1)).not.toContain('"name":"Bash"');
  });
});

describe("/compact", () => {
  const start = () => [
    uses(
      ["Write", { file_path: "plan.txt", content: "x" }],
      ["TodoWrite", { todos: [{ content: "ship it", status: "pending" }] }],
    ),
    says("Planned."),
  ];
  const first = [
    "-p",
    "Plan the work",
    "--session-id",
    "0b8a2f4e-0000-4000-8000-000000000001",
    "--permission-mode",
    "acceptEdits",
  ];
  const then = (prompt: string) => [
    "-p",
    prompt,
    "--resume",
    "0b8a2f4e-0000-4000-8000-000000000001",
    "--output-format",
    "stream-json",
  ];

  it("[YUME-LOOP-7] keeps the summary, the files, the open tasks and the user's words", async () => {
    const place = await makePlace([...start(), says("SUMMARY"), says("Going on.")]);
    await runYume(place, first);
    const { frames } = await runYume(place, then("/compact keep the plan"));
    expect(place.asked()).toContain("Also: keep the plan");
    expect(frames.find(({ subtype }) => subtype === "compact_boundary")).toMatchObject({
      compact_metadata: { trigger: "manual" },
    });
    expect(frames.at(-1)).toMatchObject({ subtype: "success" });
    await runYume(place, then("Go on"));
    const asked = place.asked();
    for (const words of ["SUMMARY", "plan.txt (changed", "ship it (pending)", "Plan the work", "Go on"])
      expect(asked).toContain(words);
    expect(asked).not.toContain('"tool_calls"');
  });

  it("[YUME-LOOP-7] that finds no summary is an error, and the history stays", async () => {
    const place = await makePlace([...start(), refuses(400, "no summary today"), says("Still here.")]);
    await runYume(place, first);
    const { frames, code } = await runYume(place, then("/compact"));
    expect(frames.at(-1)).toMatchObject({ is_error: true, errors: [expect.stringContaining("no summary today")] });
    expect(code).toBe(1);
    await runYume(place, then("Go on"));
    expect(place.asked()).toContain('"tool_calls"');
  });
});
