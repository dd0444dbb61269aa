// A workspace and the context of a call, for tests of tools without a process around them.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { Workspace } from "../../src/permissions/workspace.ts";
import { Shells } from "../../src/tools/bash/shells.ts";
import { FileMemory } from "../../src/tools/files/file-memory.ts";
import { failure, type Tool, type ToolContext } from "../../src/tools/tool.ts";

const endings: (() => void)[] = [];
afterAll(() => {
  for (const end of endings.splice(0)) end();
});

export type ToolWorld = {
  folder: string;
  context: ToolContext;
  run: (tool: Tool, input: Record<string, unknown>) => Promise<{ text: string; is_error: boolean }>;
};

/** A world of its own. */
export function toolWorld(): ToolWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "yume-tools-")));
  const workspace = new Workspace(folder);
  const shells = new Shells({ workspace, env: process.env, outputs: join(folder, ".outputs"), sandbox: null });
  endings.push(
    () => shells.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  const context: ToolContext = {
    workspace,
    shells,
    files: new FileMemory(),
    hidden: () => false,
    signal: new AbortController().signal,
    toolUseId: "call",
  };
  return {
    folder,
    context,
    async run(tool, input) {
      const { content, is_error } = await tool.run(input, context).catch((error: Error) => failure(error.message));
      return { text: content.map((part) => (part.type === "text" ? part.text : `[${part.media_type}]`)).join("\n"), is_error };
    },
  };
}
