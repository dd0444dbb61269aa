// How an agent asks, wherever its tickets lie: open, wait, and keep the lease alive meanwhile (D15).
import type { Ticket } from "@hap/protocol";
import type { AskInput } from "./agent-client.ts";
import type { GateCall, Gated, GateOptions } from "./gate/gate-call.ts";
import type { GateClient } from "./gate/pass-gate.ts";
import { keepAlive } from "./keep-alive.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import type { PolicyDecision, WaitOptions } from "./types.ts";

/** Gives the ticket when it has ended, or as it is when the time is over. */
type UntilEnd = (id: string, options: WaitOptions) => Promise<Ticket>;

export abstract class AskingClient implements GateClient {
  readonly #untilEnd: UntilEnd;

  constructor(untilEnd: UntilEnd) {
    this.#untilEnd = untilEnd;
  }

  abstract readonly agent: string;
  abstract cancel(id: string, reason?: string): Promise<Ticket>;
  abstract consume(id: string, callHash: string): Promise<Ticket>;
  abstract createTicket(input: AskInput): Promise<Ticket>;
  abstract decideByPolicy(input: AskInput, callHash: string): Promise<PolicyDecision>;
  abstract getTicket(id: string): Promise<Ticket>;
  abstract heard(id: string): Promise<Ticket>;
  abstract note(id: string, text: string): Promise<Ticket>;
  abstract renew(id: string): Promise<Ticket>;

  async requestApproval(input: AskInput, options: WaitOptions = {}): Promise<Outcome> {
    const ticket = await this.createTicket(input);
    return this.wait(ticket.id, options);
  }

  ask(input: AskInput & { ask: NonNullable<AskInput["ask"]> }, options: WaitOptions = {}): Promise<Outcome> {
    return this.requestApproval(input, { renew: true, ...options });
  }

  async gate(call: GateCall, options: GateOptions = {}): Promise<Gated> {
    return (await import("./gate/pass-gate.ts")).passGate(this, call, options);
  }

  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    const stopRenewing = options.renew === true ? keepAlive(await this.getTicket(id), (one) => this.renew(one)) : () => {};
    try {
      return readOutcome(await this.#untilEnd(id, options));
    } finally {
      stopRenewing();
    }
  }
}
