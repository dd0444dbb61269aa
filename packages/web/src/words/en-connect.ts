// The words of the first steps: a sample ticket, and how each kind of agent is connected.
export const connectWords = {
  "connect.try": "Try it: open a sample ticket",
  "connect.tryAbout": "A sample agent asks you something harmless and waits. Decide it, and it wakes.",
  "connect.woke": "The sample agent woke up and read your decision.",
  "connect.title": "Connect an agent",
  "connect.claude": "Claude Code",
  "connect.codex": "Codex",
  "connect.mcp": "An MCP client",
  "connect.own": "Your own code",
  "connect.always": "For every session: {command}",
  "connect.proof": "Prove it: {command}",
  "connect.yes": "Connected, asked {ago}",
  "connect.canary": "Connected: the canary of hap doctor was refused {ago}",
  "connect.no": "Not connected yet",
  "connect.copy": "Copy the command",
  "connect.copied": "Copied",
} as const;
