// The process models: one turn and exit, or a host that stays on standard input. Every way out is a result and an exit code.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Options } from "../argv/options.ts";
import { LineWriter } from "../frames/line-writer.ts";
import type { Emit } from "../frames/run-event.ts";
import { CLAUDE_VERSION } from "../frames/version.ts";
import { ControlChannel } from "../host/control-channel.ts";
import { ControlAsker, FlatAsker } from "../host/host-asker.ts";
import { parseFrame } from "../host/inputs.ts";
import { readLines } from "../host/line-reader.ts";
import { StdinHost } from "../host/stdin-host.ts";
import type { Asker, Gate } from "../permissions/gate.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import { randomUuid } from "../random-uuid.ts";
import { makeRedact, type Redact } from "../redact.ts";
import { TranscriptWriter } from "../session/claude-transcript.ts";
import type { Session } from "../session/session.ts";
import { SessionStore } from "../session/session-store.ts";
import { claudeFolder } from "../settings/setting-sources.ts";
import { readSettings } from "../settings/settings.ts";
import { findCommands } from "../settings/slash-commands.ts";
import { YumeError } from "../yume-error.ts";
import type { Agent } from "./agent.ts";
import { claudePlaces } from "./claude-places.ts";
import { emitFailure } from "./failed-result.ts";
import { type HostWishes, makeAgent } from "./make-agent.ts";
import { openSession } from "./open-session.ts";
import { makeEmit } from "./outputs.ts";
import { readPrompt } from "./read-prompt.ts";
import { settingPlaces } from "./setting-places.ts";
import { whyHomeUnusable } from "./usable-home.ts";
import type { World } from "./world.ts";

/** Run to the end; returns the exit code. */
export async function runProcess(options: Options, world: World): Promise<number> {
  const process = new RunProcess(options, world);
  try {
    return await process.run();
  } catch (error) {
    return await process.fail(error);
  } finally {
    await process.close();
  }
}

class RunProcess {
  readonly #options: Options;
  readonly #world: World;
  readonly #store: SessionStore;
  readonly #writer: LineWriter;
  readonly #emit: Emit;
  readonly #redact: Redact;
  readonly #channel: ControlChannel;
  readonly #flatAsker = new FlatAsker();
  #sessionId: string;
  #agent: Agent | null = null;
  #host: StdinHost | null = null;
  #turn: AbortController | null = null;
  #mode: PermissionMode;
  #announced = false;
  /** There is one turn only. */
  #single = false;
  #ended = false;

