// Think, act, observe, until the model is done or a limit is reached. The turns grow in place; every way out is a value.

import type { ResultSubtype } from "../frames/run-event.ts";
import { blockOf, stopOf } from "../hooks/hooks.ts";
import { ModelError, type StopReason, type ToolResultPart, type ToolUsePart, type Turn, type UserTurn } from "../model/types.ts";
import { kindOf } from "../yume-error.ts";
import { type Asked, askModel, BrokenOff } from "./ask-model.ts";
import { CompactionError, compact, estimateTokens, isFull } from "./compact.ts";
import { hasImages, withoutImages } from "./drop-images.ts";
import type { Kit, Toolbox } from "./kit.ts";
import { runCalls } from "./run-calls.ts";
import { jsonIn, MOST_TRIES, STRUCTURED_OUTPUT, structuredOutputSpec, type Validate } from "./structured-output.ts";

export type Limits = {
  maxTurns: number | null;
  maxBudgetUsd: number | null;
  deadline: AbortSignal | null;
  maxSeconds: number | null;
};

export type LoopInput = {
  model: () => string;
  system: string;
  turns: Turn[];
  toolbox: Toolbox;
  parent: string | null;
  signal: AbortSignal;
  limits: Limits;
  /** After every change of the turns. */
  save: () => void;
  /** A call is about to act: recorded before it does. */
  begin: (id: string) => void;
  structured: { schema: Record<string, unknown>; validate: Validate } | null;
};

export type LoopEnd = {
  subtype: ResultSubtype;
  text: string;
  stop_reason: StopReason | null;
  errors: string[];
  /** The word for an error of the provider. */
  kind: string | null;
  interrupted: boolean;
  structured_output?: unknown;
};

/** A long answer takes many messages where the output limit is small; one that says nothing new ends sooner. */
const MOST_CONTINUATIONS = 50;
const MOST_EMPTY_CONTINUATIONS = 2;
const MOST_STOP_BLOCKS = 10;

/** Run until the end. Never throws for what a provider, a tool or a limit does. */
export async function runLoop(kit: Kit, input: LoopInput): Promise<LoopEnd> {
  const loop = new Loop(kit, input);
  try {
    return await loop.run();
  } catch (error) {
    return loop.failed(error);
  }
}

function refusesImages(error: unknown): boolean {
  return (
    error instanceof ModelError &&
    (error.kind === "bad_request" || error.kind === "not_found") &&
    /image|vision|multimodal|media.?type|document|pdf|file_data|unsupported content/i.test(error.message)
  );
}

class Loop {
  readonly #kit: Kit;
  readonly #input: LoopInput;
  readonly #signal: AbortSignal;
  #requests = 0;
  #continuations = 0;
  #emptyContinuations = 0;
  #lastSaid = "";
  /** The last message was cut off at the output limit: the next one goes on with it. */
  #unfinished = false;
  #stopBlocks = 0;
  #badOutputs = 0;
  #text = "";
  #stopReason: StopReason | null = null;

  constructor(kit: Kit, input: LoopInput) {
    this.#kit = kit;
    this.#input = input;
    this.#signal = input.limits.deadline === null ? input.signal : AbortSignal.any([input.signal, input.limits.deadline]);
  }

  async run(): Promise<LoopEnd> {
    const { turns, save } = this.#input;
    for (;;) {
      const limit = this.#limitReached();
      if (limit !== null) return limit;
      const asked = await this.#ask();
      this.#stopReason = asked.stop_reason;
      if (asked.parts.length > 0) turns.push({ role: "assistant", content: asked.parts });
      const said = asked.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      const calls = asked.parts.filter((part) => part.type === "tool_use");
      if (said !== "") this.#text = this.#unfinished ? this.#text + said : said;
      this.#unfinished = asked.stop_reason === "max_tokens" && calls.length === 0;
      // Saved before anything acts: whoever resumes must know that these calls were made.
      if (calls.length > 0) save();
      const end = calls.length > 0 ? await this.#act(calls) : await this.#finish(asked, said);
      save();
      if (end !== null) return end;
      await this.#makeRoom(asked);
    }
  }

