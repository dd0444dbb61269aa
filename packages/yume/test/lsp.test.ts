// LSP on a real language server: every operation, files that change, crashes, silence, and who may ask.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bubblewrap } from "@hap/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { writeTool } from "../src/tools/files/write.ts";
import { makeLsp } from "../src/tools/lsp/lsp.ts";
import { readLspServers } from "../src/tools/lsp/lsp-config.ts";
import type { Tool } from "../src/tools/tool.ts";
import { kinds, makePlace, runYume, says, uses } from "./support/place.ts";
import { type ToolWorld, toolWorld } from "./support/tool-world.ts";

const require = createRequire(import.meta.url);
const typescript = {
  command: process.execPath,
  args: [require.resolve("typescript-language-server/lib/cli.mjs"), "--stdio"],
  extensionToLanguage: { ".ts": "typescript" },
  // Its second program, which answers from one file alone while the first loads the project, is left out.
  initializationOptions: {
    tsserver: { path: require.resolve("typescript/lib/tsserver.js"), useSyntaxServer: "never" },
    disableAutomaticTypingAcquisition: true,
  },
};
/** Little to load. */
const TSCONFIG = '{"compilerOptions": {"allowImportingTsExtensions": true, "noEmit": true, "types": [], "lib": ["es5"]}}';
const SHAPES = `export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private readonly side: number) {}
  area(): number {
    return this.side ** 2;
  }
}

/** Adds areas up. */
export function total(shapes: Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), 0);
}
`;
const MAIN =
  'import { Square, total } from "./shapes.ts";\n\nexport function main(): number {\n  return total([new Square(2)]);\n}\n';

/** A world with two files, and the tool over servers in it. */
function lspWorld(servers: Record<string, unknown>): ToolWorld & {
  ask: (input: Record<string, unknown>) => ReturnType<ToolWorld["run"]>;
  tool: Tool;
  close: () => Promise<void>;
  said: string[];
} {
  const world = toolWorld();
  writeFileSync(join(world.folder, "tsconfig.json"), TSCONFIG);
  writeFileSync(join(world.folder, "shapes.ts"), SHAPES);
  writeFileSync(join(world.folder, "main.ts"), MAIN);
  const said: string[] = [];
  const lsp = makeLsp(readLspServers(servers), {
    workspace: world.context.workspace,
    env: process.env,
    sandbox: null,
    log: (words) => said.push(words),
  });
  if (lsp === null) throw new Error(`no server can be used: ${said.join()}`);
  return { ...world, ...lsp, said, ask: (input) => world.run(lsp.tool, input) };
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 1800 && isAlive(pid); tries++) await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
}

