// Asking the host before a call: `can_use_tool` in Claude's control protocol, `tool_approval` in the flat one.
import type { AskedFacts, Asker, Call, Gate, Permission } from "../permissions/gate.ts";
import { readAnswer } from "../permissions/read-answer.ts";
import type { CallFacts } from "../tools/tool.ts";
import type { ControlChannel } from "./control-channel.ts";

function denial(call: Call, words: string, reason: string, interrupt = false): Permission {
  return { behavior: "deny", message: `${call.name} was not run: ${words}`, reason, interrupt };
}

/** Asks over the control channel. A host that errs or goes away has not said yes. */
export class ControlAsker implements Asker {
  readonly #channel: ControlChannel;
  readonly #gate: () => Gate;

  constructor(channel: ControlChannel, gate: () => Gate) {
    this.#channel = channel;
    this.#gate = gate;
  }

  async ask(call: Call, facts: AskedFacts, why: string, signal: AbortSignal): Promise<Permission> {
    try {
      const answer = await this.#channel.request(
        {
          subtype: "can_use_tool",
          tool_name: call.name,
          display_name: call.name,
          input: call.input,
          tool_use_id: call.id,
          description: facts.summary,
          decision_reason: why,
          ...(facts.blockedPath === undefined ? {} : { blocked_path: facts.blockedPath }),
          ...(facts.suggestions == null ? {} : { permission_suggestions: facts.suggestions }),
        },
        { signal },
      );
      const permission = readAnswer(answer, call, this.#gate(), "the host said no");
      return permission.behavior === "deny" ? { ...permission, byHost: true } : permission;
    } catch (error) {
      return denial(call, `the host did not say yes (${(error as Error).message})`, "no answer of the host", signal.aborted);
    }
  }
}

type Approval = { approved: boolean; message: string | null };

/** Waits for the flat dialect's `tool_approval` frame; the `tool_use` line was the question. */
export class FlatAsker implements Asker {
  readonly #waiting = new Map<string, (approval: Approval | null) => void>();
  readonly #early = new Map<string, Approval>();
  #closed = false;

  ask(call: Call, _facts: CallFacts, why: string, signal: AbortSignal): Promise<Permission> {
    return new Promise((resolve) => {
      const finish = (approval: Approval | null) => {
        this.#waiting.delete(call.id);
        signal.removeEventListener("abort", giveUp);
        if (approval?.approved === true) resolve({ behavior: "allow", input: call.input });
        else if (approval === null)
          resolve(denial(call, `${why}, and the host went away without an answer`, "no answer of the host"));
        else resolve(denial(call, approval.message ?? "the user said no", "the user said no"));
      };
      const giveUp = () => finish(null);
      const early = this.#early.get(call.id);
      if (early !== undefined) {
        this.#early.delete(call.id);
        finish(early);
      } else if (this.#closed || signal.aborted) finish(null);
      else {
        signal.addEventListener("abort", giveUp, { once: true });
        this.#waiting.set(call.id, finish);
      }
    });
  }

  /** A `tool_approval` frame. Only `true` is a yes. */
  settle(id: string, approved: boolean, message: string | null): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) this.#early.set(id, { approved, message });
    else waiting({ approved, message });
  }

  close(): void {
    this.#closed = true;
    for (const finish of [...this.#waiting.values()]) finish(null);
  }
}
