// The calls of one message. Calls that change nothing run side by side, every other one alone, in order; each has a result.

import { observableInput, toolResponse } from "../hooks/hook-facts.ts";
import { contextOf, stopOf } from "../hooks/hooks.ts";
import type { ToolInput, ToolResultPart, ToolUsePart } from "../model/types.ts";
import type { CallClass } from "../permissions/table.ts";
import { checkInput, readInput } from "../tools/check-input.ts";
import { spill } from "../tools/spill.ts";
import { failure, type Tool, type ToolContext, ToolError, type ToolOutput } from "../tools/tool.ts";
import type { Kit, Toolbox } from "./kit.ts";

const SIDE_BY_SIDE = 8;
/** Classes of calls that can simply be made again. */
const CHANGES_NOTHING: ReadonlySet<CallClass> = new Set(["own", "read", "read_outside"]);

export type CallsEnd = {
  /** Words of hooks for the model. */
  context: string[];
  /** Somebody ended the run with an answer. */
  interrupted: boolean;
  /** A hook ended the run. */
  stopped: string | null;
};

/** Told while calls run, so that whatever happens next is on record. */
export type CallsRecord = {
  /** A call that may change something is about to act. */
  begin: (id: string) => void;
  /** Results, in the order of their calls. */
  done: (results: ToolResultPart[]) => void;
};

/** Run all calls. */
export async function runCalls(
  kit: Kit,
  toolbox: Toolbox,
  calls: readonly ToolUsePart[],
  parent: string | null,
  signal: AbortSignal,
  record: CallsRecord,
): Promise<CallsEnd> {
  const end: CallsEnd = { context: [], interrupted: false, stopped: null };
  for (const group of groupCalls(calls, toolbox)) {
    const results = await Promise.all(
      group.map(async (call) => {
        const ended = signal.aborted || end.interrupted || end.stopped !== null;
        const output = ended
          ? failure("The call was not run: the run was interrupted.")
          : await runCall(kit, toolbox, call, end, signal, record);
        const content = output.content.map((part) =>
          part.type === "text" ? { ...part, text: spill(kit.redact(part.text), kit.outputs, call.id) } : part,
        );
        kit.emit({ type: "tool_result", tool_use_id: call.id, tool_name: call.name, content, is_error: output.is_error, parent });
        return { type: "tool_result" as const, tool_use_id: call.id, content, is_error: output.is_error };
      }),
    );
    record.done(results);
  }
  return end;
}

function groupCalls(calls: readonly ToolUsePart[], toolbox: Toolbox): ToolUsePart[][] {
  const groups: ToolUsePart[][] = [];
  let open = false;
  for (const call of calls) {
    const parallel = toolbox.get(call.name)?.parallel === true;
    const last = groups.at(-1);
    if (parallel && open && last !== undefined && last.length < SIDE_BY_SIDE) last.push(call);
    else groups.push([call]);
    open = parallel;
  }
  return groups;
}

async function runCall(
  kit: Kit,
  toolbox: Toolbox,
  call: ToolUsePart,
  end: CallsEnd,
  signal: AbortSignal,
  record: CallsRecord,
): Promise<ToolOutput> {
  const tool = toolbox.get(call.name);
  if (tool === undefined) return failure(`There is no tool ${call.name}. There are: ${[...toolbox.keys()].join(", ")}.`);
  const input = readInput(tool.spec, call.input);
  const problem = checkInput(tool.spec, input);
  if (problem !== null) return failure(problem);
  const context: ToolContext = { ...kit.world, signal, toolUseId: call.id };
  try {
    const hook = await kit.hooks.beforeCall(call.name, input, call.id, signal, seenBy(kit, input));
    end.context.push(...hook.context);
    if (hook.stop !== null) {
      end.stopped = hook.stop;
      return failure(`${call.name} was not run: ${hook.stop}`);
    }
    const asked = { id: call.id, name: call.name, input: hook.input };
    const facts = await tool.classify(asked.input, context);
    const permission = await kit.gate.check(asked, facts, hook.verdict, signal);
    if (permission.behavior === "deny") {
      kit.denials.push({ tool_name: call.name, tool_use_id: call.id, tool_input: asked.input });
      kit.emit({
        type: "permission_denied",
        tool_name: call.name,
        tool_use_id: call.id,
        message: permission.message,
        reason: permission.reason,
        by_host: permission.byHost === true,
      });
      if (permission.interrupt) end.interrupted = true;
      return failure(permission.message);
    }
    if (!CHANGES_NOTHING.has(facts.callClass) || call.name === "Task") record.begin(call.id);
    return await execute(kit, tool, permission.input, context, end);
  } catch (error) {
    return failure(wordsOf(call.name, error, signal));
  }
}

async function execute(kit: Kit, tool: Tool, input: ToolInput, context: ToolContext, end: CallsEnd): Promise<ToolOutput> {
  const { name } = tool.spec;
  const problem = checkInput(tool.spec, input);
  if (problem !== null) return failure(problem);
  const started = process.uptime();
  const output = await tool.run(input, context).catch((error: unknown) => failure(wordsOf(name, error, context.signal)));
  const event = output.is_error ? "PostToolUseFailure" : "PostToolUse";
  if (!kit.hooks.has(event)) return output;
  const words = kit.redact(output.content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n"));
  const seen = seenBy(kit, input);
  const told = output.is_error
    ? { error: words, is_interrupt: context.signal.aborted }
    : { tool_response: toolResponse(name, seen, words) };
  const duration_ms = Math.round((process.uptime() - started) * 1_000);
  const after = await kit.hooks.fire(
    event,
    { tool_name: name, tool_input: seen, tool_use_id: context.toolUseId, ...told, duration_ms },
    context.signal,
    name,
    context.toolUseId,
  );
  end.context.push(...contextOf(after));
  for (const answer of after.answers)
    if (answer.decision === "block") end.context.push(String(answer.reason ?? "A hook objects to this result."));
  end.stopped ??= stopOf(after);
  return output;
}

const seenBy = ({ world: { workspace } }: Kit, input: ToolInput) => observableInput(input, workspace.cwd, workspace.home);

function wordsOf(name: string, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `${name} was interrupted.`;
  if (error instanceof ToolError) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  const words = error instanceof Error ? error.message : String(error);
  if (code === "ENOSPC") return `${name} failed: the disk is full. Nothing was written. (${words})`;
  if (code === "EACCES" || code === "EPERM") return `${name} failed: this user may not do that. (${words})`;
  return `${name} failed: ${words}`;
}
