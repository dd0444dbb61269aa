// Where the screen, the keys, the log and the client meet the model. Nothing is decided here.
import { constants } from "node:os";
import type { ReadStream, WriteStream } from "node:tty";
import { isOpen, TICKET_STATES } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Context } from "../context.ts";
import { reportFailure } from "../failure.ts";
import { makePaint } from "../terminal/paint.ts";
import { perform, readPage } from "./client-effects.ts";
import { followLog, newestCursor } from "./follow-log.ts";
import { pageSize } from "./model/list-layout.ts";
import { type Effect, type Facts, listRows, type Message, type Model, startModel, type UndoSeconds } from "./model/model.ts";
import { update } from "./model/update.ts";
import { KeyReader, type Typed } from "./terminal/key-reader.ts";
import { Screen } from "./terminal/screen.ts";
import { frame } from "./view/frame.ts";

/** How long an Esc may still be the beginning of a sequence, on a slow line. */
const ESCAPE_MS = 60;
const TICK_MS = 1000;
const RESUME_MS = 100;
/** Frames are drawn at most this often: what comes in between is drawn together. */
const FRAME_MS = 16;
const ENDED = TICKET_STATES.filter((state) => !isOpen(state));
/** What ends a program from outside; each leaves the terminal as it was. */
const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** The inbox on the whole terminal, until the person quits. */
export async function runTui(
  context: Context,
  client: PersonClient,
  { input, output, undoSeconds }: { input: ReadStream; output: WriteStream; undoSeconds: UndoSeconds },
): Promise<void> {
  const screen = new Screen(input, output);
  const inbox = new Inbox(context, client, { screen, undoSeconds });
  const leave = () => screen.leave();
  const onSignal = (signal: NodeJS.Signals) => {
    leave();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const onUncaught = (error: unknown) => {
    leave();
    reportFailure(context, error).finally(() => process.exit(context.exitCode));
  };
  process.on("uncaughtException", onUncaught);
  // Whatever else ends the process ends here first.
  process.on("exit", leave);
  const onResize = () => inbox.dispatch({ type: "resize", ...screen.size });
  const onContinue = () => inbox.resume();
  const keys = new KeyReader();
  let flush: NodeJS.Timeout | undefined;
  const take = (typed: readonly Typed[]) => {
    for (const one of typed) inbox.dispatch(one);
  };
  const onData = (chunk: string) => {
    clearTimeout(flush);
    take(keys.feed(chunk));
    if (keys.waits) flush = setTimeout(() => take(keys.flush()), ESCAPE_MS);
  };
  const onEnd = () => inbox.quit();
  const tick = setInterval(() => inbox.dispatch({ type: "tick" }), TICK_MS);
  try {
    const after = await inbox.start();
    input.setEncoding("utf8");
    input.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onEnd);
    output.on("resize", onResize).on("error", onEnd);
    process.on("SIGCONT", onContinue);
    await inbox.run(after);
  } finally {
    clearInterval(tick);
    clearTimeout(flush);
    input.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onEnd).pause();
    output.off("resize", onResize).off("error", onEnd);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("SIGCONT", onContinue).off("exit", leave).off("uncaughtException", onUncaught);
    leave();
  }
  const { held } = inbox.model;
  if (held !== null)
    context.err.line(`hap: The decision on ${held.plan.ids.length} tickets was not sent. They stay as they are.`);
}

class Inbox {
  model: Model;
  readonly #context: Context;
  readonly #client: PersonClient;
  readonly #screen: Screen;
  readonly #facts: () => Facts;
  readonly #working = new Set<Promise<void>>();
  readonly #end = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #drawing: NodeJS.Timeout | null = null;

  constructor(context: Context, client: PersonClient, { screen, undoSeconds }: { screen: Screen; undoSeconds: UndoSeconds }) {
    this.#context = context;
    this.#client = client;
    this.#screen = screen;
    this.#facts = () => ({ nowMs: context.now() });
    this.model = startModel({
      person: client.person,
      trust: client.trust,
      violation: null,
      paint: makePaint(context.env, true),
      ...screen.size,
      nowMs: context.now(),
      undoSeconds,
    });
  }

  /** Read the first page, take the terminal, and say where the log is to be followed from. */
  async start(): Promise<string | null> {
    const limit = pageSize(listRows(this.model), this.model.columns);
    const page = await readPage(this.#client, { tab: "mine", cursor: null, limit });
    const ended = await this.#client.list({ state: ENDED, limit: 1 });
    this.model = { ...this.model, violation: await this.#client.violation() };
    this.#screen.enter();
    this.dispatch({ type: "page", generation: 0, page });
    return newestCursor([...page.tickets, ...ended.tickets]);
  }

  /** Until the person quits, and what they decided is recorded. */
  async run(after: string | null): Promise<void> {
    const following = followLog(this.#client, after, this.#end.signal, {
      changed: (ids) => this.dispatch({ type: "changed", ids }),
      live: (live) => this.dispatch({ type: "live", live }),
    });
    await Promise.race([this.#ended.promise, following]);
    this.#end.abort();
    if (this.#drawing !== null) clearTimeout(this.#drawing);
    this.#screen.leave();
    await following;
    await Promise.all(this.#working);
  }

  dispatch(message: Message): void {
    if (this.#end.signal.aborted) return;
    const { model, effects } = update(this.model, message, this.#facts());
    this.model = model;
    for (const effect of effects) this.#do(effect);
    this.#drawing ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  quit(): void {
    this.#ended.resolve();
  }

  /** After a suspension the terminal shows the shell. */
  resume(): void {
    if (this.#end.signal.aborted) return;
    this.#screen.enter();
    this.dispatch({ type: "resize", ...this.#screen.size });
  }

  #do(effect: Effect): void {
    switch (effect.type) {
      case "quit":
        this.quit();
        return;
      case "redraw":
        this.#screen.forget();
        return;
      case "suspend":
        this.#screen.leave();
        // The whole job: on an old Node, a wrapper runs beside this process.
        process.kill(0, "SIGTSTP");
        // Where no shell could go on, nothing was suspended.
        setTimeout(() => this.resume(), RESUME_MS);
        return;
      default: {
        const work = perform(this.#client, effect, this.#context.now).then(
          (message) => this.#hear(message),
          (error) => this.#ended.reject(error),
        );
        this.#working.add(work);
        work.finally(() => this.#working.delete(work));
      }
    }
  }

  /** What was refused after the person has left is said where they are now. */
  #hear(message: Message): void {
    if (!this.#end.signal.aborted) this.dispatch(message);
    else if (message.type === "decided")
      for (const { message: words } of message.refused) this.#context.err.line(`hap: ${words}`);
  }

  #draw(): void {
    this.#drawing = null;
    this.#screen.draw(frame(this.model));
  }
}
