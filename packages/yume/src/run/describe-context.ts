// The answer to `get_context_usage`, in the fields that Claude's clients read. Pure.

type Part = { name: string; tokens: number };

export type ContextParts = { model: string; window: number; system: number; tools: Part[]; mcpTools: Part[]; messages: number };

/** Share of the window at which a history is compacted. */
const COMPACTED_AT = 0.8;

/** What takes how much of the window. */
export function describeContext({ model, window, system, tools, mcpTools, messages }: ContextParts): Record<string, unknown> {
  const sum = (parts: readonly Part[]) => parts.reduce((total, { tokens }) => total + tokens, 0);
  const used = [
    { id: "system_prompt", name: "System prompt", tokens: system, color: "promptBorder", kind: "used" },
    { id: "system_tools", name: "System tools", tokens: sum(tools), color: "inactive", kind: "used" },
    { id: "mcp_tools", name: "MCP tools", tokens: sum(mcpTools), color: "cyan", kind: "used" },
    { id: "messages", name: "Messages", tokens: messages, color: "purple", kind: "used" },
  ].filter(({ tokens }) => tokens > 0);
  const total = sum(used);
  const free = Math.max(0, window - total);
  return {
    categories: [...used, { id: "free_space", name: "Free space", tokens: free, color: "promptBorder", kind: "free" }],
    totalTokens: total,
    maxTokens: window,
    rawMaxTokens: window,
    percentage: window === 0 ? 0 : Math.min(100, Math.round((total / window) * 100)),
    gridRows: [],
    model,
    memoryFiles: [],
    mcpTools: mcpTools.map(({ name, tokens }) => ({ name, serverName: name.split("__")[1] ?? "", tokens })),
    systemTools: tools,
    agents: [],
    isAutoCompactEnabled: true,
    autoCompactThreshold: Math.floor(window * COMPACTED_AT),
    apiUsage: null,
  };
}