  /** An error as the end of the run. */
  failed(error: unknown): LoopEnd {
    if (error instanceof BrokenOff && error.said !== "")
      this.#input.turns.push({ role: "assistant", content: [{ type: "text", text: error.said }] });
    if (this.#input.signal.aborted)
      return { ...this.#end("error_during_execution", ["The run was interrupted."]), interrupted: true };
    if (this.#input.limits.deadline?.aborted)
      return this.#end("error_during_execution", [`The time limit of ${this.#input.limits.maxSeconds} seconds was reached.`]);
    const words = error instanceof Error ? error.message : String(error);
    return {
      ...this.#end("error_during_execution", [this.#kit.redact(words)]),
      kind: kindOf(error),
    };
  }

  #end(subtype: ResultSubtype, errors: string[] = []): LoopEnd {
    return {
      subtype,
      text: subtype === "success" || this.#unfinished ? this.#text : "",
      stop_reason: this.#stopReason,
      errors,
      kind: null,
      interrupted: false,
    };
  }

  #limitReached(): LoopEnd | null {
    const { maxTurns, maxBudgetUsd } = this.#input.limits;
    if (maxTurns !== null && this.#requests >= maxTurns)
      return this.#end("error_max_turns", [`The limit of ${maxTurns} turns was reached.`]);
    const cost = this.#kit.ledger.costUsd;
    if (maxBudgetUsd !== null && cost === null)
      return this.#end("error_max_budget_usd", ["A model answered whose price is not known, so that the budget cannot be kept."]);
    if (maxBudgetUsd !== null && cost !== null && cost >= maxBudgetUsd)
      return this.#end("error_max_budget_usd", [`The budget of ${maxBudgetUsd} USD is used up.`]);
    return null;
  }

  /** Ask; a history that is too long for the model is compacted once and asked again. */
  async #ask(): Promise<Asked> {
    const { system, turns, toolbox, parent, structured } = this.#input;
    this.#requests++;
    const model = this.#input.model();
    const specs = [...toolbox.values()].map((tool) => tool.spec);
    const tools = structured === null ? specs : [...specs, structuredOutputSpec(structured.schema)];
    const question = { model, system, turns, tools, parent, signal: this.#signal };
    try {
      return await askModel(this.#kit, question);
    } catch (error) {
      if (refusesImages(error) && hasImages(turns)) {
        // An image that a provider refuses would be refused with every request that follows.
        turns.splice(0, turns.length, ...withoutImages(turns, "the provider refused it"));
        this.#kit.emit({
          type: "notice",
          text: `Images were left out of the conversation: ${this.#kit.redact((error as Error).message)}`,
        });
        return askModel(this.#kit, question);
      }
      if (!(error instanceof ModelError) || error.kind !== "context_too_long") throw error;
      const shorter = await compact(this.#kit, {
        model,
        turns,
        parent,
        signal: this.#signal,
        trigger: "auto",
        preTokens: estimateTokens(turns),
      });
      if (!shorter) throw error;
      return askModel(this.#kit, question);
    }
  }

  async #act(calls: ToolUsePart[]): Promise<LoopEnd | null> {
    const { turns, toolbox, parent, structured } = this.#input;
    const own = structured === null ? [] : calls.filter((call) => call.name === STRUCTURED_OUTPUT);
    const others = calls.filter((call) => !own.includes(call));
    const content: UserTurn["content"] = [];
    turns.push({ role: "user", content });
    const ran = await runCalls(this.#kit, toolbox, others, parent, this.#signal, {
      begin: this.#input.begin,
      done: (results) => {
        content.push(...results);
        this.#input.save();
      },
    });
    const answers = own.map((call) => this.#judge(call));
    content.push(...answers.map(({ result }) => result));
    if (ran.context.length > 0) content.push({ type: "text", text: ran.context.join("\n") });
    if (this.#signal.aborted) return this.failed(new ModelError("aborted", "The run was interrupted."));
    if (ran.interrupted)
      return {
        ...this.#end("error_during_execution", ["The run was interrupted by an answer to a permission request."]),
        interrupted: true,
      };
    if (ran.stopped !== null) return this.#end("error_during_execution", [ran.stopped]);
    const good = answers.find((answer) => answer.fits);
    if (good !== undefined) return { ...this.#end("success"), text: JSON.stringify(good.value), structured_output: good.value };
    return this.#badOutputs >= MOST_TRIES
      ? this.#end("error_max_structured_output_retries", [`No answer fitted the schema in ${MOST_TRIES} tries.`])
      : null;
  }

  #judge(call: ToolUsePart): { result: ToolResultPart; fits: boolean; value: unknown } {
    const problem = this.#input.structured?.validate(call.input) ?? null;
    if (problem !== null) this.#badOutputs++;
    const text =
      problem === null
        ? "The answer was taken."
        : `The answer does not fit the schema: ${problem}. Correct it and call ${STRUCTURED_OUTPUT} again.`;
    const content = [{ type: "text" as const, text }];
    this.#kit.emit({
      type: "tool_result",
      tool_use_id: call.id,
      tool_name: call.name,
      content,
      is_error: problem !== null,
      parent: this.#input.parent,
    });
    return {
      result: { type: "tool_result", tool_use_id: call.id, content, is_error: problem !== null },
      fits: problem === null,
      value: call.input,
    };
  }

