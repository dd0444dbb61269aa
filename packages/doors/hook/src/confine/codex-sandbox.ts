// Whether Codex's own sandbox is on, from its command line and its configuration files. Pure. `unknown` counts as off: profiles, and
// the app server, whose clients choose a sandbox for each turn, cannot be seen from here.

export type CodexSandbox = "on" | "off" | "unknown";

const CONFINES = ["read-only", "workspace-write"];

/** `words`: the arguments of the program, null when they cannot be read. `configs`: files, the strongest first. */
export function codexSandbox(words: readonly string[] | null, configs: readonly string[]): CodexSandbox {
  if (words === null) return "unknown";
  if (words.some((word) => word === "--dangerously-bypass-approvals-and-sandbox" || word === "--yolo")) return "off";
  if (words.some((word) => ["app-server", "mcp-server", "--profile", "-p"].includes(word) || word.startsWith("--profile=")))
    return "unknown";
  const stated = fromWords(words) ?? configs.flatMap((text) => fromConfig(text) ?? [])[0];
  if (stated === undefined)
    return configs.some((text) => /^\s*(?:profile|default_permissions)\s*=/m.test(text)) ? "unknown" : "on";
  if (CONFINES.includes(stated)) return "on";
  return stated === "danger-full-access" ? "off" : "unknown";
}

function fromWords(words: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (word === "--sandbox" || word === "-s") return words[at + 1] ?? "";
    if (word.startsWith("--sandbox=")) return word.slice("--sandbox=".length);
    const set =
      word === "-c" || word === "--config"
        ? (words[at + 1] ?? "")
        : word.startsWith("--config=")
          ? word.slice("--config=".length)
          : "";
    const value = /^sandbox_mode\s*=\s*"?([a-z-]+)"?$/.exec(set)?.[1];
    if (value !== undefined) return value;
    if (set.startsWith("profile") || set.startsWith("permissions")) return "unknown";
  }
  return undefined;
}

/** The top-level key; a table of that name belongs to a profile. */
function fromConfig(text: string): string | undefined {
  const top = text.split(/^\s*\[/m)[0] ?? "";
  return /^\s*sandbox_mode\s*=\s*["']([^"']+)["']/m.exec(top)?.[1];
}
