// Every flag that is known: the seed's, Claude's, and ours. What a flag means is in `parse-options.ts`.

/** Flags that take a value, by every name they have; the first is the canonical one. */
const VALUED: readonly (readonly string[])[] = [
  ["provider", "P"],
  ["model", "m"],
  ["fallback-model"],
  ["api-base"],
  ["wire"],
  ["cwd", "d"],
  ["prompt"],
  ["session-id", "s"],
  ["resume", "r"],
  ["history-file"],
  ["input-format"],
  ["output-format"],
  ["protocol-version"],
  ["permission-mode"],
  ["permission-prompt-tool"],
  ["approvals"],
  ["allowed-tools", "allowedTools"],
  ["disallowed-tools", "disallowedTools"],
  ["tools"],
  ["add-dir"],
  ["mcp-config"],
  ["system-prompt"],
  ["append-system-prompt"],
  ["retry-seconds"],
  ["max-turns"],
  ["max-seconds"],
  ["max-budget-usd"],
  ["max-thinking-tokens"],
  ["effort"],
  ["thinking"],
  ["thinking-display"],
  ["json-schema"],
  ["settings"],
  ["setting-sources"],
  ["agents"],
  ["sandbox"],
];

/** Flags without a value. Those of Claude that have no meaning here are read so that they swallow nothing. */
const SWITCHES: readonly (readonly string[])[] = [
  ["continue", "c"],
  ["fork-session"],
  ["no-session-persistence"],
  ["include-partial-messages"],
  ["replay-user-messages"],
  ["dangerously-skip-permissions"],
  ["verbose"],
  ["version"],
  ["help", "h"],
  ["print"],
  ["allow-dangerously-skip-permissions"],
  ["strict-mcp-config"],
  ["include-hook-events"],
  ["debug-to-stderr"],
  ["await-initialize"],
  ["bare"],
  ["managed-settings-in-initialize"],
  ["session-mirror"],
];

/** Flags whose values may follow as several arguments. */
export const SEVERAL: ReadonlySet<string> = new Set(["allowed-tools", "disallowed-tools", "tools"]);

const index = new Map<string, { name: string; valued: boolean }>();
for (const names of VALUED) for (const name of names) index.set(name, { name: names[0] as string, valued: true });
for (const names of SWITCHES) for (const name of names) index.set(name, { name: names[0] as string, valued: false });

/** The flag of a name without its dashes, or undefined. */
export function findFlag(name: string): { name: string; valued: boolean } | undefined {
  return index.get(name);
}
