// The host on standard input, for as long as it speaks: prompts are queued, control is acted on at once, and each prompt
// becomes one turn with one result. When input ends, what is queued is finished and the process may exit.
import type { Frame } from "../frames/encoder.ts";
import { isPermissionMode, PERMISSION_MODES } from "../permissions/mode.ts";
import type { Agent, Prompt } from "../run/agent.ts";
import type { HostWishes } from "../run/make-agent.ts";
import type { ControlChannel } from "./control-channel.ts";
import type { FlatAsker } from "./host-asker.ts";
import { type HostInput, readInput } from "./inputs.ts";

export type StdinHostOptions = {
  channel: ControlChannel;
  flatAsker: FlatAsker;
  /** Make the agent when it is first needed; the host's wishes are known by then. */
  agent: (wishes: HostWishes) => Promise<Agent>;
  /** Tell that the agent could not be made, as the result of a turn. */
  fail: (error: unknown) => void;
  complain: (words: string) => void;
  setMode: (mode: string) => void;
  /** Whether the host may switch to bypassPermissions. */
  mayBypass: boolean;
  describe: () => Frame;
};

export class StdinHost {
  readonly #options: StdinHostOptions;
  readonly #queue: Prompt[] = [];
  #wishes: HostWishes = {};
  #agent: Agent | null = null;
  #making: Promise<Agent> | null = null;
  #pendingModel: string | null | undefined;
  #turn: AbortController | null = null;
  #ended = false;
  #stopped = false;
  #wake: () => void = () => {};
  #turns = 0;
  #failed = false;

  constructor(options: StdinHostOptions) {
    this.#options = options;
  }

  /** One frame of the host. */
  take(frame: Frame): void {
    const input = readInput(frame);
    switch (input.type) {
      case "prompt":
        this.#queue.push(input.prompt);
        this.#wake();
        break;
      case "interrupt":
        this.#turn?.abort();
        break;
      case "set_permission_mode":
        if (isPermissionMode(input.mode)) this.#options.setMode(input.mode);
        else this.#options.complain(`set_permission_mode takes ${PERMISSION_MODES.join(", ")}`);
        break;
      case "tool_approval":
        this.#options.flatAsker.settle(input.id, input.approved, input.message);
        break;
      case "control_request":
        this.#control(input);
        break;
      case "control_response":
        this.#options.channel.settle(input.frame);
        break;
      case "wrong":
        this.#options.complain(input.why);
        break;
    }
  }

  /** Input has ended: nobody will answer or ask any more. */
  end(): void {
    this.#ended = true;
    this.#options.channel.close();
    this.#options.flatAsker.close();
    this.#wake();
  }

  /** End the turn that runs and take no more. */
  stop(): void {
    this.#stopped = true;
    this.#turn?.abort();
    this.#wake();
  }

