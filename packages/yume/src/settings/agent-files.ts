// Kinds of sub-agents from Markdown files in .claude/agents, in the form that --agents takes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFrontMatter } from "./front-matter.ts";

/** Definitions by name; the first of a name wins. */
export function findAgentFiles(folders: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const folder of folders)
    for (const file of namesIn(folder).filter((name) => name.endsWith(".md"))) {
      try {
        const { field, body } = readFrontMatter(readFileSync(join(folder, file), "utf8"));
        const name = field("name") ?? file.slice(0, -3);
        const tools = field("tools");
        found[name] ??= {
          description: field("description") ?? "",
          prompt: body.trim(),
          ...(tools === null
            ? {}
            : {
                tools: tools
                  .replaceAll(/[[\]]/g, "")
                  .split(/[,\s]+/)
                  .filter(Boolean),
              }),
          ...(field("model") === null ? {} : { model: field("model") }),
        };
      } catch {
        // A file that cannot be read is no agent.
      }
    }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
