// `hap exec`: bind a command, ask, wait, look again, use the yes, run exactly that. Killed at any moment, the same command
// asked for again finds the same ticket while its decision is fresh (D17), and runs at most once.
import { isOpen, LIMITS, REUSE_MS, type Ticket } from "@hap/protocol";
import type { AgentClient, AskInput, Outcome } from "@hap/sdk/agent";
import { bindCommand, type CommandRequest } from "./bind-command.ts";
import { type Binding, bindingHash } from "./binding.ts";
import { type Done, isYes } from "./gate.ts";
import { runBound } from "./run-bound.ts";

export type ExecRequest = CommandRequest & {
  project: string | null;
  /** Who decides, and how long it waits; the rest is made from the command. */
  ticket: Pick<AskInput, "to" | "priority" | "lease" | "environment" | "session"> & { summary?: string; allowEdits: boolean };
  now: number;
  wait: (ticket: Ticket) => Promise<Outcome>;
  /** Told that somebody is waited for. */
  waiting: (ticket: Ticket) => void;
};

export async function execCommand(client: AgentClient, request: ExecRequest): Promise<Done> {
  const binding = bindCommand(request);
  const identity = bindingHash(client.agent, request.project, binding);
  const ticket =
    (await findSame(client, identity, request.now)) ?? (await client.createTicket(ticketInput(request, binding, identity)));
  if (isOpen(ticket.state)) request.waiting(ticket);
  const outcome = await request.wait(ticket);
  if (await isYes(client, outcome, identity)) return runBound(client, outcome, identity, request.environment.from);
  if (outcome.status !== "open") await client.heard(ticket.id);
  return { ran: false, outcome };
}

function ticketInput({ ticket, project }: ExecRequest, binding: Binding, identity: string): AskInput {
  const { summary, allowEdits, ...rest } = ticket;
  return {
    ...rest,
    kind: "run_command",
    summary: summary ?? title(`Run: ${binding.command}`),
    details: { ...binding, call_hash: identity },
    ask: { type: "approval", allow_edits: allowEdits },
    ...(project === null ? {} : { project }),
  };
}

function title(text: string): string {
  const chars = [...text.replaceAll(/\s+/g, " ").trim()];
  return chars.length <= LIMITS.summaryChars ? chars.join("") : `${chars.slice(0, LIMITS.summaryChars - 1).join("")}…`;
}

/** The ticket of the same call: open, approved and not used for 15 minutes, or refused by a person 10 minutes ago at most. */
async function findSame(client: AgentClient, identity: string, now: number): Promise<Ticket | null> {
  const { tickets } = await client.list({ kind: "run_command", limit: 100 });
  const same = tickets.find(({ intent }) => intent.details.call_hash === identity);
  if (same === undefined) return null;
  if (isOpen(same.state)) return same;
  const { resolution, consumed } = same;
  if (resolution === null || consumed !== null || resolution.actor.kind !== "human") return null;
  const age = now - Date.parse(resolution.at);
  const fresh = resolution.outcome === "approved" ? REUSE_MS.yes : resolution.outcome === "rejected" ? REUSE_MS.no : 0;
  return age < fresh ? same : null;
}
