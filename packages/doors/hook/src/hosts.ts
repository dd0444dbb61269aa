// The hosts whose hooks this door speaks, and what differs between them.

/** A program that runs an agent and calls hooks. */
export type Host = "claude" | "codex";

export const HOSTS: Readonly<Record<Host, { title: string; agent: string }>> = {
  claude: { title: "Claude Code", agent: "agent:claude-code" },
  codex: { title: "Codex", agent: "agent:codex" },
};

/** True for the name of a host. */
export function isHost(name: string | undefined): name is Host {
  return name === "claude" || name === "codex";
}
