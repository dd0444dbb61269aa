// One response of an agent. It does not change: what adds to it returns a new one.
import { findObjects } from "./find-objects.ts";
import { type Keys, readKeys, type Usage } from "./screen.ts";

type Fields = {
  command?: string | null;
  taskComplete?: boolean;
  text?: string | null;
  keystrokes?: readonly Keys[] | null;
  usage?: Usage | null;
  model?: string | null;
};

/** What an agent answers: a command to run, keys to type, words for the log, or that the task is complete. */
export class Response {
  readonly command: string | null;
  readonly taskComplete: boolean;
  readonly text: string | null;
  readonly keystrokes: readonly Keys[] | null;
  readonly usage: Usage | null;
  readonly model: string | null;

  constructor(fields: Fields = {}) {
    this.command = fields.command ?? null;
    this.taskComplete = fields.taskComplete ?? false;
    this.text = fields.text ?? null;
    this.keystrokes = fields.keystrokes ?? null;
    this.usage = fields.usage ?? null;
    this.model = fields.model ?? null;
  }

  /** Run a command. */
  static cmd(command: string, text?: string): Response {
    return new Response({ command, text: text ?? null });
  }

  /** Type keys into the terminal, for interactive programs; the next request has the screen. */
  static keys(...keystrokes: Keys[]): Response {
    return new Response({ keystrokes });
  }

  /** Say something and run nothing; the next request follows at once. */
  static say(text: string): Response {
    return new Response({ text });
  }

  /** The task is complete. */
  static done(text?: string): Response {
    return new Response({ taskComplete: true, text: text ?? null });
  }

  /**
   * Read a model's answer: the last JSON object in it that has `command`, `keystrokes`, `task_complete` or `done`; without one, its
   * only block of shell; otherwise the answer is words. It is never taken for completion unless it says so.
   */
  static fromLLM(text: string): Response {
    const fitting = findObjects(text).filter((object) => MEANT.some((name) => name in object));
    const last = fitting.at(-1);
    if (last !== undefined) {
      const command = typeof last.command === "string" && last.command.trim() !== "" ? last.command : null;
      const said = typeof last.text === "string" ? last.text : null;
      const keystrokes = command === null ? readKeys(last.keystrokes) : null;
      return new Response({ command, keystrokes, taskComplete: means(last.task_complete) || means(last.done), text: said });
    }
    const blocks = [...text.matchAll(/^```([^\n`]*)\n(.*?)^```/gms)];
    const [only] = blocks;
    if (blocks.length === 1 && only !== undefined && SHELLS.has((only[1] ?? "").trim().toLowerCase())) {
      const command = (only[2] ?? "").trim();
      if (command !== "") return Response.cmd(command);
    }
    const words = text.trim();
    return words === "" ? new Response() : Response.say(words);
  }

  /** The same with other words. */
  withText(text: string): Response {
    return new Response({ ...this, text });
  }

  /** The same, and the task is complete once its command has run. */
  complete(): Response {
    return new Response({ ...this, taskComplete: true });
  }

  /** The same with the tokens and cost of the model call behind it, and the model's name. */
  withUsage(usage: Usage, model?: string): Response {
    return new Response({ ...this, usage, model: model ?? this.model });
  }

  /** The wire's names; what is not there is left out, except for the command. */
  toJSON(): Record<string, unknown> & { command: string | null; task_complete: boolean } {
    const { command, taskComplete, ...others } = this;
    const given = Object.entries(others).filter(([, value]) => value !== null);
    return { command, task_complete: taskComplete, ...Object.fromEntries(given) };
  }
}

/** What makes an object of a model's answer a response. */
const MEANT = ["command", "keystrokes", "task_complete", "done"];

const SHELLS = new Set(["", "sh", "bash", "shell", "zsh", "console"]);

function means(value: unknown): boolean {
  return value === true || (typeof value === "string" && ["true", "1", "yes"].includes(value.trim().toLowerCase()));
}
