// Asking a tool of an MCP server before a call (`--permission-prompt-tool mcp__server__tool`). What is no clear yes is a no.
import type { ToolInput } from "../model/types.ts";
import type { CallFacts, ToolOutput } from "../tools/tool.ts";
import type { Asker, Call, Gate, Permission } from "./gate.ts";
import { readAnswer } from "./read-answer.ts";

export class ToolAsker implements Asker {
  readonly #name: string;
  readonly #run: (input: ToolInput, signal: AbortSignal) => Promise<ToolOutput>;
  readonly #gate: () => Gate;

  constructor(name: string, run: (input: ToolInput, signal: AbortSignal) => Promise<ToolOutput>, gate: () => Gate) {
    this.#name = name;
    this.#run = run;
    this.#gate = gate;
  }

  async ask(call: Call, _facts: CallFacts, why: string, signal: AbortSignal): Promise<Permission> {
    try {
      const output = await this.#run({ tool_name: call.name, input: call.input, tool_use_id: call.id }, signal);
      const words = output.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      const answer = output.is_error ? null : answerIn(words);
      if (answer !== null) return readAnswer(answer, call, this.#gate(), `${this.#name} said no`);
      return this.#deny(call, why, `${this.#name} gave no answer that can be read: ${words.slice(0, 500)}`, false);
    } catch (error) {
      return this.#deny(call, why, `${this.#name} failed: ${(error as Error).message}`, signal.aborted);
    }
  }

  #deny(call: Call, why: string, words: string, interrupt: boolean): Permission {
    return {
      behavior: "deny",
      message: `${call.name} was not run: ${why}, and ${words}`,
      reason: "no answer of the tool",
      interrupt,
    };
  }
}

function answerIn(words: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(words);
    if (typeof value !== "object" || value === null) return null;
    const { behavior } = value as { behavior?: unknown };
    return behavior === "allow" || behavior === "deny" ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
