// Golden transcripts of both dialects: the same model, the same events, two encodings.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { golden } from "./support/golden.ts";
import { type Frame, makePlace, type Place, refuses, says, startYume, uses } from "./support/place.ts";

const DIALECTS = {
  yume: {
    args: ["start", "--session-id", "golden", "--provider", "openai"],
    prompt: (text: string) => ({ type: "user", content: text }),
    interrupt: { type: "interrupt" },
    resumed: ["--provider", "openai", "--resume"],
  },
  claude: {
    args: ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
    prompt: (text: string) => ({
      type: "user",
      message: { role: "user", content: [{ type: "text", text }] },
      parent_tool_use_id: null,
      session_id: "",
    }),
    interrupt: { type: "control_request", request_id: "one", request: { subtype: "interrupt" } },
    resumed: ["--output-format", "stream-json", "--input-format", "stream-json", "--resume"],
  },
} as const;

/** One prompt, one turn, then the host closes its end. */
async function turn(
  place: Place,
  args: readonly string[],
  prompt: object,
  during?: (frame: Frame) => object | null,
): Promise<{ frames: Frame[]; code: number | null }> {
  const started = startYume(place, args);
  started.say(prompt as Record<string, unknown>);
  if (during !== undefined) {
    const seen = await started.until((frame) => during(frame) !== null);
    started.say(during(seen) as Record<string, unknown>);
  }
  await started.until((frame) => frame.type === "result");
  started.process.stdin.end();
  return started.ended;
}

describe.each(Object.entries(DIALECTS))("the transcript in the %s dialect", (dialect, { args, prompt, interrupt, resumed }) => {
  const file = (name: string) => `./golden/${dialect}-${name}.jsonl`;

  it("[YUME-DIALECT-1] of an answer in words", async () => {
    const place = await makePlace([says("Hello there.")]);
    const { frames, code } = await turn(place, args, prompt("Hi"));
    expect(code).toBe(0);
    await expect(golden(frames, place)).toMatchFileSnapshot(file("text"));
  });

  it("[YUME-DIALECT-1] of one tool", async () => {
    const place = await makePlace([uses("I look.", ["Read", { file_path: "note.txt" }]), says("It says ä 👋.")]);
    writeFileSync(join(place.work, "note.txt"), "ä 👋\n");
    const { frames } = await turn(place, args, prompt("Read the note"));
    await expect(golden(frames, place)).toMatchFileSnapshot(file("one-tool"));
  });

  it("[YUME-DIALECT-1, YUME-LOOP-2] of many tools", async () => {
    const place = await makePlace([
      uses(
        ["LS", {}],
        ["Grep", { pattern: "needle" }],
        ["Edit", { file_path: "a.txt", old_string: "needle", new_string: "pin" }],
      ),
      uses(["Bash", { command: "cat a.txt" }]),
      says("Done."),
    ]);
    writeFileSync(join(place.work, "a.txt"), "a needle\n");
    const { frames } = await turn(place, [...args, "--permission-mode", "acceptEdits"], prompt("Find the needle"));
    await expect(golden(sortParallel(frames), place)).toMatchFileSnapshot(file("many-tools"));
  });

  it("[YUME-DIALECT-1] of a tool's error", async () => {
    const place = await makePlace([uses(["Read", { file_path: "missing.txt" }]), says("It is not there.")]);
    const { frames } = await turn(place, args, prompt("Read"));
    await expect(golden(frames, place)).toMatchFileSnapshot(file("tool-error"));
  });

  it("[YUME-DIALECT-1, YUME-LOOP-4] of an interruption", async () => {
    const place = await makePlace([uses(["Bash", { command: "sleep 60" }])]);
    const { frames, code } = await turn(place, [...args, "--permission-mode", "bypassPermissions"], prompt("Sleep"), (frame) =>
      frame.type === "tool_use" || (frame.type === "assistant" && JSON.stringify(frame).includes("tool_use")) ? interrupt : null,
    );
    expect(code).toBe(1);
    await expect(golden(frames, place)).toMatchFileSnapshot(file("interrupt"));
  });

  it("[YUME-DIALECT-1, YUME-END-1] of a provider's error", async () => {
    const place = await makePlace([refuses(401, "no such key")]);
    const { frames, code } = await turn(place, args, prompt("Hi"));
    expect(code).toBe(1);
    await expect(golden(frames, place)).toMatchFileSnapshot(file("provider-error"));
  });

  it("[YUME-DIALECT-1, YUME-SESSION-2] of a session that is resumed", async () => {
    const place = await makePlace([says("Hello, Alex."), says("You are Alex.")]);
    const first = await turn(place, args, prompt("I am Alex"));
    const id = String(first.frames.at(-1)?.session_id);
    const { frames } = await turn(place, [...resumed, id], prompt("Who am I?"));
    expect(place.asked()).toContain("I am Alex");
    await expect(golden(frames, place)).toMatchFileSnapshot(file("resume"));
  });

  it("[YUME-DIALECT-2] has uuid and session in every frame, no line of 100 kB, and no half of a character", async () => {
    const long = "👋\u0001漢\n".repeat(20_000);
    const place = await makePlace([
      uses(
        ["Bash", { command: "head -c 300000 /dev/urandom; yes 👋 | head -c 200001" }],
        ["Bash", { command: "head -c 28000 /dev/zero" }],
      ),
      uses(["Write", { file_path: "long.txt", content: long }], ["Bash", { command: `rm ${"long ".repeat(25_000)}` }]),
      says("漢".repeat(40_000)),
    ]);
    const more = ["--permission-mode", "bypassPermissions", "--disallowedTools", "Bash(rm:*)", "--include-partial-messages"];
    const started = startYume(place, [...args, ...more, "--replay-user-messages", "--model", "gpt-4.1"]);
    started.say(prompt(`Noise${"!".repeat(200_000)}`) as Record<string, unknown>);
    await started.until((frame) => frame.type === "result");
    started.process.stdin.end();
    const { stdout, frames } = await started.ended;
    for (const line of stdout.trim().split("\n"))
      if (!line.startsWith('{"type":"result"')) expect(Buffer.byteLength(line)).toBeLessThan(100_000);
    for (const frame of frames)
      expect(frame).toMatchObject({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), session_id: expect.any(String) });
    expect(stdout.isWellFormed()).toBe(true);
    expect(stdout).toContain("the whole output is in");
    // What was shown in part was run, and is kept, whole.
    expect(readFileSync(join(place.work, "long.txt"), "utf8")).toBe(long);
    const [, kept] = /All of it is in ([^\]]+\.input\.json)\]/.exec(stdout) ?? [];
    expect(JSON.parse(readFileSync(String(kept), "utf8"))).toEqual({ file_path: "long.txt", content: long });
    expect(frames.find(({ type }) => type === "result")).toMatchObject({
      subtype: "success",
      permission_denials: [{ tool_name: "Bash" }],
    });
  });
});

/** Calls that ran side by side end in any order. */
function sortParallel(frames: readonly Frame[]): Frame[] {
  const key = (frame: Frame) =>
    /tool_result/.test(JSON.stringify(frame)) ? JSON.stringify(frame).match(/call_\d+/)?.[0] : undefined;
  const sorted = [...frames];
  for (let index = 1; index < sorted.length; index++) {
    const [a, b] = [key(sorted[index - 1] as Frame), key(sorted[index] as Frame)];
    if (a !== undefined && b !== undefined && a > b)
      [sorted[index - 1], sorted[index]] = [sorted[index] as Frame, sorted[index - 1] as Frame];
  }
  return sorted;
}
