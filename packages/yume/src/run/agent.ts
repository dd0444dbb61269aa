// An agent at work: one conversation, turn after turn. Each turn ends in exactly one result, whatever happened.
import type { Options } from "../argv/options.ts";
import type { InitFacts, ResultFacts } from "../frames/run-event.ts";
import { blockOf, contextOf, stopOf } from "../hooks/hooks.ts";
import { compact, estimateTokens } from "../loop/compact.ts";
import type { Kit, Toolbox } from "../loop/kit.ts";
import { type Limits, type LoopEnd, runLoop } from "../loop/run-loop.ts";
import type { Validate } from "../loop/structured-output.ts";
import type { McpStatus } from "../mcp/mcp-servers.ts";
import type { ImagePart, TextPart } from "../model/types.ts";
import type { Session } from "../session/session.ts";
import { expandCommand, readSlash, type SlashCommand } from "../settings/slash-commands.ts";
import { kindOf } from "../yume-error.ts";
import { describeContext } from "./describe-context.ts";

export type Prompt = { content: (TextPart | ImagePart)[]; uuid: string | null };

export type AgentParts = {
  kit: Kit;
  session: Session;
  options: Options;
  model: string;
  system: () => string;
  toolbox: () => Toolbox;
  init: () => Omit<InitFacts, "model" | "permissionMode" | "tools">;
  save: (session: Session) => void;
  now: () => Date;
  commands: readonly SlashCommand[];
  /** The MCP servers, for hosts that look at them or change them. */
  mcp: {
    status: () => readonly McpStatus[];
    set: (servers: Record<string, unknown>) => Promise<Record<string, unknown>>;
    reconnect: (name: string) => Promise<McpStatus | null>;
    toggle: (name: string, enabled: boolean) => Promise<void>;
  };
  structured: { schema: Record<string, unknown>; validate: Validate } | null;
  close: () => Promise<void>;
};

/** In the flat dialect a run that nobody limits still ends. */
const FLAT_MOST_TURNS = 200;
const SESSION_END_MS = 60_000;

