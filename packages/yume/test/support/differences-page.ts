// docs/yume-claude.md, out of what happened and the list of known differences.
import { DIFFERENT_FRAMES, DIFFERENT_VALUES, type FieldDifference, ONLY_OURS, ONLY_THEIRS } from "./known-differences.ts";

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");

function fieldTable(list: readonly FieldDifference[]): string[] {
  return [
    "| frames | fields | why |",
    "|---|---|---|",
    ...list.map(({ frames, fields, why }) => `| ${frames.join("; ")} | ${code(fields)} | ${why} |`),
  ];
}

/** The page. */
export function differencesPage(scenarios: readonly (readonly [string, readonly string[]])[]): string {
  return `${[
    "# yume-cli beside the real claude",
    "",
    "Written by `packages/yume/test/claude-binary.test.ts`, which has one conversation with both programs: the `claude` that the",
    "Claude Agent SDK's package carries, and yume-cli, with the same scripted model behind the same API. A test fails when a frame, a",
    "field or a type differs that is not listed here, or when a listed difference is none any more (`-u` writes this page).",
    "",
    "## Told alike",
    "",
    "Frames in their order, calls by number; results of calls that ran side by side in any order. The stream events of partial",
    "messages are alike as well.",
    "",
    "| scenario | frames of yume-cli |",
    "|---|---|",
    ...scenarios.map(([scenario, words]) => `| ${scenario} | ${words.join("<br>")} |`),
    "",
    "## Told differently",
    "",
    "| scenario | claude | yume-cli | why |",
    "|---|---|---|---|",
    ...DIFFERENT_FRAMES.map(({ scenario, theirs, ours, why }) => `| ${scenario} | ${theirs} | ${ours} | ${why} |`),
    ...DIFFERENT_VALUES.map(({ scenario, field, why }) => `| ${scenario} | \`${field}\` | another number | ${why} |`),
    "",
    "With partial messages both write the `assistant` frame of a text or a thought when its block ends. yume-cli writes that of a call",
    "when the message is whole: a stream that breaks is asked for again, and a call that was told cannot be taken back.",
    "",
    "## Clients",
    "",
    "Programs that drive Claude Code, with yume-cli in its place and a model that is not Claude behind it.",
    "",
    "| client | what was tried | by |",
    "|---|---|---|",
    '| `@anthropic-ai/claude-agent-sdk` 0.3.325 | text, tools, permissions, "always allow", hooks, MCP servers of the host, interrupts, schemas, sub-agents, questions, plans, context usage, session lists and forks, on five wires | `claude-sdk.test.ts`, `claude-control.test.ts`, `claude-sessions.test.ts`, `always-allow.test.ts` |',
    "| `@anthropic-ai/claude-agent-sdk` 0.1.30, 0.2.50 | text, tools, permissions, interrupts | `claude-sdk-generations.test.ts` |",
    "| `@agentclientprotocol/claude-agent-acp` 0.99.1 | text, thinking before text (told once), tools, permissions, cancelling | `acp-adapter.test.ts` |",
    "| `ai-sdk-provider-claude-code` 4.1.0 | `generateText`, `streamText` with thinking and a tool | `npm run test:clients` |",
    "| `pydantic-ai-claude-code` 0.8.1 with pydantic-ai 1.39 | `run_sync`; it calculates with `total_cost_usd`, so that the model needs a price (`prices` in `~/.yume/config.json`) | `npm run test:clients` |",
    "| `claude-agent-sdk` for Python 0.1.30, 0.2.182 | `query` with text and a tool; its own session list and messages | `npm run test:clients` |",
    "| `@anthropic-ai/claude-code` 1.0.128 | `query` with text, thinking and a tool | `npm run test:clients` |",
    "",
    "## Fields that only claude writes",
    "",
    ...fieldTable(ONLY_THEIRS),
    "",
    "## Fields that only yume-cli writes",
    "",
    ...fieldTable(ONLY_OURS),
  ].join("\n")}\n`;
}
