// The gate: a command that the rule holds back becomes a ticket, and runs only when a person said yes to exactly it (D17).
// A timer's yes is no yes (D10), and a gate that does not work lets nothing through.
import { hash } from "node:crypto";
import { callHash, computeRisk, computeTier } from "@hap/protocol";
import { type AgentClient, connectAgent, type Outcome } from "@hap/sdk/agent";
import { classifyCommand } from "@hap/shell";
import type { AgentChoice, GateChoice } from "../run/run-options.ts";
import type { GateVerdict } from "../run/trajectory.ts";
import { TermError } from "../term-error.ts";
import { parseGateRule } from "./gate-rule.ts";

/** What a shell says of a command that may not be run. */
const REFUSED_EXIT_CODE = 126;
const SUMMARY_LIMIT = 200;

/** `root` is the folder where the trial began: inside means inside of it, wherever the agent has gone since. */
export type Gate = { ask: (command: string, cwd: string, root: string) => Promise<GateVerdict>; close: () => Promise<void> };

/** Connect to where people decide. The agent is named in the ticket; it cannot decide itself. */
export async function makeGate(choice: GateChoice, agent: AgentChoice, signal: AbortSignal): Promise<Gate> {
  const holdsBack = parseGateRule(choice.rule);
  let client: AgentClient;
  try {
    client = await connectAgent({ agent: process.env.HAP_AGENT_ID || "agent:term" });
  } catch (error) {
    throw new TermError("gate_failed", `The gate cannot reach HAP: ${error instanceof Error ? error.message : error}`, error);
  }
  return {
    async ask(command, cwd, root) {
      const { verdict: shown, effects } = classifyCommand(command, { cwd, projectRoot: root, dialect: "bash" });
      const { risk } = computeRisk({ kind: "run_command", linesChanged: 0, environment: null, confidence: null });
      // The draft's number is the same for every command; what tells commands apart is their effects.
      const tier = computeTier(0, effects);
      const found = { tier, risk, effects: [...effects] };
      if (shown === "harmless" || !holdsBack({ tier, risk }))
        return { allowed: true, status: "not_asked", ticket_id: null, ...found, words: "", exit_code: 0, waited_ms: 0 };
      const started = performance.now();
      const verdict = await askPerson(client, choice, agent, command, cwd, signal);
      return { ...found, ...verdict, waited_ms: Math.round(performance.now() - started) };
    },
    close: () => client.close(),
  };
}

type Asked = Pick<GateVerdict, "allowed" | "status" | "ticket_id" | "words" | "exit_code">;

async function askPerson(
  client: AgentClient,
  choice: GateChoice,
  agent: AgentChoice,
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<Asked> {
  const refused = (status: string, ticketId: string | null, words: string): Asked => ({
    allowed: false,
    status,
    ticket_id: ticketId,
    words: `[term] The command was not run. ${words}`,
    exit_code: REFUSED_EXIT_CODE,
  });
  let ticketId: string | null = null;
  try {
    const ticket = await client.createTicket({
      ...(choice.to === null ? {} : { to: choice.to }),
      kind: "run_command",
      summary: summaryOf(command),
      details: { command, cwd, agent: agent.kind === "process" ? agent.command : agent.kind },
      project: cwd,
      lease: { ttl_seconds: choice.ttlSeconds, on_timeout: "auto_reject" },
    });
    ticketId = ticket.id;
    // Not renewed: the caller said how long a ticket may wait.
    const outcome = await client.wait(ticket.id, { signal });
    if (outcome.status !== "approved") return refused(outcome.status, ticket.id, wordsOf(outcome));
    if (outcome.edits !== null)
      return refused("approved_with_edits", ticket.id, `Run this instead: ${JSON.stringify(outcome.edits)}`);
    await client.consume(ticket.id, identityOf(client.agent, command, cwd));
    await client.heard(ticket.id);
    return { allowed: true, status: "approved", ticket_id: ticket.id, words: outcome.words, exit_code: 0 };
  } catch (error) {
    if (signal.aborted && ticketId !== null) await client.cancel(ticketId, "the run was interrupted").catch(() => {});
    return refused(
      "gate_error",
      ticketId,
      `The gate failed, so it stays closed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** The words for each end differ; the person's own are in them verbatim. */
function wordsOf(outcome: Outcome): string {
  return outcome.status === "approved_by_timer" ? `No person said yes: the time ran out. ${outcome.words}` : outcome.words;
}

function identityOf(agent: string, command: string, cwd: string): string {
  return callHash({ agent, project: cwd, tool: "term", input: { command } }, (data) => hash("sha256", data, "hex"));
}

function summaryOf(command: string): string {
  const line = `Run: ${command.replaceAll(/\s+/g, " ").trim()}`;
  return line.length <= SUMMARY_LIMIT ? line : `${line.slice(0, SUMMARY_LIMIT - 1)}…`;
}