describe("a language server", () => {
  let world: ReturnType<typeof lspWorld>;
  beforeAll(() => {
    world = lspWorld({
      typescript: {
        ...typescript,
        command: "/bin/sh",
        args: ["-c", 'echo $$ > pid; exec "$@"', "sh", typescript.command, ...typescript.args],
      },
    });
  });
  afterAll(() => world.close());

  it.each([
    ["goToDefinition", { filePath: "main.ts", line: 4, character: 10 }, "1 definition:\nshapes.ts:13:17"],
    [
      "findReferences",
      { filePath: "shapes.ts", line: 13, character: 17 },
      "3 references:\nshapes.ts:13:17\nmain.ts:1:18\nmain.ts:4:10",
    ],
    ["goToImplementation", { filePath: "shapes.ts", line: 2, character: 3 }, "1 implementation:\nshapes.ts:7:3"],
    ["prepareCallHierarchy", { filePath: "main.ts", line: 4, character: 10 }, "1 item:\nFunction total shapes.ts:13:17"],
    [
      "incomingCalls",
      { filePath: "shapes.ts", line: 13, character: 17 },
      "1 caller of Function total shapes.ts:13:17:\nFunction main main.ts:3:17, called at 4:10",
    ],
    ["documentSymbol", { filePath: "main.ts" }, "1 symbol:\nFunction main 3:17"],
    ["workspaceSymbol", { filePath: "main.ts", query: "Squar" }, expect.stringContaining("Class Square shapes.ts:5:1")],
    ["workspaceSymbol", { filePath: "main.ts", line: 4, character: 22 }, expect.stringContaining("Class Square shapes.ts:5:1")],
  ])("[YUME-LSP-1] answers %s in paths and positions from 1", async (operation, where, wanted) => {
    expect(await world.ask({ operation, ...where })).toEqual({ text: wanted, is_error: false });
  });

  it("[YUME-LSP-1] answers hover and outgoingCalls", async () => {
    const hover = await world.ask({ operation: "hover", filePath: "main.ts", line: 4, character: 10 });
    expect(hover.text).toContain("total(shapes: Shape[]): number");
    expect(hover.text).toContain("Adds areas up.");
    const calls = await world.ask({
      operation: "outgoingCalls",
      filePath: join(world.folder, "main.ts"),
      line: 3,
      character: 17,
    });
    expect(calls.text).toContain("Function total shapes.ts:13:17, called at 4:10");
  });

  it.each([
    [{ operation: "hover", filePath: "main.ts" }, "hover needs line and character"],
    [{ operation: "hover", filePath: "main.ts", line: 0, character: 1 }, "counted from 1"],
    [{ operation: "hover", filePath: "none.ts", line: 1, character: 1 }, "There is no file"],
    [{ operation: "hover", filePath: "notes.md", line: 1, character: 1 }, "No language server is configured for"],
    [{ operation: "goToDefinition", filePath: "main.ts", line: 2, character: 1 }, "No definition was found"],
    [{ operation: "hover", filePath: "main.ts", line: 2, character: 1 }, "nothing to tell"],
  ])("[YUME-LSP-1] tells in words what is wrong with %j", async (input, words) => {
    expect((await world.ask(input)).text).toContain(words);
  });

  it("[YUME-LSP-2] sees what has changed since it was asked last, whoever changed it", async () => {
    writeFileSync(join(world.folder, "main.ts"), `\n\n${MAIN}`);
    await world.run(writeTool, {
      file_path: "more.ts",
      content: 'import { total } from "./shapes.ts";\nexport const none = total([]);\n',
    });
    await world.ask({ operation: "documentSymbol", filePath: "more.ts" });
    const found = await world.ask({ operation: "findReferences", filePath: "shapes.ts", line: 13, character: 17 });
    expect(found.text.split("\n").slice(1).sort()).toEqual([
      "main.ts:3:18",
      "main.ts:6:10",
      "more.ts:1:10",
      "more.ts:2:21",
      "shapes.ts:13:17",
    ]);
  });

  it("[YUME-LSP-3] is started again after a crash, and ends with the run", async () => {
    const pid = () => Number(readFileSync(join(world.folder, "pid"), "utf8"));
    const first = pid();
    process.kill(first, "SIGKILL");
    expect(await gone(first)).toBe(true);
    const symbols = { operation: "documentSymbol", filePath: "main.ts" };
    // The end may be heard before this call, or break it: then the next one has a server again.
    const next = await world.ask(symbols);
    if (next.is_error) expect(next.text).toContain("was ended by SIGKILL");
    expect(await world.ask(symbols)).toEqual({ text: "1 symbol:\nFunction main 5:17", is_error: false });
    const second = pid();
    expect(second).not.toBe(first);
    await world.close();
    expect(await gone(second)).toBe(true);
  });
});

