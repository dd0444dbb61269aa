// `yume-cli term-agent`: an agent of the term harness. The loop is the same; its only tool is the harness's terminal, where
// each command is one response and its output the next request. The harness decides what may run.

import { join } from "node:path";
import type { Options } from "../argv/options.ts";
import { Hooks } from "../hooks/hooks.ts";
import { parseFrame } from "../host/inputs.ts";
import { readLines } from "../host/line-reader.ts";
import type { Kit } from "../loop/kit.ts";
import { Ledger } from "../loop/ledger.ts";
import { runLoop } from "../loop/run-loop.ts";
import { Gate } from "../permissions/gate.ts";
import { Workspace } from "../permissions/workspace.ts";
import { makeRedact } from "../redact.ts";
import { chooseModel, chooseProvider } from "../run/choose-model.ts";
import type { World } from "../run/world.ts";
import { Shells } from "../tools/bash/shells.ts";
import { FileMemory } from "../tools/files/file-memory.ts";
import { schema, type Tool, ToolError } from "../tools/tool.ts";

type Request = { instruction: string; output: string | null; exit_code: number | null; cwd: string };

const SYSTEM = `You solve a task in a real terminal. Your only tool is Bash: each call runs in the same shell, so that folders, variables
and background jobs last. There is nobody to ask. Look before you act, check what you did, and when the task is done, say so in a
sentence without calling the tool.`;

/** Serve one task. A failure is told in words and ends with 1; it is never completion. */
export async function runTermAgent(options: Options, world: World): Promise<number> {
  const lines = new Lines(world);
  const first = await lines.request();
  if (first === null) return 1;
  const respond = (response: Record<string, unknown>) => world.stdout.write(`${JSON.stringify(response)}\n`);
  try {
    const kit = await makeKit(options, world);
    const model = options.model ?? world.env.YUME_MODEL ?? kit.provider.default_model;
    const end = await runLoop(kit, {
      model: () => model,
      system: SYSTEM,
      turns: [{ role: "user", content: [{ type: "text", text: `${first.instruction}\n\nThe shell is in ${first.cwd}.` }] }],
      toolbox: new Map([["Bash", terminalTool(lines, respond)]]),
      parent: null,
      signal: lines.ended,
      limits: { maxTurns: options.maxTurns, maxBudgetUsd: options.maxBudgetUsd, maxSeconds: null, deadline: null },
      save: () => {},
      begin: () => {},
      structured: null,
    });
    if (end.subtype === "success") respond({ command: null, task_complete: true, text: end.text });
    else respond({ command: null, task_complete: false, text: `error: ${end.errors.join("; ")}` });
    return end.subtype === "success" ? 0 : 1;
  } catch (error) {
    respond({ command: null, task_complete: false, text: `error: ${(error as Error).message}` });
    return 1;
  }
}

function terminalTool(lines: Lines, respond: (response: Record<string, unknown>) => void): Tool {
  return {
    parallel: false,
    spec: {
      name: "Bash",
      description: "Runs a command in the terminal and gives its output and exit code.",
      input_schema: schema({ command: { type: "string" } }, ["command"]),
    },
    classify: (input) => ({
      callClass: "command",
      subject: { tool: "Bash", command: String(input.command) },
      summary: String(input.command),
    }),
    async run(input) {
      respond({ command: String(input.command), task_complete: false });
      const next = await lines.request();
      if (next === null) throw new ToolError("The harness has closed the terminal.");
      const output = next.output === null || next.output === "" ? "(no output)" : next.output;
      const failed = next.exit_code !== null && next.exit_code !== 0;
      return {
        content: [{ type: "text", text: `${failed ? `Exit code ${next.exit_code}\n` : ""}${output}\n[in ${next.cwd}]` }],
        is_error: failed,
      };
    },
  };
}

async function makeKit(options: Options, world: World): Promise<Kit> {
  const provider = chooseProvider(options, world.env);
  const model = chooseModel(options.model, provider, world.env);
  const workspace = new Workspace(world.cwd, [], world.home);
  return {
    provider: await world.createProvider({
      provider,
      ...(model === undefined ? {} : { model }),
      ...(options.apiBase === null ? {} : { apiBase: options.apiBase }),
      ...(options.wire === null ? {} : { wire: options.wire }),
      env: world.env,
      cwd: workspace.cwd,
    }),
    emit: (event) => {
      if (event.type === "text_delta") world.stderr.write(event.text);
    },
    gate: new Gate({
      mode: "bypassPermissions",
      dialect: "yume",
      roots: workspace,
      rules: { allow: [], ask: [], deny: [] },
      asker: () => null,
    }),
    hooks: new Hooks(null, () => ({})),
    ledger: new Ledger(await world.loadPrices({})),
    redact: makeRedact(world.env),
    world: {
      workspace,
      shells: new Shells({ workspace, env: {}, outputs: join(world.home, ".yume", "outputs", "term"), sandbox: null }),
      files: new FileMemory(),
      hidden: () => false,
    },
    outputs: join(world.home, ".yume", "outputs", "term"),
    denials: [],
    openTasks: () => [],
    thinking: { tokens: options.maxThinkingTokens, effort: options.effort, mode: options.thinking },
    fallbackModel: options.fallbackModel,
  };
}

/** Requests of the harness, one at a time. */
class Lines {
  readonly #queue: Request[] = [];
  readonly #end = new AbortController();
  #waiting: ((request: Request | null) => void) | null = null;

  constructor({ stdin }: World) {
    readLines(
      stdin,
      Buffer.alloc(0),
      (line) => this.#take(line),
      () => {
        this.#end.abort();
        this.#waiting?.(null);
      },
    );
  }

  /** Aborted when the harness closes its end. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  request(): Promise<Request | null> {
    const next = this.#queue.shift();
    if (next !== undefined) return Promise.resolve(next);
    if (this.#end.signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting = (request) => {
        this.#waiting = null;
        resolve(request);
      };
    });
  }

  #take(line: string): void {
    const frame = parseFrame(line);
    if (typeof frame?.instruction !== "string") return;
    const request: Request = {
      instruction: frame.instruction,
      output: typeof frame.output === "string" ? frame.output : null,
      exit_code: typeof frame.exit_code === "number" ? frame.exit_code : null,
      cwd: typeof frame.cwd === "string" ? frame.cwd : "/",
    };
    if (this.#waiting === null) this.#queue.push(request);
    else this.#waiting(request);
  }
}
