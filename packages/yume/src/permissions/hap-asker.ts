// Asking people through HAP: the policy first, then a ticket in the same inbox as everything else. A yes is used once, before
// anything is done (D17); a timer's yes is none (D10); each end reaches the model in its own words (D7).
import { createHash, hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { callHash, HapError, isOpen, type Json, type Ticket } from "@hap/protocol";
import { type AgentClient, type AskInput, connectAgent, type Outcome, readOutcome } from "@hap/sdk/agent";
import type { CallFacts } from "../tools/tool.ts";
import { describeForTicket } from "./describe-for-ticket.ts";
import type { Asker, Call, Permission } from "./gate.ts";

/** A retry attaches to a yes that is not older than this, and hears a no again for so long (D17). */
const ATTACH_MS = 15 * 60_000;
const REPEAT_MS = 10 * 60_000;
const MOST_TICKETS = 1_000;

export class HapAsker implements Asker {
  readonly #project: string;
  readonly #session: () => string;
  #client: Promise<AgentClient> | null = null;

  constructor(project: string, session: () => string) {
    this.#project = project;
    this.#session = session;
  }

  async ask(call: Call, facts: CallFacts, why: string, signal: AbortSignal): Promise<Permission> {
    let ticket: Ticket | null = null;
    try {
      this.#client ??= connectAgent({ otherwise: "agent:yume" });
      const client = await this.#client;
      const identity = this.#identity(client.agent, call, facts);
      const input: AskInput = {
        ...describeForTicket(call, facts, this.#project),
        project: this.#project,
        session: this.#session(),
      };
      const rule = await client.decideByPolicy(input, identity);
      if (rule.verdict === "allow") return { behavior: "allow", input: call.input };
      if (rule.verdict === "deny") return deny(call, `a HAP policy rule forbids it: ${rule.why}`, "policy");
      ticket = await this.#openTicket(
        client,
        { ...input, ...(rule.to === null ? {} : { to: rule.to }), lease: rule.lease as AskInput["lease"] },
        identity,
      );
      // Where a rule says how long a ticket may wait, that is how long; else it waits for as long as this run does (D15).
      const renew = rule.lease.ttl_seconds === undefined;
      const outcome = isOpen(ticket.state) ? await client.wait(ticket.id, { signal, renew }) : readOutcome(ticket);
      return await this.#conclude(client, call, facts, outcome, identity, rule.timer_yes);
    } catch (error) {
      if (signal.aborted && ticket !== null) {
        const id = ticket.id;
        await this.#client?.then((client) => client.cancel(id, "the run was interrupted")).catch(() => {});
      }
      const words = error instanceof HapError || error instanceof Error ? error.message : String(error);
      return deny(call, `${why}, and HAP could not be asked, so the gate stays closed: ${words}`, "gate error");
    }
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.close()).catch(() => {});
  }

  /** The ticket of this very call that is still good, or a new one. */
  async #openTicket(client: AgentClient, input: AskInput, identity: string): Promise<Ticket> {
    for (let attempt = 0; attempt < MOST_TICKETS; attempt++) {
      const id = `tk_${createHash("sha256").update(`${identity} ${attempt}`).digest("hex").slice(0, 26)}`;
      const found = await client.getTicket(id).catch((error: unknown) => {
        if (error instanceof HapError && error.code === "ticket_not_found") return null;
        throw error;
      });
      if (found === null) return client.createTicket({ ...input, id });
      const age = Date.now() - Date.parse(found.resolution?.at ?? "");
      if (isOpen(found.state)) return found;
      if (found.resolution?.outcome === "approved" && found.consumed === null && age < ATTACH_MS) return found;
      if (found.resolution?.outcome === "rejected" && found.resolution.actor.kind === "human" && age < REPEAT_MS) return found;
    }
    throw new Error(`this call has been asked about ${MOST_TICKETS} times`);
  }

  async #conclude(
    client: AgentClient,
    call: Call,
    facts: CallFacts,
    outcome: Outcome,
    identity: string,
    timerYes: boolean,
  ): Promise<Permission> {
    const { id } = outcome.ticket;
    if (outcome.status === "approved_by_timer" && !timerYes)
      return deny(call, `no person said yes, the time ran out. ${outcome.words}`, "timer");
    if (outcome.status !== "approved" && outcome.status !== "approved_by_timer") {
      if (outcome.status !== "open") await client.heard(id);
      return deny(call, outcome.words, outcome.status);
    }
    if (outcome.status === "approved" && outcome.edits !== null) {
      await client.heard(id);
      return deny(
        call,
        `it was approved with changes; make the call again so: ${JSON.stringify(outcome.edits)}`,
        "approved with edits",
      );
    }
    // What was approved is what runs: a file that changed meanwhile makes it another call.
    if (this.#identity(client.agent, call, facts) !== identity)
      return deny(call, "the file changed while the approval was awaited. Read it and ask again.", "stale");
    await client.consume(id, identity);
    await client.heard(id);
    return { behavior: "allow", input: call.input };
  }

  #identity(agent: string, call: Call, facts: CallFacts): string {
    const operands: Record<string, string> = {};
    if (facts.subject.path !== undefined) operands[facts.subject.path] = hashOfFile(facts.subject.path);
    const sha256 = (data: string | Uint8Array) => hash("sha256", data, "hex");
    return callHash({ agent, project: this.#project, tool: call.name, input: call.input as Json, operands }, sha256);
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