describe("a language server that fails", () => {
  const node = (script: string, more: Record<string, unknown> = {}) => ({
    command: process.execPath,
    args: ["-e", script],
    extensionToLanguage: { ".ts": "typescript" },
    ...more,
  });
  const hover = { operation: "hover", filePath: "main.ts", line: 4, character: 10 };

  it("[YUME-LSP-2] is asked again when it has loaded, is answered about its settings, and may change no file", async () => {
    const program = new URL("./fixtures/loading-server.mjs", import.meta.url).pathname;
    const world = lspWorld({
      loading: {
        command: process.execPath,
        args: [program],
        extensionToLanguage: { ts: "typescript" },
        settings: { a: { b: 7 } },
      },
    });
    const settings = [7, null, { a: { b: 7 } }];
    const refused = { applied: false, failureReason: "files are changed by other tools" };
    expect(await world.ask(hover)).toEqual({
      is_error: false,
      text: `all of it, asked 3 times\n\n${JSON.stringify([settings, refused, 1, -32601])}`,
    });
    await world.close();
  });

  it("[YUME-LSP-3] is not started for ever", async () => {
    const world = lspWorld({ broken: node('console.error("no licence"); process.exit(3)', { maxRestarts: 1 }) });
    for (let tries = 0; tries < 2; tries++)
      expect(await world.ask(hover)).toEqual({
        is_error: true,
        text: "The language server broken ended with exit code 3. It said last:\nno licence",
      });
    expect((await world.ask(hover)).text).toContain("was started 2 times and did not stay");
    await world.close();
  });

  it("[YUME-LSP-3] holds nobody up: silence at the start or later, an answer that is none, a question after the end", async () => {
    const silent = lspWorld({
      // A shell, which is there at once: it says who it is before the time is over.
      silent: {
        command: "/bin/sh",
        args: ["-c", "echo $$ > pid; exec sleep 300"],
        extensionToLanguage: { ".ts": "typescript" },
        startupTimeout: 3_000,
      },
    });
    expect((await silent.ask(hover)).text).toBe("The language server silent did not answer initialize in 3000 ms.");
    expect(await gone(Number(readFileSync(join(silent.folder, "pid"), "utf8")))).toBe(true);
    const mute = lspWorld({
      mute: node(
        `const say = (message) => { const text = JSON.stringify({ jsonrpc: "2.0", ...message }); process.stdout.write("Content-Length: " + text.length + "\\r\\n\\r\\n" + text); };
         let greeted = false;
         process.stdin.on("data", () => { if (greeted) return; greeted = true; say({ id: 0, result: { capabilities: { hoverProvider: true } } }); });`,
        { requestTimeout: 300, shutdownTimeout: 100 },
      ),
    });
    expect((await mute.ask(hover)).text).toBe("The language server mute did not answer textDocument/hover in 300 ms.");
    expect((await mute.ask({ ...hover, operation: "findReferences" })).text).toContain("mute for .ts cannot do findReferences");
    await mute.close();
    const noise = lspWorld({
      noise: node('process.stdout.write("Content-Length: 3\\r\\n\\r\\n{x}"); setTimeout(() => process.exit(1), 50)'),
    });
    expect((await noise.ask(hover)).text).toContain("ended with exit code 1");
    await Promise.all([silent.close(), noise.close()]);
  });
});