  /** The model wants to end: may it? */
  async #finish(asked: Asked, said: string): Promise<LoopEnd | null> {
    if (asked.stop_reason === "refusal")
      return { ...this.#end("error_during_execution", [said || "The model refused to answer."]), kind: "refused" };
    if (asked.stop_reason === "max_tokens") {
      if (said === "" || said === this.#lastSaid) this.#emptyContinuations++;
      this.#lastSaid = said;
      if (++this.#continuations > MOST_CONTINUATIONS || this.#emptyContinuations > MOST_EMPTY_CONTINUATIONS)
        return this.#end("error_during_execution", ["The model reached its output limit again and again."]);
      return this.#say(
        "Your last message was cut off at the output limit; a tool call that was cut off was not run. Go on exactly where you stopped, in smaller steps.",
      );
    }
    const { structured, parent } = this.#input;
    if (structured !== null) {
      const value = jsonIn(said);
      if (value !== undefined && structured.validate(value) === null)
        return { ...this.#end("success"), text: JSON.stringify(value), structured_output: value };
      if (++this.#badOutputs >= MOST_TRIES)
        return this.#end("error_max_structured_output_retries", [`No answer fitted the schema in ${MOST_TRIES} tries.`]);
      return this.#say(`Give your answer by calling ${STRUCTURED_OUTPUT}.`);
    }
    const event = parent === null ? "Stop" : "SubagentStop";
    if (this.#kit.hooks.has(event)) {
      const outcome = await this.#kit.hooks.fire(
        event,
        { stop_hook_active: this.#stopBlocks > 0, last_assistant_message: this.#text },
        this.#signal,
      );
      const blocked = stopOf(outcome) === null ? blockOf(outcome) : null;
      if (blocked !== null && ++this.#stopBlocks <= MOST_STOP_BLOCKS) return this.#say(blocked);
    }
    return this.#end("success");
  }

  #say(text: string): null {
    this.#input.turns.push({ role: "user", content: [{ type: "text", text }] });
    return null;
  }

  async #makeRoom(asked: Asked): Promise<void> {
    const { turns, parent, save } = this.#input;
    const model = this.#input.model();
    const used =
      asked.usage.input_tokens +
      asked.usage.cache_read_input_tokens +
      asked.usage.cache_creation_input_tokens +
      asked.usage.output_tokens;
    if (!isFull(this.#kit, model, turns, used)) return;
    try {
      await compact(this.#kit, { model, turns, parent, signal: this.#signal, trigger: "auto", preTokens: used });
    } catch (error) {
      // There is still room: the run goes on with its whole history, and says so.
      if (!(error instanceof CompactionError)) throw error;
      this.#kit.emit({ type: "notice", text: error.message });
    }
    save();
  }
}
