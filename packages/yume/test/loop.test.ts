// The loop on the real command: what models do wrong, what hosts must not see, and histories that grow too long.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseCut } from "../src/loop/compact.ts";
import type { Turn } from "../src/model/types.ts";
import { makeRedact } from "../src/redact.ts";
import { repairTurns } from "../src/session/repair-turns.ts";
import { htmlToText } from "../src/tools/web/html-to-text.ts";
import { webFetchTool, webSearchTool } from "../src/tools/web/web-tools.ts";
import { makePlace, refuses, runYume, says, uses } from "./support/place.ts";
import { toolWorld } from "./support/tool-world.ts";
import { encodeTurn } from "./wire/encode-turn.ts";

const flat = ["--provider", "openai", "--prompt", "Go"];
const resultOf = (frames: Record<string, unknown>[]) => frames.find(({ type }) => type === "result");
const textOf = (frames: Record<string, unknown>[]) =>
  frames
    .filter(({ type }) => type === "text")
    .map(({ content }) => content)
    .join("");

describe("the loop", () => {
  it("[YUME-LOOP-1] asks the model once after a tool, and ends when it is done", async () => {
    const place = await makePlace([uses(["LS", {}]), says("Done."), says("never")]);
    const { frames } = await runYume(place, flat);
    expect(place.model.requests).toHaveLength(2);
    expect(resultOf(frames)).toMatchObject({ num_turns: 2, result: "Done." });
  });

  it("[YUME-LOOP-1] tells a model of tools that there are not and inputs that are wrong", async () => {
    const place = await makePlace([uses(["Fly", {}], ["Read", { path: "x" }], ["Read", { file_path: 7 }]), says("I see.")]);
    const { frames } = await runYume(place, flat);
    const results = frames.filter(({ type }) => type === "tool_result").map(({ content }) => String(content));
    expect(results[0]).toContain("There is no tool Fly. There are: Read,");
    expect(results[1]).toContain("file_path is missing");
    expect(results[2]).toContain("file_path must be of type string, not number");
  });

  it("[YUME-LOOP-1] takes numbers and booleans that a model wrote as text", async () => {
    const place = await makePlace([uses(["Read", { file_path: "lines.txt", offset: "2", limit: "1" }]), says("I see.")]);
    writeFileSync(join(place.work, "lines.txt"), "one\ntwo\nthree\n");
    const { frames } = await runYume(place, flat);
    expect(frames.find(({ type }) => type === "tool_result")).toMatchObject({ content: expect.stringContaining("2\ttwo") });
  });

  it("[YUME-LOOP-1] lets a model go on that was cut off, and gives up when that goes on", async () => {
    const cut = says("half", { stop_reason: "max_tokens" });
    const place = await makePlace([cut, says("whole"), cut, cut, cut, cut]);
    expect(resultOf((await runYume(place, flat)).frames)).toMatchObject({ subtype: "success", result: "halfwhole" });
    expect(resultOf((await runYume(place, flat)).frames)).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining("output limit")],
    });
  });

  it("[YUME-LOOP-5] says no word twice when a stream breaks and begins again", async () => {
    const whole = encodeTurn("chat", says("The answer is forty-two."));
    const place = await makePlace([{ raw: { chunks: whole.slice(0, 2), ending: "drop" } }, says("The answer is forty-two.")]);
    const { frames, code } = await runYume(place, flat);
    expect(frames.some(({ subtype }) => subtype === "api_retry")).toBe(true);
    expect(textOf(frames)).toBe("The answer is forty-two.");
    expect(code).toBe(0);
  });

  it("[YUME-LOOP-5] ends with an error when the stream breaks every time", async () => {
    const half = { raw: { chunks: encodeTurn("chat", says("The answer is")).slice(0, 2), ending: "drop" as const } };
    const place = await makePlace([half, half, half, half, half]);
    const { frames, code } = await runYume(place, flat);
    expect(resultOf(frames)).toMatchObject({ is_error: true });
    expect(frames.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(code).toBe(1);
  });

  it("[YUME-LOOP-5] ends at once when it is told to wait very long", async () => {
    const place = await makePlace([refuses(429, "slow down", { "retry-after": "7200" })]);
    const { frames } = await runYume(place, flat);
    expect(resultOf(frames)).toMatchObject({ is_error: true });
    expect(place.model.requests).toHaveLength(1);
  });

  it("[YUME-LOOP-6] compacts a history that the model finds too long, without losing a call's result", async () => {
    const tooLong = refuses(400, "This model's maximum context length is 8 tokens, context_length_exceeded");
    const place = await makePlace([
      uses(["LS", {}]),
      uses(["Read", { file_path: "a.txt" }]),
      tooLong,
      says("The user wants a. I listed and read."),
      says("Done."),
    ]);
    writeFileSync(join(place.work, "a.txt"), "content of a\n");
    const { frames } = await runYume(place, flat);
    expect(frames.find(({ subtype }) => subtype === "compact_boundary")).toMatchObject({ compact_metadata: { trigger: "auto" } });
    expect(resultOf(frames)).toMatchObject({ subtype: "success", result: "Done." });
    expect(place.asked()).toContain("[Summary of the conversation so far]");
    expect(place.asked()).toContain("I listed and read.");
  });

  it("[YUME-LOOP-6] cuts a history only before a message of the model", () => {
    const turns: Turn[] = [
      { role: "user", content: [{ type: "text", text: "go" }] },
      ...Array.from({ length: 6 }, (_, index): Turn[] => [
        { role: "assistant", content: [{ type: "tool_use", id: `t${index}`, name: "LS", input: {} }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: `t${index}`,
              content: [{ type: "text", text: "x".repeat(400) }],
              is_error: false,
            },
          ],
        },
      ]).flat(),
    ];
    for (const budget of [1, 100, 300, 500, 10_000]) {
      const cut = chooseCut(turns, budget) as number;
      expect(turns[cut]?.role).toBe("assistant");
      expect(repairTurns(turns.slice(cut))).toEqual(turns.slice(cut));
    }
  });

  it("[YUME-LOOP-6] gives every call a result and every result a call", () => {
    const call = (id: string): Turn => ({ role: "assistant", content: [{ type: "tool_use", id, name: "LS", input: {} }] });
    const result = (id: string): Turn => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: [], is_error: false }],
    });
    const user: Turn = { role: "user", content: [{ type: "text", text: "hi" }] };
    const repaired = repairTurns([result("orphan"), user, call("a"), user, call("b"), result("b"), call("c")]);
    expect(repaired.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant", "user"]);
    expect(repaired[2]?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
    expect(JSON.stringify(repaired)).not.toContain("orphan");
  });
});

