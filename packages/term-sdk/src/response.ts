// One response of an agent. It does not change: what adds to it returns a new one.
import { findObjects } from "./find-objects.ts";

/** What an agent answers: a command to run, words for the log, or that the task is complete. */
export class Response {
  readonly command: string | null;
  readonly taskComplete: boolean;
  readonly text: string | null;

  constructor(fields: { command?: string | null; taskComplete?: boolean; text?: string | null } = {}) {
    this.command = fields.command ?? null;
    this.taskComplete = fields.taskComplete ?? false;
    this.text = fields.text ?? null;
  }

  /** Run a command. */
  static cmd(command: string, text?: string): Response {
    return new Response({ command, text: text ?? null });
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
   * Read a model's answer: the last JSON object in it that has `command`, `task_complete` or `done`; without one, its
   * only block of shell; otherwise the answer is words. It is never taken for completion unless it says so.
   */
  static fromLLM(text: string): Response {
    const fitting = findObjects(text).filter((object) => "command" in object || "task_complete" in object || "done" in object);
    const last = fitting.at(-1);
    if (last !== undefined) {
      const command = typeof last.command === "string" && last.command.trim() !== "" ? last.command : null;
      const said = typeof last.text === "string" ? last.text : null;
      return new Response({ command, taskComplete: means(last.task_complete) || means(last.done), text: said });
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

  /** The wire's names; `text` only where there is one. */
  toJSON(): { command: string | null; task_complete: boolean; text?: string } {
    const { command, taskComplete, text } = this;
    return { command, task_complete: taskComplete, ...(text === null ? {} : { text }) };
  }
}

const SHELLS = new Set(["", "sh", "bash", "shell", "zsh", "console"]);

function means(value: unknown): boolean {
  return value === true || (typeof value === "string" && ["true", "1", "yes"].includes(value.trim().toLowerCase()));
}