  constructor(options: Options, world: World) {
    this.#options = options;
    this.#world = world;
    this.#mode = options.permissionMode;
    this.#sessionId = options.sessionId ?? (options.forkSession ? null : options.resume) ?? randomUuid();
    this.#store = new SessionStore(world.home, claudeFolder(world.env, world.home));
    this.#redact = makeRedact(world.env);
    this.#writer = new LineWriter(world.stdout, () => this.interrupt());
    const emit = makeEmit(options, this.#writer, () => this.#sessionId);
    this.#emit = (event) => {
      // What sub-agents still say in the background comes too late: nothing follows the last result.
      if (this.#ended) return;
      if (event.type === "init") this.#announced = true;
      emit(event);
      if (event.type === "result" && this.#single) this.#ended = true;
    };
    this.#channel = new ControlChannel((frame) => this.#writer.write(frame));
  }

  async run(): Promise<number> {
    const interrupt = () => this.interrupt();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) globalThis.process.on(signal, interrupt);
    // Even a defect of ours ends in a result, and never in silence.
    globalThis.process.on("uncaughtException", (error) => {
      void this.fail(error).then(() => globalThis.process.exit(1));
    });
    const options = this.#options;
    for (const flag of options.verbose ? options.unknown : [])
      this.#world.stderr.write(`yume-cli: unknown option ${flag} is ignored\n`);
    if (options.problems.length > 0)
      return this.fail(new YumeError("usage", `${options.problems.join("; ")}. See yume-cli --help.`));
    const input = await readPrompt(options, this.#world);
    if (input.kind === "none" && this.#world.stdin.isTTY && this.#world.stdout.isTTY && options.outputFormat !== "json") {
      this.#world.stderr.write('Usage: yume-cli -p "what to do"  (yume-cli --help lists everything)\n');
      return 1;
    }
    if (input.kind === "none")
      return this.fail(new YumeError("usage", "There is no prompt. Give --prompt, or write it to standard input."));
    const succeeded = input.kind === "prompt" ? await this.#oneTurn(input.text) : await this.#serve(input.read);
    await this.#writer.flush();
    return succeeded ? 0 : 1;
  }

  /** End what runs; its result is still told. */
  interrupt(): void {
    if (this.#turn === null && this.#host === null) globalThis.process.exit(1);
    this.#turn?.abort();
    this.#host?.stop();
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    this.#store.release();
  }

  /** Tell an error as the end of the run. */
  async fail(error: unknown): Promise<number> {
    this.#tellFailure(error);
    await this.#writer.flush();
    return 1;
  }

  /** The flat dialect begins with `init` even when nothing else can. */
  #tellFailure(error: unknown): void {
    if (!this.#announced && this.#options.dialect === "yume")
      this.#emit({
        type: "init",
        cwd: this.#world.cwd,
        model: this.#options.model ?? "",
        permissionMode: this.#mode,
        tools: [],
        mcp_servers: [],
        agents: [],
        skills: [],
        slash_commands: [],
      });
    emitFailure(this.#emit, error, this.#redact);
  }

  async #oneTurn(text: string): Promise<boolean> {
    this.#turn = new AbortController();
    this.#single = true;
    try {
      const agent = await this.#makeAgent({}, () => null);
      const result = await agent.turn({ content: [{ type: "text", text }], uuid: randomUuid() }, this.#turn.signal);
      return result.subtype === "success";
    } catch (error) {
      this.#tellFailure(error);
      return false;
    }
  }

  async #serve(read: Buffer): Promise<boolean> {
    const options = this.#options;
    const host = new StdinHost({
      channel: this.#channel,
      flatAsker: this.#flatAsker,
      agent: (wishes) => this.#makeAgent(wishes, (gate) => this.#hostAsker(gate)),
      fail: (error) => this.#tellFailure(error),
      complain: (words) => {
        if (options.dialect === "yume") this.#emit({ type: "error", message: words, kind: "usage" });
        else this.#world.stderr.write(`yume-cli: ${words}\n`);
      },
      setMode: (mode) => {
        this.#mode = mode as PermissionMode;
        if (this.#agent !== null) this.#agent.kit.gate.mode = this.#mode;
      },
      mayBypass: options.dialect === "yume" || options.mayBypass || options.permissionMode === "bypassPermissions",
      describe: () => ({
        commands: findCommands(claudePlaces(options, this.#world, resolve(this.#world.cwd, options.cwd ?? "."), "commands")).map(
          ({ name, description, argumentHint }) => ({ name, description, argumentHint }),
        ),
        agents: [],
        output_style: "default",
        available_output_styles: ["default"],
        models: [
          {
            value: "default",
            displayName: "Default",
            description: options.model ?? this.#world.env.YUME_MODEL ?? "the provider's default",
          },
        ],
        account: {},
        claude_code_version: CLAUDE_VERSION,
        hooks_applied: true,
        hook_on_failure_supported: true,
      }),
    });
    this.#host = host;
    const take = (line: string) => {
      if (line.trim() === "") return;
      const frame = parseFrame(line);
      if (frame !== null) host.take(frame);
      else if (options.dialect === "yume")
        this.#emit({ type: "error", message: "A line of input is not a JSON object; it was ignored.", kind: "usage" });
      else this.#world.stderr.write("yume-cli: a line of input is not a JSON object; it was ignored\n");
    };
    readLines(this.#world.stdin, read, take, () => host.end());
    const succeeded = await host.serve(options.dialect === "yume");
    this.#ended = true;
    return succeeded;
  }

  /** In Claude's dialect the host is asked only when it says that it answers; with tickets wished for, the flat one is not. */
  #hostAsker(gate: () => Gate): Asker | null {
    if (this.#options.dialect === "claude") return this.#options.asksHost ? new ControlAsker(this.#channel, gate) : null;
    return this.#options.approvals === "hap" ? null : this.#flatAsker;
  }

  /** The same conversation for Claude's SDKs; that it cannot be written ends no run. */
  #transcript(session: Session): { write: (session: Session) => void } {
    const { env, home, now, stderr } = this.#world;
    const writer = new TranscriptWriter(claudeFolder(env, home), session, now);
    let failed = false;
    return {
      write: (changed) => {
        try {
          if (!failed) writer.write(changed);
        } catch (error) {
          failed = true;
          stderr.write(`yume-cli: the transcript is not written: ${(error as Error).message}\n`);
        }
      },
    };
  }

  async #makeAgent(wishes: HostWishes, hostAsker: (gate: () => Gate) => Asker | null): Promise<Agent> {
    const unusable = this.#options.persist ? whyHomeUnusable(this.#world.home) : null;
    if (unusable !== null && (this.#options.resume !== null || this.#options.continueLast))
      throw new YumeError("session", `No session can be resumed: ${unusable}`);
    if (unusable !== null) this.#world.stderr.write(`yume-cli: this session is not saved: ${unusable}\n`);
    const options = {
      ...this.#options,
      permissionMode: this.#mode,
      persist: this.#options.persist && unusable === null,
    };
    const cwd = resolve(this.#world.cwd, options.cwd ?? ".");
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new YumeError("usage", `The working folder ${cwd} does not exist. Give another with --cwd.`);
    const settings = readSettings(settingPlaces(options, this.#world, cwd));
    const { session, previous } = openSession(options, this.#store, cwd, this.#world.now());
    this.#sessionId = session.id;
    const transcript = options.persist && options.dialect === "claude" ? this.#transcript(session) : null;
    const agent = await makeAgent({
      options,
      settings,
      session,
      cwd,
      world: this.#world,
      emit: this.#emit,
      save: (changed: Session) => {
        if (!options.persist) return;
        this.#store.save(changed);
        transcript?.write(changed);
      },
      channel: this.#channel,
      hostAsker,
      wishes,
    });
    agent.kit.gate.mode = this.#mode === "default" ? agent.kit.gate.mode : this.#mode;
    this.#agent = agent;
    if (previous !== null && options.dialect === "yume") {
      agent.announce();
      this.#emit({ type: "session_id", session_id: session.id });
    }
    return agent;
  }
}
