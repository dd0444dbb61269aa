// Task and TaskOutput: a sub-agent with a conversation of its own. It has the same gate, and no tool to start others.
import type { Kit, Toolbox } from "../../loop/kit.ts";
import { type Limits, type LoopEnd, runLoop } from "../../loop/run-loop.ts";
import type { Turn } from "../../model/types.ts";
import { failure, schema, type Tool, ToolError, type ToolOutput, text } from "../tool.ts";

/** A kind of sub-agent. */
export type AgentKind = { name: string; description: string; prompt: string; tools: string[] | null; model: string | null };

export type TaskWorld = {
  kit: () => Kit;
  toolbox: () => Toolbox;
  model: () => string;
  system: () => string;
  limits: () => Limits;
  kinds: readonly AgentKind[];
};

type Running = { description: string; ended: Promise<ToolOutput>; output: ToolOutput | null; stop: AbortController };

export const GENERAL: AgentKind = {
  name: "general-purpose",
  description: "Searches, reads and works on a task of several steps, and reports.",
  prompt:
    "You are a sub-agent. Do the task you are given, then answer with a report: what you found or did, with paths. Nobody can answer questions.",
  tools: null,
  model: null,
};

const MOST_TURNS = 100;

/** Kinds that a host or a flag defines: `{name: {description, prompt, tools?, model?}}`. */
export function readAgentKinds(definitions: Record<string, unknown>): AgentKind[] {
  return Object.entries(definitions).flatMap(([name, value]) => {
    const given = value as { description?: unknown; prompt?: unknown; tools?: unknown; model?: unknown } | null;
    if (typeof given?.prompt !== "string") return [];
    const tools = Array.isArray(given.tools) ? given.tools.filter((tool) => typeof tool === "string") : null;
    const model = typeof given.model === "string" && given.model !== "inherit" ? given.model : null;
    return [{ name, description: String(given.description ?? ""), prompt: given.prompt, tools, model }];
  });
}

export class Tasks {
  readonly #world: TaskWorld;
  readonly #running = new Map<string, Running>();

  constructor(world: TaskWorld) {
    this.#world = world;
  }

  tools(): Tool[] {
    return [this.#task(), this.#output()];
  }

  close(): void {
    for (const task of this.#running.values()) task.stop.abort();
  }

  #task(): Tool {
    const { kinds } = this.#world;
    return {
      // Each has its own conversation; their calls pass the same gate one by one.
      parallel: true,
      spec: {
        name: "Task",
        description: `Starts a sub-agent for a task that can be done apart, and gives its report. It knows nothing of this conversation: say everything in prompt. Kinds:\n${kinds.map(({ name, description }) => `- ${name}: ${description}`).join("\n")}`,
        input_schema: schema(
          {
            description: { type: "string", description: "The task in a few words" },
            prompt: { type: "string", description: "The task in full" },
            subagent_type: { type: "string", enum: kinds.map(({ name }) => name) },
            run_in_background: { type: "boolean", description: "Go on at once; TaskOutput gives the report" },
          },
          ["description"],
        ),
      },
      classify: (input) => ({
        callClass: "own",
        subject: { tool: "Task", word: String(input.subagent_type ?? GENERAL.name) },
        summary: `Start a sub-agent: ${String(input.description).slice(0, 150)}`,
      }),
      run: async (input, { signal, toolUseId }) => {
        const kind = kinds.find(({ name }) => name === (input.subagent_type ?? GENERAL.name)) ?? GENERAL;
        const prompt = String(input.prompt ?? input.description);
        if (input.run_in_background !== true) return this.#run(kind, prompt, toolUseId, signal);
        const stop = new AbortController();
        const task: Running = {
          description: String(input.description),
          output: null,
          stop,
          ended: this.#run(kind, prompt, toolUseId, stop.signal),
        };
        void task.ended.then((output) => (task.output = output));
        this.#running.set(toolUseId, task);
        return text(`The sub-agent runs in the background; its task_id is ${toolUseId}. TaskOutput gives its report.`);
      },
    };
  }

  #output(): Tool {
    return {
      parallel: true,
      spec: {
        name: "TaskOutput",
        description: "Gives the report of a sub-agent, or the output of a command, that runs in the background.",
        input_schema: schema(
          {
            task_id: { type: "string", description: "The id that Task or Bash gave" },
            block: { type: "boolean", description: "Wait for its end (default true)" },
            timeout: { type: "number", description: "Wait at most so many milliseconds (default 30000)" },
          },
          [],
        ),
      },
      classify: (input) => ({ callClass: "own", subject: { tool: "TaskOutput" }, summary: `Output of ${String(input.task_id)}` }),
      run: async (input, { shells, signal }) => {
        const ids = [...this.#running.keys(), ...shells.ids()];
        const id = String(input.task_id ?? ids.at(-1) ?? "");
        const wait = (ended: Promise<unknown>) =>
          input.block === false ? undefined : within(ended, Number(input.timeout ?? 30_000), signal);
        const shell = shells.get(id);
        if (shell !== undefined) {
          await wait(shell.ended);
          return text(
            `status: ${shell.status}${shell.exitCode === null ? "" : `, exit code ${shell.exitCode}`}\n${shell.keeper.text()}`,
          );
        }
        const task = this.#running.get(id);
        if (task === undefined)
          throw new ToolError(
            `There is no task ${id}. ${ids.length === 0 ? "None was started." : `There are: ${ids.join(", ")}.`}`,
          );
        await wait(task.ended);
        return task.output ?? text(`status: running (${task.description})`);
      },
    };
  }

  async #run(kind: AgentKind, prompt: string, parent: string, signal: AbortSignal): Promise<ToolOutput> {
    const { kit, toolbox, model, system, limits } = this.#world;
    const turns: Turn[] = [{ role: "user", content: [{ type: "text", text: prompt }] }];
    const own = [...toolbox()].filter(
      ([name]) => name !== "Task" && name !== "TaskOutput" && (kind.tools === null || kind.tools.includes(name)),
    );
    const end = await runLoop(kit(), {
      model: () => kind.model ?? model(),
      system: `${system()}\n\n${kind.prompt}`,
      turns,
      toolbox: new Map(own),
      parent,
      signal,
      limits: { ...limits(), maxTurns: MOST_TURNS },
      save: () => {},
      // The call of Task itself is on record.
      begin: () => {},
      structured: null,
    });
    return report(end);
  }
}

function report(end: LoopEnd): ToolOutput {
  if (end.subtype === "success") return text(end.text === "" ? "(the sub-agent ended without a report)" : end.text);
  return failure(`The sub-agent did not finish: ${end.errors.join("; ")}`);
}

async function within(ended: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(Math.max(0, ms), 600_000));
  signal.addEventListener("abort", () => resolve(), { once: true });
  await Promise.race([ended, promise]);
  clearTimeout(timer);
}
