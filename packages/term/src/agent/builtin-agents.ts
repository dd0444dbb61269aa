// The two agents that check a task: one runs its solution and must pass, one does nothing and must not.
import type { SolutionKeys } from "../tasks/task.ts";
import type { AgentEnd, AgentLink, AgentReply } from "./agent-link.ts";

const ENDED: AgentEnd = { exitCode: 0, signal: null, bySelf: true };

function answer(response: object): AgentReply {
  return { kind: "line", line: JSON.stringify(response) };
}

/** Runs one command, then says that the task is complete. */
export class OracleAgent implements AgentLink {
  readonly #command: string;
  #asked = false;

  constructor(command: string) {
    this.#command = command;
  }

  async ask(): Promise<AgentReply> {
    const response = this.#asked ? { command: null, task_complete: true } : { command: this.#command, task_complete: false };
    this.#asked = true;
    return answer(response);
  }

  async stop(): Promise<AgentEnd> {
    return ENDED;
  }
}

/** Types the keys of a Terminal-Bench 1 solution. An entry that blocks is run as a command, since only that has an end. */
export class KeysAgent implements AgentLink {
  readonly #keys: SolutionKeys[];

  constructor(keys: readonly SolutionKeys[]) {
    this.#keys = [...keys];
  }

  async ask(): Promise<AgentReply> {
    const next = this.#keys.shift();
    if (next === undefined) return answer({ command: null, task_complete: true });
    if (next.block) return answer({ command: next.keystrokes.trimEnd() });
    return answer({ keystrokes: [{ keys: next.keystrokes, wait: next.seconds }] });
  }

  async stop(): Promise<AgentEnd> {
    return ENDED;
  }
}

/** Says at once that the task is complete. */
export class NullAgent implements AgentLink {
  async ask(): Promise<AgentReply> {
    return answer({ command: null, task_complete: true });
  }

  async stop(): Promise<AgentEnd> {
    return ENDED;
  }
}