  /** Serve until input has ended and everything is answered. True when the last turn succeeded. */
  async serve(startAtOnce: boolean): Promise<boolean> {
    if (startAtOnce) {
      try {
        this.#agent = await this.#make();
        this.#agent.announce();
      } catch (error) {
        this.#options.fail(error);
        return false;
      }
    }
    for (;;) {
      const prompt = this.#stopped ? undefined : this.#queue.shift();
      if (prompt !== undefined) await this.#run(prompt);
      else if (this.#ended || this.#stopped) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#turns === 0) this.#options.fail(new Error("Input ended before there was a message."));
    return this.#turns > 0 && !this.#failed;
  }

  async #run(prompt: Prompt): Promise<void> {
    this.#turns++;
    const turn = new AbortController();
    this.#turn = turn;
    try {
      this.#agent ??= await this.#make();
      if (this.#pendingModel !== undefined) this.#agent.setModel(this.#pendingModel);
      this.#pendingModel = undefined;
      const result = await this.#agent.turn(prompt, turn.signal);
      this.#failed = result.subtype !== "success";
    } catch (error) {
      this.#failed = true;
      this.#options.fail(error);
    } finally {
      this.#turn = null;
    }
  }

  #control({ id, request }: Extract<HostInput, { type: "control_request" }>): void {
    const { channel } = this.#options;
    switch (request.subtype) {
      case "initialize":
        this.#initialize(request);
        channel.answer(id, this.#options.describe());
        break;
      case "interrupt":
        this.#turn?.abort();
        channel.answer(id, { still_queued: this.#queue.map((prompt) => prompt.uuid) });
        break;
      case "set_permission_mode":
        if (request.mode === "bypassPermissions" && !this.#options.mayBypass)
          channel.refuse(
            id,
            "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions",
            "invalid_request",
          );
        else if (isPermissionMode(request.mode)) {
          this.#options.setMode(request.mode);
          channel.answer(id, { mode: request.mode });
        } else channel.refuse(id, `There is no permission mode ${String(request.mode)}.`, "invalid_request");
        break;
      case "set_model":
        this.#setModel(typeof request.model === "string" ? request.model : null);
        channel.answer(id, {});
        break;
      case "set_max_thinking_tokens":
        if (this.#agent !== null) {
          const tokens = typeof request.max_thinking_tokens === "number" ? request.max_thinking_tokens : null;
          this.#agent.kit.thinking = { ...this.#agent.kit.thinking, tokens };
        }
        channel.answer(id, {});
        break;
      case "mcp_status":
        channel.answer(id, { mcpServers: this.#agent?.mcp.status() ?? [] });
        break;
      case "get_context_usage":
        this.#withAgent(id, (agent) => Promise.resolve(agent.contextUsage()));
        break;
      case "mcp_set_servers":
        this.#withAgent(id, (agent) => agent.mcp.set((request.servers ?? {}) as Record<string, unknown>));
        break;
      case "mcp_reconnect":
        this.#withAgent(id, async (agent) => {
          const status = await agent.mcp.reconnect(String(request.serverName ?? request.server_name));
          if (status?.status !== "connected") throw new Error(status?.error ?? "There is no such MCP server.");
          return {};
        });
        break;
      case "mcp_toggle":
        this.#withAgent(id, async (agent) => {
          await agent.mcp.toggle(String(request.serverName ?? request.server_name), request.enabled === true);
          return {};
        });
        break;
      default:
        channel.refuse(id, `This program does not know the request ${String(request.subtype)}.`);
    }
  }

  /** Answer with what the agent says; it is made when the host asks before the first prompt. */
  #withAgent(id: unknown, act: (agent: Agent) => Promise<Frame>): void {
    const { channel } = this.#options;
    const made = this.#agent === null ? this.#make() : Promise.resolve(this.#agent);
    made.then(act).then(
      (answer) => channel.answer(id, answer),
      (error: Error) => channel.refuse(id, error.message, "request_failed"),
    );
  }

  /** The agent, made once however many ask for it. */
  #make(): Promise<Agent> {
    this.#making ??= this.#options.agent(this.#wishes).then((agent) => {
      this.#agent = agent;
      return agent;
    });
    // What could not be made is tried again with the next prompt.
    this.#making.catch(() => {
      this.#making = null;
    });
    return this.#making;
  }

  #setModel(model: string | null): void {
    if (this.#agent === null) this.#pendingModel = model;
    else this.#agent.setModel(model);
  }

  #initialize(request: Frame): void {
    const text = (value: unknown): string | null =>
      typeof value === "string" ? value : Array.isArray(value) ? value.filter((one) => typeof one === "string").join("\n") : null;
    const object = (value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
    this.#wishes = {
      hooks: request.hooks,
      sdkMcpServers: Array.isArray(request.sdkMcpServers)
        ? request.sdkMcpServers.filter((one): one is string => typeof one === "string")
        : [],
      systemPrompt: text(request.systemPrompt),
      appendSystemPrompt: text(request.appendSystemPrompt),
      agents: object(request.agents) ?? {},
      jsonSchema: object(request.jsonSchema),
    };
    this.#agent?.kit.hooks.register(request.hooks);
  }
}
