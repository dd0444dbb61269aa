// The hosts whose hooks this door speaks, and what differs between them.

/** A program that runs an agent and calls hooks. */
export type Host = "claude" | "codex";

export const HOSTS: Readonly<Record<Host, { title: string; agent: string }>> = {
  claude: { title: "Claude Code", agent: "agent:claude-code" },
  codex: { title: "Codex", agent: "agent:codex" },
};

/** How the guard passes on where the host's shell looks for programs, and in which folder the host was started. */
export const HOST_PATH = "HAP_HOST_PATH";
export const HOST_PROJECT = "HAP_HOST_PROJECT";

/** True for the name of a host. */
export function isHost(name: string | undefined): name is Host {
  return name === "claude" || name === "codex";
}
