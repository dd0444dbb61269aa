// Which agents have asked here: the newest ticket of each kind. `hap doctor` sends a canary through the gate, which is one, too.
import type { Ticket } from "@hap/protocol";
import type { PersonConnection } from "@hap/sdk/page";

/** A kind of agent, and how it is connected. */
export type Way = { name: "claude" | "codex" | "mcp" | "own"; agent: string | null; command: string; always: string | null };

const MCP = `{"mcpServers":{"hap":{"command":"hap","args":["mcp"]}}}`;

export const WAYS: readonly Way[] = [
  { name: "claude", agent: "agent:claude-code", command: "hap claude", always: "hap init claude" },
  { name: "codex", agent: "agent:codex", command: "hap codex", always: "hap init codex" },
  { name: "mcp", agent: "agent:mcp", command: MCP, always: null },
  { name: "own", agent: null, command: `hap create --summary "May I?" --wait`, always: null },
];

const SAMPLE = "agent:sample";
const LOOKED_AT = 50;

/** What is known of each way: when its agent asked last, and whether that was the canary. */
export type Connection = { at: string; canary: boolean } | null;
export type Connections = { ways: Record<Way["name"], Connection>; woke: boolean };

/** Look at the newest tickets. Nothing is delivered by it. */
export async function readConnections(client: Pick<PersonConnection, "peek">): Promise<Connections> {
  const newest = (from: string) => client.peek({ from, limit: 1 }).then(({ tickets }) => tickets[0]);
  const [claude, codex, mcp, sample, { tickets }] = await Promise.all([
    newest("agent:claude-code"),
    newest("agent:codex"),
    newest("agent:mcp"),
    newest(SAMPLE),
    client.peek({ limit: LOOKED_AT }),
  ]);
  const known = [SAMPLE, ...WAYS.map(({ agent }) => agent)];
  const own = tickets.find(({ from }) => !known.includes(from));
  return {
    ways: { claude: connection(claude), codex: connection(codex), mcp: connection(mcp), own: connection(own) },
    woke: sample?.heard_at != null,
  };
}

function connection(ticket: Ticket | undefined): Connection {
  return ticket === undefined ? null : { at: ticket.created_at, canary: ticket.intent.kind === "tool.hapdoctorcanary" };
}