describe("secrets", () => {
  it("[YUME-SECRET-1] of the environment and of known forms stay out of results, and provider keys out of commands", async () => {
    const token = `ghp_${"a".repeat(36)}`;
    const place = await makePlace([
      uses(["Bash", { command: `echo $DEPLOY_TOKEN; echo key=$OPENAI_API_KEY; echo ${token}` }]),
      says("Done."),
    ]);
    const { stdout } = await runYume(place, [...flat, "--permission-mode", "bypassPermissions"], "", {
      env: { DEPLOY_TOKEN: "hunter2hunter2" },
    });
    const result = stdout.split("\n").find((line) => line.includes('"tool_result"')) as string;
    expect(JSON.parse(result).content).toBe("[redacted DEPLOY_TOKEN]\nkey=\n[redacted secret]");
    expect(place.asked()).not.toContain("hunter2hunter2");
  });

  it("[YUME-SECRET-1] are found whole, the longer first", () => {
    const redact = makeRedact({ A_KEY: "abcdefgh", B_SECRET: "abcdefghijkl", PATH: "/usr/local/bin", X_TOKEN: "short" });
    expect(redact("abcdefghijkl abcdefgh short /usr/local/bin")).toBe(
      "[redacted B_SECRET] [redacted A_KEY] short /usr/local/bin",
    );
    expect(redact("-----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY----- end")).toBe("[redacted secret] end");
  });
});