export class Agent {
  readonly #parts: AgentParts;
  #model: string;
  #initialised = false;
  #began = false;
  #deadline: AbortSignal | null = null;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#model = parts.model;
  }

  get session(): Session {
    return this.#parts.session;
  }

  get model(): string {
    return this.#model;
  }

  get kit(): Kit {
    return this.#parts.kit;
  }

  get mcp(): AgentParts["mcp"] {
    return this.#parts.mcp;
  }

  /** How full the model's window is, by estimates of what each part takes. */
  contextUsage(): Record<string, unknown> {
    const { kit, session, system, toolbox } = this.#parts;
    const specs = [...toolbox().values()].map(({ spec }) => spec);
    const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
    return describeContext({
      model: this.#model,
      window: kit.provider.capabilities(this.#model).context_window,
      system: tokens(system()),
      tools: specs.filter(({ name }) => !name.startsWith("mcp__")).map((spec) => ({ name: spec.name, tokens: tokens(spec) })),
      mcpTools: specs.filter(({ name }) => name.startsWith("mcp__")).map((spec) => ({ name: spec.name, tokens: tokens(spec) })),
      messages: estimateTokens(session.turns),
    });
  }

  setModel(model: string | null): void {
    this.#model = model ?? this.#parts.kit.provider.default_model;
  }

  /** The limits of the turn that runs. */
  get limits(): Limits {
    const { maxTurns, maxBudgetUsd, maxSeconds, dialect } = this.#parts.options;
    return {
      maxTurns: maxTurns ?? (dialect === "yume" ? FLAT_MOST_TURNS : null),
      maxBudgetUsd,
      maxSeconds,
      deadline: this.#deadline,
    };
  }

  /** Tell who is at work: once a process in the flat dialect, once a turn in Claude's. */
  announce(): void {
    const { kit, options, toolbox, init } = this.#parts;
    if (this.#initialised && options.dialect === "yume") return;
    this.#initialised = true;
    kit.emit({ type: "init", ...init(), model: this.#model, permissionMode: kit.gate.mode, tools: [...toolbox().keys()] });
  }

  /** One turn of the user. */
  async turn(prompt: Prompt, signal: AbortSignal): Promise<ResultFacts> {
    const { kit, session, options, structured } = this.#parts;
    // Steady as well, and `performance` would have to be loaded before the first line.
    const started = process.uptime();
    kit.ledger.beginTurn();
    kit.denials.length = 0;
    this.#deadline = options.maxSeconds === null ? null : AbortSignal.timeout(options.maxSeconds * 1_000);
    this.announce();
    kit.emit({ type: "user", text: textOf(prompt), uuid: prompt.uuid });
    const end = await this.#think(prompt, signal).catch((error: unknown): LoopEnd => {
      const words = kit.redact(error instanceof Error ? error.message : String(error));
      return {
        subtype: "error_during_execution",
        text: "",
        stop_reason: null,
        errors: [words],
        kind: kindOf(error),
        interrupted: signal.aborted,
      };
    });
    if (end.interrupted) kit.emit({ type: "interrupted" });
    else if (end.kind !== null) kit.emit({ type: "error", message: end.errors.join("\n"), kind: end.kind });
    const facts: ResultFacts = {
      subtype: end.subtype,
      duration_ms: Math.round((process.uptime() - started) * 1_000),
      duration_api_ms: kit.ledger.apiMs,
      num_turns: kit.ledger.requests,
      result: end.text,
      stop_reason: end.stop_reason,
      total_cost_usd: kit.ledger.costUsd,
      usage: kit.ledger.turnUsage,
      models: kit.ledger.models,
      permission_denials: [...kit.denials],
      errors: end.errors,
      ...(structured === null || end.structured_output === undefined ? {} : { structured_output: end.structured_output }),
    };
    if (options.persist) session.models = kit.ledger.models;
    kit.emit({ type: "result", ...facts });
    return facts;
  }

  async close(): Promise<void> {
    const { hooks } = this.#parts.kit;
    if (this.#began && hooks.has("SessionEnd"))
      await hooks.fire("SessionEnd", { reason: "other" }, AbortSignal.timeout(SESSION_END_MS), "other");
    return this.#parts.close();
  }

  async #think(prompt: Prompt, signal: AbortSignal): Promise<LoopEnd> {
    const { kit, session, structured } = this.#parts;
    const typed = readSlash(textOf(prompt));
    if (typed?.name === "compact") return this.#compact(typed.args, signal);
    const started = await this.#begin(signal);
    const hook = await kit.hooks.fire("UserPromptSubmit", { prompt: textOf(prompt) }, signal);
    const refused = stopOf(hook) ?? blockOf(hook);
    if (refused !== null)
      return {
        subtype: "error_during_execution",
        text: "",
        stop_reason: null,
        errors: [refused],
        kind: null,
        interrupted: false,
      };
    const context = [...started, ...contextOf(hook)].map((text): TextPart => ({ type: "text", text }));
    session.begun = [];
    session.turns.push({ role: "user", content: [...this.#expand(prompt, typed), ...context] });
    this.#save();
    const end = await runLoop(kit, {
      model: () => this.#model,
      system: this.#parts.system(),
      turns: session.turns,
      toolbox: this.#parts.toolbox(),
      parent: null,
      signal,
      structured,
      limits: this.limits,
      save: () => this.#save(),
      begin: (id) => {
        session.begun = [...(session.begun ?? []), id];
        this.#save();
      },
    });
    this.#save();
    return end;
  }

  /** `/name` as the command that it stands for; what is no command is a prompt. */
  #expand({ content }: Prompt, typed: { name: string; args: string } | null): Prompt["content"] {
    const command = typed === null ? undefined : this.#parts.commands.find(({ name }) => name === typed.name);
    if (command === undefined || typed === null) return content;
    const images = content.filter((part) => part.type !== "text");
    return [{ type: "text", text: expandCommand(command, typed.args) }, ...images];
  }

  /** `/compact`: the conversation becomes its summary now. */
  async #compact(instructions: string, signal: AbortSignal): Promise<LoopEnd> {
    const { kit, session } = this.#parts;
    const { turns } = session;
    const end = (errors: string[]): LoopEnd => ({
      subtype: errors.length === 0 ? "success" : "error_during_execution",
      text: errors.length === 0 ? "The conversation was compacted." : "",
      stop_reason: null,
      errors,
      kind: null,
      interrupted: signal.aborted,
    });
    if (turns.length < 2) return end(["There is nothing to compact yet."]);
    const preTokens = estimateTokens(turns);
    await compact(kit, { model: this.#model, turns, parent: null, signal, trigger: "manual", preTokens, instructions });
    this.#save();
    return end([]);
  }

  /** The first turn of this process: what SessionStart hooks want the model to know. */
  async #begin(signal: AbortSignal): Promise<string[]> {
    const { kit, session } = this.#parts;
    if (this.#began) return [];
    this.#began = true;
    const source = session.turns.length === 0 ? "startup" : "resume";
    return contextOf(await kit.hooks.fire("SessionStart", { source, model: this.#model }, signal, source));
  }

  #save(): void {
    const { session, save, now, kit } = this.#parts;
    session.updated_at = now().toISOString();
    session.provider = kit.provider.name;
    session.model = this.#model;
    save(session);
  }
}

/** The words of a prompt. */
function textOf(prompt: Prompt): string {
  return prompt.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
