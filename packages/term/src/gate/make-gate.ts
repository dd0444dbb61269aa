// The gate: every command goes through the SDK's gate; what the user's policy asks about, or the rule of the run holds back, becomes a
// ticket and runs only when a person said yes to exactly it (D17). A gate that does not work lets nothing through.
import { computeRisk, computeTier, type Tier } from "@hap/protocol";
import { type AgentClient, connectAgent, type GateCall } from "@hap/sdk/agent";
import { classifyCommand } from "@hap/shell";
import type { AgentChoice, GateChoice } from "../run/run-options.ts";
import type { GateVerdict } from "../run/trajectory.ts";
import { TermError } from "../term-error.ts";
import { type GateRule, parseGateRule } from "./gate-rule.ts";
import type { Seen } from "./shell-watch.ts";

/** What a shell says of a command that may not be run. */
const REFUSED_EXIT_CODE = 126;

/** `root` is the folder where the trial began: inside means inside of it, wherever the agent has gone since. */
export type Gate = {
  ask: (command: string, cwd: string, root: string, seen?: Seen) => Promise<GateVerdict>;
  close: () => Promise<void>;
};

/** One command to ask about. */
type Asked = { command: string; cwd: string; root: string; seen: Seen };

/** Without anything seen, no grant opens a command. */
const NOTHING_SEEN: Seen = { trusted: false };
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
    async ask(command, cwd, root, seen = NOTHING_SEEN) {
      const started = performance.now();
      const passing = pass({ client, choice, agent, holdsBack, signal }, { command, cwd, root, seen });
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
  const { client, holdsBack, signal } = asking;
  const { proven, effects } = classifyCommand(asked.command, { cwd: asked.cwd, projectRoot: asked.root, dialect: "bash" });
  const { risk } = computeRisk({ kind: "run_command", linesChanged: 0, environment: null, confidence: null });
  const unknown: Found = { tier: computeTier(0, effects), risk, effects: [...effects] };
  const refused = (found: Found, status: string, ticketId: string | null, words: string): Passed => ({
    ...found,
    allowed: false,
    status,
    ticket_id: ticketId,
    words: `[term] The command was not run. ${words}`,
    exit_code: REFUSED_EXIT_CODE,
  });
  try {
    const gated = await client.gate(gateCall(asking, asked), {
      signal,
      withdraw: "the run was interrupted",
      asks: (found) => !proven && holdsBack(asGated(found)),
      takesEdits: ({ command, ...others }) => typeof command === "string" && Object.keys(others).length === 0,
    });
    const found = gated.found === null ? unknown : asGated(gated.found);
    const ticketId = gated.ticket?.id ?? null;
    if (!gated.open) return refused(found, gated.status, ticketId, gated.words);
    if (gated.ticket === null) {
      const granted = gated.by === "grant";
      const words = granted ? gated.words : "";
      return { ...found, allowed: true, status: granted ? "granted" : "not_asked", ticket_id: null, words, exit_code: 0 };
    }
    const edited = gated.edits?.command;
    return {
      ...found,
      allowed: true,
      status: "approved",
      ticket_id: ticketId,
      words: gated.words,
      exit_code: 0,
      ...(typeof edited === "string" ? { edited_command: edited } : {}),
    };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return refused(unknown, "gate_error", null, `The gate failed, so it stays closed: ${words}`);
  }
}

/** The draft's number alone makes every command notable; what tells commands apart is their effects, up to where it is critical. */
function asGated({ risk, tier, effects }: Found): Found {
  return { risk, tier: tier === "critical" ? tier : computeTier(0, effects), effects };
}

function gateCall({ choice, agent }: Asking, { command, cwd, root, seen }: Asked): GateCall {
  return {
    tool: "term",
    input: { command, cwd },
    project: root,
    seen,
    ticket: {
      ...(choice.to === null ? {} : { to: choice.to }),
      kind: "run_command",
      summary: `Run: ${command}`,
      details: { command, cwd, agent: agent.kind === "process" ? agent.command : agent.kind },
      ask: { type: "approval", allow_edits: true },
      lease: { ttl_seconds: choice.ttlSeconds, on_timeout: "auto_reject" },
    },
  };
}
