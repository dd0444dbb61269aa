// Asking people through HAP: the SDK's gate, and its answer in yume-cli's terms. An error leaves the gate closed.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Json } from "@hap/protocol";
import { type AgentClient, connectAgent, type GateCall } from "@hap/sdk/agent";
import type { CallFacts } from "../tools/tool.ts";
import { describeForTicket } from "./describe-for-ticket.ts";
import type { Asker, Call, Permission } from "./gate.ts";

export class HapAsker implements Asker {
  readonly #project: string;
  readonly #session: () => string;
  #client: Promise<AgentClient> | null = null;

  constructor(project: string, session: () => string) {
    this.#project = project;
    this.#session = session;
  }

  async ask(call: Call, facts: CallFacts, why: string, signal: AbortSignal): Promise<Permission> {
    try {
      this.#client ??= connectAgent({ otherwise: "agent:yume" });
      const client = await this.#client;
      const gated = await client.gate(this.#gateCall(call, facts), {
        signal,
        withdraw: "the run was interrupted",
        takesEdits: (edits) => Object.keys(edits).every((key) => Object.hasOwn(call.input, key)),
      });
      if (gated.open) return { behavior: "allow", input: { ...call.input, ...gated.edits } };
      return deny(call, gated.words, gated.status);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      return deny(call, `${why}, and HAP could not be asked, so the gate stays closed: ${words}`, "gate error");
    }
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.close()).catch(() => {});
  }

  #gateCall(call: Call, facts: CallFacts): GateCall {
    const { path } = facts.subject;
    const filesNow = (): Record<string, string> => (path === undefined ? {} : { [path]: hashOfFile(path) });
    return {
      tool: call.name,
      input: call.input as Json,
      project: this.#project,
      files: filesNow(),
      filesNow,
      ticket: { ...describeForTicket(call, facts, this.#project), session: this.#session() },
    };
  }
}

function deny(call: Call, words: string, reason: string): Permission {
  return { behavior: "deny", message: `${call.name} was not run: ${words}`, reason, interrupt: false };
}

function hashOfFile(path: string): string {
  try {
    return `sha256:${hash("sha256", readFileSync(path), "hex")}`;
  } catch {
    return "absent";
  }
}
