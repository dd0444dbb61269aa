// A provider that is somebody's program. Its tools are its own: our tools are not offered to it, and what it runs is
// under its own permissions. Its turn is therefore only text, and notes of what it did.
import {
  type AssistantTurn,
  type ModelCapabilities,
  ModelError,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type Usage,
} from "../../model/types.ts";
import { PermanentModelError } from "../permanent-error.ts";
import { type Answerer, errorFromMessage } from "../transport/http-error.ts";
import { driveProgram, type Ended, type Program } from "./drive-program.ts";
import { renderPrompt } from "./render-prompt.ts";

/** What one line of a program means. */
export type ProgramLine =
  | { says: "text" | "thinking"; text: string }
  | { says: "note"; text: string }
  | { says: "model"; model: string }
  | { says: "done"; usage: Usage | null }
  | { says: "failed"; message: string; status: number | null }
  | { says: "nothing" };

export type ProgramKind = {
  name: string;
  command: string;
  install: string;
  authHint: string;
  args(model: string | null): string[];
  /** Reads the lines of one run; a run has a reader of its own. */
  reader(): (line: Record<string, unknown>) => ProgramLine;
  /** Variables to try with when it knows nobody, or null. */
  otherAccess?(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<NodeJS.ProcessEnv | null>;
};

type ProgramOptions = {
  kind: ProgramKind;
  model: string | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  idleTimeoutMs: number;
};

/** The model's name while nobody chose one: the program has a default of its own. */
const ownDefault = "default";

const nothingUsed: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export class ProgramProvider implements ModelProvider {
  readonly name: string;
  readonly default_model: string;
  readonly #options: ProgramOptions;

  constructor(options: ProgramOptions) {
    this.name = options.kind.name;
    this.default_model = options.model || ownDefault;
    this.#options = options;
  }

  /** No tools of ours, no pictures. */
  capabilities(): ModelCapabilities {
    return { context_window: 200_000, max_output_tokens: 32_000, tools: false, images: false };
  }

  async *stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    const { kind, env } = this.#options;
    try {
      yield* this.#run(request, env, signal);
    } catch (error) {
      const other = error instanceof ModelError && error.kind === "auth" ? await kind.otherAccess?.(env, signal) : null;
      if (other === null || other === undefined) throw error;
      yield { type: "retry", attempt: 1, max_retries: 1, delay_ms: 0, error: (error as ModelError).message, status: null };
      yield* this.#run(request, other, signal);
    }
  }

  async *#run(request: ModelRequest, env: NodeJS.ProcessEnv, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { kind, cwd, idleTimeoutMs } = this.#options;
    const { command, install, authHint } = kind;
    const from: Answerer = { label: command, authHint };
    const args = kind.args(request.model === ownDefault ? null : request.model);
    const program: Program = { command, args, input: renderPrompt(request), env, cwd, signal, idleTimeoutMs, install };
    const read = kind.reader();
    const parts: AssistantTurn["content"] = [];
    let model = request.model;
    let usage: Usage | null = null;
    let done = false;
    const lines = driveProgram(program);
    let ended: Ended | null = null;
    try {
      for (let next = await lines.next(); ; next = await lines.next()) {
        if (next.done === true) {
          ended = next.value;
          break;
        }
        const line = read(next.value);
        if (line.says === "failed") throw asFinal(errorFromMessage(line.message, line.status, from));
        if (line.says === "model") model = line.model;
        else if (line.says === "done") {
          done = true;
          usage = line.usage ?? usage;
        } else if (line.says !== "nothing") {
          const type = line.says === "text" ? "text" : "thinking";
          add(parts, type, line.text);
          yield type === "text" ? { type: "text_delta", text: line.text } : { type: "thinking_delta", text: line.text };
        }
      }
    } finally {
      await lines.return({ code: null, stderr: "" });
    }
    if (!done || ended.code !== 0) throw asFinal(exitError(ended, from));
    yield { type: "end", stop_reason: "end_turn", parts, usage: usage ?? nothingUsed, model };
  }
}

function add(parts: AssistantTurn["content"], type: "text" | "thinking", text: string): void {
  const last = parts.at(-1);
  if (type === "text" && last?.type === "text") last.text += text;
  else if (type === "thinking" && last?.type === "thinking") last.thinking += text;
  else parts.push(type === "text" ? { type, text } : { type, thinking: text });
}

/** The program has tried again by itself as often as it wanted. */
const asFinal = (error: ModelError) => new PermanentModelError(error.kind, error.message, error);

function exitError({ code, stderr }: Ended, from: Answerer): ModelError {
  const last = stderr.slice(-600) || "it said nothing about why";
  if (/no authentication|not logged in|log ?in|unauthorized/i.test(stderr)) return errorFromMessage(last, 401, from);
  const how = code === null ? "was ended by a signal" : `ended with exit code ${code}`;
  return new ModelError("broken_stream", `${from.label} ${how} before its turn was complete: ${last}`);
}