describe("who may ask", () => {
  it("[YUME-LSP-4] a call is a command where no sandbox holds the server, a read in one, and as Read outside the workspace", async () => {
    needProgram("bwrap", "bubblewrap");
    const { tool, context } = lspWorld({ typescript });
    const classOf = async (one: Tool, filePath: string) =>
      (await one.classify({ operation: "hover", filePath }, context)).callClass;
    expect(await classOf(tool, "main.ts")).toBe("command");
    expect(await classOf(tool, "/etc/passwd")).toBe("read_outside");
    expect(await classOf(tool, ".env")).toBe("guarded");
    const held = makeLsp(readLspServers({ sh: { command: "sh", extensionToLanguage: { ts: "typescript" } } }), {
      workspace: context.workspace,
      env: process.env,
      sandbox: bubblewrap(context.workspace, { network: false }),
      log: () => {},
    });
    expect(await classOf(held?.tool as Tool, "main.ts")).toBe("read");
    expect(await classOf(held?.tool as Tool, "../main.ts")).toBe("read_outside");
  });

  it("[YUME-LSP-4] a server in the sandbox sees the workspace and neither home nor network nor secrets", async () => {
    needProgram("bwrap", "bubblewrap");
    needProgram("python3", "python3");
    const { run, context, folder } = toolWorld();
    writeFileSync(join(folder, "main.ts"), MAIN);
    copyFileSync(new URL("./fixtures/confined-server.py", import.meta.url), join(folder, "server.py"));
    const lsp = makeLsp(
      readLspServers({ held: { command: "python3", args: ["server.py"], extensionToLanguage: { ".ts": "typescript" } } }),
      {
        workspace: context.workspace,
        env: { ...process.env, MY_TOKEN: "hidden" },
        sandbox: bubblewrap(context.workspace, { network: false }),
        log: () => {},
      },
    );
    const told = await run(lsp?.tool as Tool, { operation: "hover", filePath: "main.ts", line: 4, character: 10 });
    expect(told.is_error).toBe(false);
    expect(JSON.parse(told.text)).toEqual({ host: "sandbox", parent: null, home: false, network: ["lo"], token: null });
    await lsp?.close();
  });

  const settings = (servers: unknown, permissions: unknown = {}) => [
    "--settings",
    JSON.stringify({ lspServers: servers, permissions }),
  ];
  const flat = ["--provider", "openai", "--prompt", "Go"];
  const hover: [string, Record<string, unknown>] = ["LSP", { operation: "hover", filePath: "main.ts", line: 4, character: 10 }];

  it("[YUME-LSP-5] lists the tool where a server is configured and its program is there, and runs it in a real run", async () => {
    const place = await makePlace([uses(hover), says("Done."), uses(hover), says("Denied.")]);
    for (const [name, text] of [
      ["shapes.ts", SHAPES],
      ["main.ts", MAIN],
      ["tsconfig.json", TSCONFIG],
    ] as const)
      writeFileSync(join(place.work, name), text);
    mkdirSync(join(place.work, "bin"));
    const program = join(place.work, "bin", "my-server");
    writeFileSync(program, `#!/bin/sh\necho $$ > pid\nexec ${typescript.command} ${typescript.args.join(" ")}\n`);
    chmodSync(program, 0o755);
    const servers = {
      mine: { ...typescript, command: "my-server", args: [] },
      absent: { ...typescript, command: "no-such-server" },
    };
    const env = { PATH: `${join(place.work, "bin")}:${place.env.PATH}` };
    const { frames, stderr, code } = await runYume(place, [...flat, ...settings(servers, { allow: ["LSP"] })], "", { env });
    expect(frames[0]?.tools).toContain("LSP");
    expect(stderr).toContain("the language server absent is left out: there is no program no-such-server");
    expect(frames.find(({ type }) => type === "tool_result")).toMatchObject({
      is_error: false,
      content: expect.stringContaining("total(shapes: Shape[]): number"),
    });
    expect(code).toBe(0);
    expect(await gone(Number(readFileSync(join(place.work, "pid"), "utf8")))).toBe(true);
    const denied = await runYume(place, [...flat, ...settings(servers, { allow: ["LSP"], deny: ["Read(main.ts)"] })], "", {
      env,
    });
    expect(denied.frames.find(({ type }) => type === "tool_result")).toMatchObject({
      is_error: true,
      content: expect.stringContaining("the rule Read(main.ts) forbids it"),
    });
  });

  it("[YUME-LSP-5] does not list it without, and takes no configuration that is none", async () => {
    const place = await makePlace([says("Hello.")]);
    const { frames } = await runYume(place, [...flat, ...settings({ absent: { ...typescript, command: "no-such-server" } })]);
    expect(frames[0]?.tools).not.toContain("LSP");
    const wrong = await runYume(place, [...flat, ...settings({ go: { command: "gopls" } })]);
    expect(kinds(wrong.frames)).toEqual(["system/init", "error", "result", "message_stop"]);
    expect(wrong.frames[1]?.message).toBe('--settings: lspServers.go needs extensionToLanguage, such as {".go": "go"}.');
    for (const [server, words] of [
      [7, "must be an object"],
      [{ ...typescript, command: "" }, "needs command"],
      [{ ...typescript, transport: "socket" }, 'must be "stdio"'],
      [{ ...typescript, args: "x" }, "args must be a list of texts"],
      [{ ...typescript, env: { A: 1 } }, "env must be an object of texts"],
      [{ ...typescript, startupTimeout: "1s" }, "startupTimeout must be a number"],
    ] as const)
      expect(() => readLspServers({ x: server })).toThrow(words);
  });
});
