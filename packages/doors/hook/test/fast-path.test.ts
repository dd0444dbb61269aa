// What runs without a prompt, what asks, and that the harmless path touches no store.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { confirmPolicy } from "../../../../test/support/confirm-policy.ts";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { codexPayloads as codex } from "./fixtures/codex-payloads.ts";
import { decided, World } from "./world.ts";

const LIST_LOADED = fileURLToPath(new URL("./fixtures/list-loaded.cjs", import.meta.url));

const soon = (world: World) => ({ argv: ["--store", world.store, "--to", "human:alex", "--wait", "1"] });

describe("calls that need nobody", () => {
  const world = new World();
  const at = world.project;
  const many = Array.from({ length: 150 }, (_, line) => `line ${line}`).join("\n");
  const spread = Array.from({ length: 900 }, (_, line) => (line % 50 === 0 ? "name\n" : `line ${line}\n`)).join("");
  world.write("spread.txt", spread);
  const rewritten = spread.replace("line 3\n", "").replace("line 888\n", "line 888 and more\nand more\n");
  test.each([
    ["a harmless command", claude.bash(at, "git log --oneline | head -5")],
    ["reading a file", claude.read(at, join(at, "src/a.ts"))],
    ["reading outside", claude.read(at, "/usr/share/doc/readme")],
    ["a search", claude.tool(at, "Grep", { pattern: "x", path: at })],
    ["the host's own books", claude.tool(at, "TodoWrite", { todos: [] })],
    ["our own MCP server", claude.tool(at, "mcp__hap__hap_cancel_ticket", { ticket_id: "tk_x" })],
    ["a new file inside", claude.write(at, join(at, "src/new.ts"), many)],
    ["a small edit", claude.edit(at, join(at, "src/a.ts"), "1", "2")],
    ["a name that is used all over a long file", claude.edit(at, join(at, "spread.txt"), "name", "other", true)],
    ["a long file written again with few changes", claude.write(at, join(at, "spread.txt"), rewritten)],
    ["a search of the web", claude.tool(at, "WebSearch", { query: "rust lifetimes", allowed_domains: ["example.org"] })],
    [
      "a page of documentation",
      claude.tool(at, "WebFetch", { url: "https://docs.python.org/3/library/re.html#re", prompt: "?" }),
    ],
  ])("[HOOK-HARMLESS-1, GATE-WEB-1, GATE-LARGE-1] %s is allowed at once, without a store", async (_, payload) => {
    const ran = await world.run("claude", payload);
    expect(decided(ran).decision).toBe("allow");
    expect(ran.code).toBe(0);
    expect(existsSync(world.store)).toBe(false);
  });

  test("[HOOK-HARMLESS-1] a harmless call loads neither schemas nor a database nor the network", async () => {
    const listed = join(world.home, "loaded.json");
    const env = { NODE_OPTIONS: `--require=${LIST_LOADED}`, LOADED_FILE: listed };
    expect(decided(await world.run("claude", claude.bash(at, "git log --oneline | head -5"), { env })).decision).toBe("allow");
    const { files, builtins } = JSON.parse(readFileSync(listed, "utf8")) as { files: string[]; builtins: string[] };
    const loaded = files.filter((file) => file.includes("/dist/"));
    expect(loaded.length).toBeGreaterThan(0);
    for (const file of loaded) expect(readFileSync(file, "utf8")).not.toMatch(/\bfetch\(|ZodError/);
    expect(builtins.filter((name) => /^(child_process|crypto|http2?|https|net|sqlite|tls)$/.test(name))).toEqual([]);
  });

  test("[HOOK-HARMLESS-1, HOOK-JSON-2] Codex is told nothing, which is its way to go on", async () => {
    const ran = await world.run("codex", codex.bash(at, "ls src"));
    expect([ran.code, ran.out]).toEqual([0, "{}\n"]);
  });

  test("[HOOK-PLAN-1] in plan mode nothing is allowed from here", async () => {
    const harmless = await world.run("claude", claude.bash(at, "ls", "plan"));
    expect([harmless.code, harmless.out]).toEqual([0, "{}\n"]);
    const writes = await world.run("claude", claude.write(at, join(at, "src/a.ts"), "x", "plan"));
    expect(writes.out).toBe("{}\n");
    const ask = await world.run("claude", claude.bash(at, "npm publish", "plan"));
    expect(decided(ask)).toMatchObject({ decision: "deny", reason: expect.stringContaining("plan mode") });
    expect(existsSync(world.store)).toBe(false);
  });

  test("[HOOK-PLAN-1] leaving plan mode stays the host's own question", async () => {
    const ran = await world.run("claude", claude.tool(at, "ExitPlanMode", { plan: "do it" }));
    expect(ran.out).toBe("{}\n");
  });
});

describe("calls that a person is asked about", () => {
  const world = new World();
  const at = world.project;
  world.write("long.txt", Array.from({ length: 400 }, (_, line) => `old ${line}\n`).join(""));
  world.write(".env", "TOKEN=1\n");
  symlinkSync("/etc/hostname", join(at, "src/link"));
  symlinkSync("../.env", join(at, "src/notes.txt"));
  world.write("places.txt", Array.from({ length: 300 }, (_, line) => `name\nline ${line}\n`).join(""));
  world.write("binary", "a\0b");
  const fetching = (url: string) => claude.tool(at, "WebFetch", { url, prompt: "?" });
  const other = Array.from({ length: 400 }, (_, line) => `new ${line}\n`).join("");
  test.each([
    ["a dangerous command", claude.bash(at, "rm -rf ~"), "run_command", "critical"],
    ["a test runner", claude.bash(at, "npm test"), "run_command", "notable"],
    ["a command with a trap", claude.bash(at, "git -c core.fsmonitor=./x status"), "run_command", "critical"],
    ["a command that reads through a link", claude.bash(at, "cat src/link"), "run_command", "notable"],
    ["a large change", claude.write(at, join(at, "long.txt"), other), "modify_file", "notable"],
    ["a write outside", claude.write(at, "/opt/x.txt", "x"), "create_file", "notable"],
    ["a write through a link", claude.write(at, join(at, "src/link"), "x"), "modify_file", "notable"],
    ["the gate's own settings", claude.write(at, join(at, ".claude/settings.json"), "{}"), "create_file", "critical"],
    ["a git hook", claude.edit(at, join(at, ".git/hooks/pre-commit"), "", "x"), "create_file", "critical"],
    ["a shell start-up file", claude.write(at, "/home/dev/.bashrc", "x"), "create_file", "critical"],
    ["a secret", claude.read(at, join(at, ".env")), "read_file", "critical"],
    ["a secret by a link", claude.read(at, join(at, "src/notes.txt")), "read_file", "critical"],
    ["fetching a page", fetching("https://x.example"), "tool.webfetch", "notable"],
    ["a host that ends like a known one", fetching("https://docs.python.org.x.example/"), "tool.webfetch", "notable"],
    ["a user that looks like a known host", fetching("https://docs.python.org@x.example/"), "tool.webfetch", "notable"],
    ["another port of a known host", fetching("https://docs.python.org:8443/"), "tool.webfetch", "notable"],
    ["a page that is not encrypted", fetching("http://docs.python.org/"), "tool.webfetch", "notable"],
    [
      "a fetch with a field that is not known",
      claude.tool(at, "WebFetch", { url: "https://docs.python.org/", prompt: "?", to: "x" }),
      "tool.webfetch",
      "notable",
    ],
    [
      "a search with a field that is not known",
      claude.tool(at, "WebSearch", { query: "a", engine: "x" }),
      "tool.websearch",
      "notable",
    ],
    ["lines replaced in 300 places", claude.edit(at, join(at, "places.txt"), "name", "other", true), "modify_file", "notable"],
    [
      "a replacement in a file that cannot be read",
      claude.edit(at, join(at, "binary"), "a", "b", true),
      "modify_file",
      "routine",
    ],
    ["an unknown tool", claude.tool(at, "mcp__github__merge", { pr: 4 }), "tool.mcp__github__merge", "notable"],
    ["a name that every object has", claude.tool(at, "constructor", {}), "tool.constructor", "notable"],
  ])("[HOOK-ASK-1, GATE-WEB-1, GATE-LARGE-1] %s opens a ticket, and waiting too long is a no", async (_, payload, kind, tier) => {
    const ran = await world.run("claude", payload, soon(world));
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringMatching(/^Still pending, tk_/) });
    const [ticket] = await world.tickets();
    expect(ticket).toMatchObject({ from: "agent:claude-code", to: "human:alex", intent: { kind }, tier, project: at });
    expect(ticket?.lease.ttl_seconds).toBe(300);
    await (await world.person()).cancel(ticket?.id as string);
  });

  test("[HOOK-ASK-1] a patch of Codex is shown as a diff of every file in it", async () => {
    const patch =
      "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-export const a = 1;\n+export const a = 2;\n*** Delete File: .git/config\n*** End Patch";
    await world.run("codex", codex.patch(at, patch), soon(world));
    const [ticket] = await world.tickets();
    expect(ticket).toMatchObject({ intent: { kind: "delete_file" }, tier: "critical" });
    expect(ticket?.effects).toContain("gate_files");
    expect(ticket?.intent.details.diff).toBe(
      "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,1 @@\n-export const a = 1;\n+export const a = 2;\n--- a/.git/config\n+++ /dev/null\n",
    );
  });

  test("[HOOK-ASK-1] a small patch inside the project needs nobody", async () => {
    const patch = "*** Begin Patch\n*** Add File: src/b.ts\n+export {};\n*** End Patch";
    expect((await world.run("codex", codex.patch(at, patch), soon(world))).out).toBe("{}\n");
  });
});

