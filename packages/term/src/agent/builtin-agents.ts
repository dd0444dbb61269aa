// The two agents that check a task: one runs its solution and must pass, one does nothing and must not.
import type { AgentEnd, AgentLink, AgentReply } from "./agent-link.ts";

const ENDED: AgentEnd = { exitCode: 0, signal: null, bySelf: true };

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
    return { kind: "line", line: JSON.stringify(response) };
  }

  async stop(): Promise<AgentEnd> {
    return ENDED;
  }
}

/** Says at once that the task is complete. */
export class NullAgent implements AgentLink {
  async ask(): Promise<AgentReply> {
    return { kind: "line", line: JSON.stringify({ command: null, task_complete: true }) };
  }

  async stop(): Promise<AgentEnd> {
    return ENDED;
  }
}