describe("WebFetch and WebSearch", () => {
  const serve = async (handler: (path: string) => { status?: number; headers?: Record<string, string>; body?: string }) => {
    const server = createServer((request, response) => {
      const { status = 200, headers = { "content-type": "text/html" }, body = "" } = handler(request.url ?? "");
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  };

  it("[YUME-WEB-1] reach no private network by name, address or redirect, unless a setting names the host", async () => {
    const { run } = toolWorld();
    const server = await serve((path) =>
      path === "/away"
        ? { status: 302, headers: { location: "http://localhost/secret" } }
        : { body: "<h1>Hi</h1><script>x</script><p>a &amp; b</p>" },
    );
    const closed = webFetchTool([]);
    for (const url of [
      `http://${server.host}/`,
      "http://localhost:1/",
      "http://[::1]/",
      "http://0/",
      "http://2130706433/",
      "http://169.254.169.254/latest",
    ])
      expect(await run(closed, { url })).toMatchObject({
        is_error: true,
        text: expect.stringMatching(/private network|cannot be found/),
      });
    expect(await run(closed, { url: "file:///etc/passwd" })).toMatchObject({
      is_error: true,
      text: expect.stringContaining("Only http and https"),
    });
    const open = webFetchTool([server.host]);
    expect((await run(open, { url: `http://${server.host}/` })).text).toBe(`http://${server.host}/\n\n# Hi\n\na & b`);
    expect((await run(open, { url: `http://${server.host}/away` })).text).toContain(
      "redirects to another host: http://localhost/secret",
    );
    server.close();
  });

  it("[YUME-WEB-2] search where somebody configured it, and are not listed elsewhere", async () => {
    const { run } = toolWorld();
    const results = [
      { title: "One", url: "https://a.example/1", content: "first" },
      { title: "Two", url: "https://b.example/2", content: "second" },
    ];
    const server = await serve(() => ({ headers: { "content-type": "application/json" }, body: JSON.stringify({ results }) }));
    const search = webSearchTool(`http://${server.host}/search?q={query}`);
    expect((await run(search, { query: "x y", blocked_domains: ["b.example"] })).text).toBe("One\nhttps://a.example/1\nfirst");
    server.close();
    const place = await makePlace([says("a"), says("b")]);
    const tools = async (env: Record<string, string>) => (await runYume(place, flat, "", { env })).frames[0]?.tools as string[];
    expect(await tools({})).not.toContain("WebSearch");
    expect(await tools({ YUME_SEARCH_URL: `http://${server.host}/?q={query}` })).toContain("WebSearch");
  });

  it("[YUME-WEB-1] reads HTML in linear time, whatever is left open", () => {
    expect(htmlToText(`<p>a<!-- never closed ${"<p>".repeat(10)}`)).toBe("a");
    expect(htmlToText('<ul><li>x</li><li><a href="https://e.org">y</a></li></ul>')).toBe("- x\n\n- y (https://e.org)");
    expect(htmlToText("<".repeat(200_000))).toBe("");
  });
});

describe("skills and MCP servers", () => {
  it("[YUME-TOOLS-1] are listed only where there are some, and a skill gives its words", async () => {
    const place = await makePlace([uses(["Skill", { skill: "greet" }]), says("Done.")]);
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(place.work, ".yume/skills/greet"), { recursive: true });
    writeFileSync(
      join(place.work, ".yume/skills/greet/SKILL.md"),
      "---\nname: greet\ndescription: How to greet\n---\nSay hello twice.\n",
    );
    const { frames } = await runYume(place, flat);
    expect(frames[0]).toMatchObject({ skills: ["greet"], tools: expect.arrayContaining(["Skill"]) });
    expect(place.asked()).toContain("Say hello twice.");
  });

  it("[YUME-MCP-1] over stdio bring their tools; one that fails is told and left out", async () => {
    const place = await makePlace([uses(["mcp__echo__say", { words: "hi" }]), says("Done.")]);
    const server = new URL("./fixtures/mcp-server.mjs", import.meta.url).pathname;
    const config = JSON.stringify({
      mcpServers: { echo: { command: process.execPath, args: [server] }, broken: { command: "no-such-program" } },
    });
    const { frames, stderr } = await runYume(place, [...flat, "--mcp-config", config, "--allowedTools", "mcp__echo"]);
    expect(frames[0]).toMatchObject({
      mcp_servers: [
        { name: "echo", status: "connected" },
        { name: "broken", status: "failed" },
      ],
    });
    expect(frames.find(({ type }) => type === "tool_result")).toMatchObject({ is_error: false, content: "you said hi" });
    expect(stderr).toContain("the MCP server broken could not be used");
    expect(readFileSync(join(place.home, ".yume/sessions", `${String(frames[0]?.session_id)}.json`), "utf8")).toContain(
      "you said hi",
    );
  });
});

describe("images and documents", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

  it("[YUME-MEDIA-1] are what their content says, whatever their name", async () => {
    const place = await makePlace([
      uses(["Read", { file_path: "fake.png" }], ["Read", { file_path: "real.dat" }], ["Read", { file_path: "doc.pdf" }]),
      says("I see."),
    ]);
    writeFileSync(join(place.work, "fake.png"), "version https://git-lfs.github.com/spec/v1\n");
    writeFileSync(join(place.work, "real.dat"), png);
    writeFileSync(join(place.work, "doc.pdf"), "%PDF-1.7\n...");
    await runYume(place, ["--provider", "openai", "--prompt", "x"]);
    expect(place.asked()).toContain("git-lfs.github.com");
    expect(place.asked()).toContain("data:image/png;base64,");
    expect(place.asked()).toContain('"file_data":"data:application/pdf;base64,');
  });

  it("[YUME-MEDIA-2] are left out for a model that cannot see, and after a refusal", async () => {
    const place = await makePlace([uses(["Read", { file_path: "a.png" }]), says("Nothing to see.")]);
    writeFileSync(join(place.work, "a.png"), png);
    await runYume(place, ["--provider", "openai", "--model", "deepseek-v3", "--prompt", "x"]);
    expect(place.asked()).toContain("deepseek-v3 cannot see images");
    expect(place.asked()).not.toContain("base64,");
    place.model.say(
      uses(["Read", { file_path: "a.png" }]),
      refuses(400, "Invalid image data"),
      says("Then without."),
      says("Still fine."),
    );
    const { frames, code } = await runYume(place, ["--provider", "openai", "--session-id", "m", "--prompt", "x"]);
    expect(code).toBe(0);
    expect(frames.find(({ subtype }) => subtype === "warning")).toMatchObject({
      message: expect.stringContaining("Invalid image data"),
    });
    await runYume(place, ["--provider", "openai", "--resume", "m", "--prompt", "y"]);
    expect(place.asked()).not.toContain("base64,");
  });

  it("[YUME-MEDIA-1] of notebooks come as cells with what they printed", async () => {
    const place = await makePlace([uses(["Read", { file_path: "n.ipynb" }]), says("I see.")]);
    const outputs = [{ output_type: "stream", text: ["forty", "-two"] }];
    const cells = [{ id: "c1", cell_type: "code", source: ["print(", "42)"], outputs }];
    writeFileSync(join(place.work, "n.ipynb"), JSON.stringify({ cells }));
    const { frames } = await runYume(place, ["--provider", "openai", "--prompt", "x"]);
    expect(frames.find(({ type }) => type === "tool_result")?.content).toBe(
      '<cell id="c1" type="code">\nprint(42)\n</cell>\n<output>\nforty-two\n</output>',
    );
  });
});