describe("policy files", () => {
  test("[HOOK-TIGHTEN-1] either file tightens the shipped table at once, and other harmless calls stay free of the store", async () => {
    const world = new World();
    world.policy("user", [{ id: "no-history", match: { command: "git log*" }, verdict: "deny", why: "History is private" }]);
    world.policy("project", [{ id: "look", match: { kind: "read_file", path: "src/**" }, verdict: "ask", why: "Ask first" }]);
    expect(decided(await world.run("claude", claude.bash(world.project, "ls && pwd"))).decision).toBe("allow");
    expect(existsSync(world.store)).toBe(false);
    const denied = await world.run("claude", claude.bash(world.project, "ls; git log -3"));
    expect(decided(denied)).toEqual({ decision: "deny", reason: "Rule no-history forbids this: History is private" });
    const asked = await world.run("claude", claude.read(world.project, join(world.project, "src/a.ts")), soon(world));
    expect(decided(asked).reason).toMatch(/^Still pending/);
  });

  test("[HOOK-LOOSEN-1] a rule that loosens counts only once its file was confirmed", async () => {
    const world = new World();
    world.policy("user", [{ id: "tests", match: { command: "npm test" }, verdict: "allow", why: "Tests are fine" }]);
    const before = await world.run("claude", claude.bash(world.project, "npm test"), soon(world));
    expect(decided(before).decision).toBe("deny");
    const person = await world.person();
    await confirmPolicy(person);
    const after = await world.run("claude", claude.bash(world.project, "npm test"));
    expect(decided(after)).toEqual({ decision: "allow", reason: "Rule tests allows this: Tests are fine" });
  });

  test("[HOOK-GATE-1] a confirmed rule does not open the files that arm the gate", async () => {
    const world = new World();
    world.policy("user", [{ id: "all", match: { path: "**" }, verdict: "allow", why: "Everything" }]);
    const person = await world.person();
    await confirmPolicy(person);
    const free = await world.run("claude", claude.write(world.project, "/opt/hap-test.txt", "x"));
    expect(decided(free).decision).toBe("allow");
    const armed = await world.run(
      "claude",
      claude.write(world.project, join(world.project, ".hap/policy.json"), "{}"),
      soon(world),
    );
    expect(decided(armed).reason).toMatch(/^Still pending/);
  });

  test.each([
    ["no JSON", "{"],
    ["an unknown key", '{"version":1,"rules":[{"id":"x","match":{"comand":"*"},"verdict":"deny","why":"y"}]}'],
  ])("[HOOK-CLOSED-1] a policy with %s closes the gate and is named", async (_, text) => {
    const world = new World();
    world.write(".hap/policy.json", text);
    const ran = await world.run("claude", claude.bash(world.project, "ls"));
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(join(world.project, ".hap/policy.json"));
  });
});
