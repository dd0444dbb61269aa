// The gate: every command goes through the user's policy; what that asks about, or the rule of the run holds back, becomes a ticket
// and runs only when a person said yes to exactly it (D17). A timer's yes is no yes (D10), and a gate that does not work lets nothing through.
import { hash } from "node:crypto";
import { callHash, computeRisk, computeTier, type Tier } from "@hap/protocol";
import { type AgentClient, type AskInput, connectAgent } from "@hap/sdk/agent";
import { classifyCommand } from "@hap/shell";
import type { AgentChoice, GateChoice } from "../run/run-options.ts";
import type { GateVerdict } from "../run/trajectory.ts";
import { TermError } from "../term-error.ts";
import { type GateRule, parseGateRule } from "./gate-rule.ts";
import { readDecision } from "./read-decision.ts";

/** What a shell says of a command that may not be run. */
const REFUSED_EXIT_CODE = 126;
const SUMMARY_LIMIT = 200;

/** `root` is the folder where the trial began: inside means inside of it, wherever the agent has gone since. */
export type Gate = { ask: (command: string, cwd: string, root: string) => Promise<GateVerdict>; close: () => Promise<void> };

/** One command to ask about. */
type Asked = { command: string; cwd: string; root: string };
type Found = { tier: Tier; risk: number; effects: string[] };
type Passed = Omit<GateVerdict, "waited_ms">;

/** Who asks whom, and about what. */
type Asking = { client: AgentClient; choice: GateChoice; agent: AgentChoice; holdsBack: GateRule; signal: AbortSignal };

/** Connect to where people decide. The agent is named in the ticket; it cannot decide itself. */
export async function makeGate(choice: GateChoice, agent: AgentChoice, signal: AbortSignal): Promise<Gate> {
  const holdsBack = parseGateRule(choice.rule);
  let client: AgentClient;
  try {
    client = await connectAgent({ otherwise: "agent:term" });
  } catch (error) {
    throw new TermError("gate_failed", `The gate cannot reach HAP: ${error instanceof Error ? error.message : error}`, error);
  }
  const open = new Set<Promise<Passed>>();
  return {
    async ask(command, cwd, root) {
      const started = performance.now();
      const passing = pass({ client, choice, agent, holdsBack, signal }, { command, cwd, root });
      open.add(passing);
      const passed = await passing.finally(() => open.delete(passing));
      return { ...passed, waited_ms: passed.status === "not_asked" ? 0 : Math.round(performance.now() - started) };
    },
    async close() {
      // An interrupted run withdraws what it asked before the line is cut.
      if (signal.aborted) await Promise.allSettled(open);
      await client.close();
    },
  };
}

/** One command at the gate. Whatever fails on the way leaves it closed. */
async function pass(asking: Asking, asked: Asked): Promise<Passed> {
  const { client, choice, holdsBack, signal } = asking;
  const { proven, effects } = classifyCommand(asked.command, { cwd: asked.cwd, projectRoot: asked.root, dialect: "bash" });
  const { risk } = computeRisk({ kind: "run_command", linesChanged: 0, environment: null, confidence: null });
  let found: Found = { tier: computeTier(0, effects), risk, effects: [...effects] };
  let ticketId: string | null = null;
  const refused = (status: string, words: string): Passed => ({
    ...found,
    allowed: false,
    status,
    ticket_id: ticketId,
    words: `[term] The command was not run. ${words}`,
    exit_code: REFUSED_EXIT_CODE,
  });
  try {
    const identity = identityOf(client.agent, asked);
    const input = describe(asking, asked);
    const rule = await client.decideByPolicy(input, identity);
    found = asGated(rule.found);
    if (rule.verdict === "deny") return refused("denied", `Rule ${rule.rule} of ${rule.file} forbids this: ${rule.why}`);
    const asks = rule.rule === null ? !proven && holdsBack(found) : rule.verdict === "ask";
    if (!asks) return { ...found, allowed: true, status: "not_asked", ticket_id: null, words: "", exit_code: 0 };
    const lease = { ttl_seconds: choice.ttlSeconds, on_timeout: "auto_reject" as const };
    const ticket = await client.createTicket({ ...input, lease });
    ticketId = ticket.id;
    // Not renewed: the caller said how long a ticket may wait.
    const decision = readDecision(await client.wait(ticket.id, { signal }));
    if (!decision.open) return refused(decision.status, decision.words);
    await client.consume(ticket.id, identity);
    await client.heard(ticket.id);
    return { ...found, allowed: true, status: "approved", ticket_id: ticket.id, words: decision.words, exit_code: 0 };
  } catch (error) {
    if (signal.aborted && ticketId !== null) await client.cancel(ticketId, "the run was interrupted").catch(() => {});
    return refused(
      "gate_error",
      `The gate failed, so it stays closed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The draft's number alone makes every command notable; what tells commands apart is their effects, up to where it is critical. */
function asGated({ risk, tier, effects }: Found): Found {
  return { risk, tier: tier === "critical" ? tier : computeTier(0, effects), effects };
}

function describe({ choice, agent }: Asking, { command, cwd, root }: Asked): AskInput {
  return {
    ...(choice.to === null ? {} : { to: choice.to }),
    kind: "run_command",
    summary: summaryOf(command),
    details: { command, cwd, agent: agent.kind === "process" ? agent.command : agent.kind },
    project: root,
  };
}

function identityOf(agent: string, { command, cwd, root }: Asked): string {
  return callHash({ agent, project: root, tool: "term", input: { command, cwd } }, (data) => hash("sha256", data, "hex"));
}

function summaryOf(command: string): string {
  const line = `Run: ${command.replaceAll(/\s+/g, " ").trim()}`;
  return line.length <= SUMMARY_LIMIT ? line : `${line.slice(0, SUMMARY_LIMIT - 1)}…`;
}
