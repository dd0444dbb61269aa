// Asking people through HAP: the SDK's gate, and its answer in yume-cli's terms. An error leaves the gate closed.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { Json } from "@hap/protocol";
import { type AgentClient, connectAgent, type GateCall } from "@hap/sdk/agent";
import { hashNamedFiles, wordsOf } from "@hap/sdk/named-files";
import type { CallFacts } from "../tools/tool.ts";
import { describeForTicket } from "./describe-for-ticket.ts";
import type { Asker, Call, Permission } from "./gate.ts";
import { slashes } from "./rules.ts";

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
    const { path, command } = facts.subject;
    const { cwd = this.#project } = facts;
    const filesNow = (): Record<string, string> => {
      if (command !== undefined) return hashNamedFiles(wordsOf(command), cwd);
      return path === undefined ? {} : { [path]: hashOfFile(path) };
    };
    // What a model says about its call changes from try to try, and changes nothing that is done.
    const { description: _said, ...what } = call.input;
    return {
      tool: call.name,
      // The same command in another folder is another call.
      input: (command === undefined ? call.input : { cwd, input: what }) as Json,
      project: this.#project,
      files: filesNow(),
      filesNow,
      seen: seenHere(facts, this.#project),
      ticket: { ...describeForTicket(call, facts, this.#project), session: this.#session() },
    };
  }
}

/** What only this machine's disk shows of a call: it narrows what a grant opens (D43). Links are followed. */
function seenHere({ subject, callClass, effects = [], trusted }: CallFacts, project: string): NonNullable<GateCall["seen"]> {
  const changes =
    callClass === "edit" || callClass === "edit_outside" || (callClass === "guarded" && effects.includes("write_inside"));
  const paths = subject.path !== undefined && changes ? [shown(subject.path, project)] : [];
  return { effects, paths, trusted: trusted?.() ?? true };
}

/** From the project's folder where it lies in it, as grants name paths. */
function shown(path: string, project: string): string {
  const inside = posix.relative(slashes(project), path);
  return inside === "" || inside === ".." || inside.startsWith("../") ? path : inside;
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
