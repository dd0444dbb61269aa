// `hap exec`: bind a command, pass the gate, look again, use the yes, run exactly that. Killed at any moment, the same command
// asked for again finds the same ticket while its decision is fresh (D17), and runs at most once.
import { HapError, type Ticket } from "@hap/protocol";
import { type AgentClient, type AskInput, type Gated, readOutcome, type WaitOptions } from "@hap/sdk/agent";
import { bindCommand, type CommandRequest } from "./bind-command.ts";
import { bindingCall } from "./binding.ts";
import type { Done } from "./gate.ts";
import { runAllowed, runBound } from "./run-bound.ts";

export type ExecRequest = CommandRequest & {
  project: string | null;
  /** Who decides, and how long it waits; the rest is made from the command. */
  ticket: Pick<AskInput, "to" | "priority" | "lease" | "environment" | "session"> & { summary?: string; allowEdits: boolean };
  now: () => number;
  /** Runs the wait: with a limit, and until it is interrupted. */
  waitWith: (wait: (how: Pick<WaitOptions, "timeoutMs" | "signal">) => Promise<Gated>) => Promise<Gated>;
  /** Told that somebody is waited for. */
  waiting: (ticket: Ticket) => void;
};

export async function execCommand(client: AgentClient, request: ExecRequest): Promise<Done> {
  const { now, project, environment } = request;
  const { summary, allowEdits, ...rest } = request.ticket;
  const binding = bindCommand(request);
  const call = {
    ...bindingCall(binding),
    project,
    ticket: {
      ...rest,
      kind: "run_command",
      summary: summary ?? `Run: ${binding.command}`,
      details: { ...binding },
      ask: { type: "approval" as const, allow_edits: allowEdits },
    },
  };
  // The yes stays unused here: everything is looked at again before it is consumed, right before the command starts.
  const gated = await request.waitWith((how) =>
    client.gate(call, { ...how, now, onTicket: request.waiting, leavesUnused: () => true }),
  );
  if (gated.open)
    return gated.ticket === null
      ? runAllowed(binding, environment.from)
      : runBound(client, readOutcome(gated.ticket), gated.identity, environment.from);
  if (gated.outcome !== null) return { ran: false, outcome: gated.outcome };
  throw new HapError("policy_denied", gated.words);
}
