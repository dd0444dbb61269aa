// `--permission-prompt-tool mcp__server__tool`: a tool of an MCP server is asked in the place of the host.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makePlace, runYume, says, uses } from "./support/place.ts";

const server = fileURLToPath(new URL("./fixtures/mcp-server.mjs", import.meta.url));
const config = JSON.stringify({ mcpServers: { people: { command: process.execPath, args: [server] } } });
const claude = ["-p", "Go", "--output-format", "stream-json", "--verbose", "--mcp-config", config];
const write = (name: string, content: string): [string, Record<string, unknown>] => ["Write", { file_path: name, content }];

describe("a permission tool of an MCP server", () => {
  it("[YUME-PERMIT-4] allows with another input, denies in its own words, and has said no when it says nothing clear", async () => {
    const place = await makePlace([
      uses(write("good.txt", "good"), write("bad.txt", "bad"), write("unclear.txt", "unclear")),
      says("One of three."),
    ]);
    const { frames, code } = await runYume(place, [...claude, "--permission-prompt-tool", "mcp__people__permit"]);
    expect(code).toBe(0);
    expect(readFileSync(join(place.work, "good.txt"), "utf8")).toBe("permitted");
    expect([existsSync(join(place.work, "bad.txt")), existsSync(join(place.work, "unclear.txt"))]).toEqual([false, false]);
    const denials = (frames.at(-1)?.permission_denials ?? []) as { tool_use_id: string; tool_input: unknown }[];
    expect(denials.map(({ tool_input }) => tool_input)).toEqual([write("bad.txt", "bad")[1], write("unclear.txt", "unclear")[1]]);
    expect(place.asked()).toContain(`Not Write of ${denials[0]?.tool_use_id}.`);
    expect(place.asked()).toContain("gave no answer that can be read: perhaps");
    // Who decides is not offered to the model.
    expect(frames[0]?.tools).toContain("mcp__people__say");
    expect(frames[0]?.tools).not.toContain("mcp__people__permit");
  });

  it("[YUME-PERMIT-4] that is not there ends the run before it begins", async () => {
    const place = await makePlace([uses(write("made.txt", "x"))]);
    const [missing, wrong] = await Promise.all([
      runYume(place, [...claude, "--permission-prompt-tool", "mcp__people__nobody"]),
      runYume(place, ["-p", "Go", "--output-format", "stream-json", "--permission-prompt-tool", "somebody"]),
    ]);
    expect(missing.frames.at(-1)).toMatchObject({ is_error: true, result: expect.stringContaining("mcp__people__nobody") });
    expect(wrong.frames.at(-1)).toMatchObject({
      is_error: true,
      result: expect.stringContaining("takes stdio or mcp__SERVER__TOOL"),
    });
    expect([missing.code, wrong.code]).toEqual([1, 1]);
    expect(place.model.requests).toEqual([]);
  });
});
