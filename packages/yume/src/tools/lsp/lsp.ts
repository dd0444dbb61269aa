// LSP: what a language server knows about code. A server runs what a project tells it to run (plug-ins, build scripts), so that a
// call is a command like any other, unless a sandbox holds the server.
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { CommandSandbox } from "@hap/sandbox";
import type { Workspace } from "../../permissions/workspace.ts";
import { readFacts } from "../files/path-facts.ts";
import { schema, type Tool, ToolError, text } from "../tool.ts";
import type { LanguageServers } from "./language-servers.ts";
import type { LspServer } from "./lsp-config.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { programExists, type ServerPlace } from "./server-process.ts";

export type LspWorld = {
  workspace: Workspace;
  env: NodeJS.ProcessEnv;
  sandbox: CommandSandbox | null;
  log: (words: string) => void;
};

/** How long a server may go on loading a project before its first answer counts. */
const PATIENCE_MS = 60_000;

/** The tool over those servers whose programs are there; null when there is none. Nothing is started yet. */
export function makeLsp(configs: readonly LspServer[], world: LspWorld): { tool: Tool; close: () => Promise<void> } | null {
  const placeOf = (config: LspServer): ServerPlace => ({
    cwd: world.workspace.resolve(config.workspaceFolder),
    env: world.env,
    sandbox: world.sandbox,
  });
  const usable = configs.filter((config) => {
    const found = programExists(config, placeOf(config));
    if (!found) world.log(`the language server ${config.name} is left out: there is no program ${config.command}`);
    return found;
  });
  if (usable.length === 0) return null;
  let servers: Promise<LanguageServers> | null = null;
  const load = async () => new (await import("./language-servers.ts")).LanguageServers(usable, placeOf);
  return {
    tool: lspTool(usable, { confined: world.sandbox !== null }, () => (servers ??= load())),
    close: async () => (await servers)?.close(),
  };
}

/** `confined`: the servers run in a sandbox. */
export function lspTool(
  configs: readonly LspServer[],
  { confined }: { confined: boolean },
  servers: () => Promise<LanguageServers>,
): Tool {
  const endings = configs.flatMap(({ extensionToLanguage }) => Object.keys(extensionToLanguage));
  return {
    parallel: true,
    spec: {
      name: "LSP",
      description: `Asks a language server about code: where a name is defined or used, what it is, what calls it. line and character point at a name, counted from 1 as an editor shows them; documentSymbol and workspaceSymbol need no position. There are servers for: ${endings.join(", ")}`,
      input_schema: schema(
        {
          operation: { type: "string", enum: Object.keys(OPERATIONS) },
          filePath: {
            type: "string",
            description: "The file that the question is about; for workspaceSymbol, any of the language",
          },
          line: { type: "integer", description: "The line, from 1" },
          character: { type: "integer", description: "The character in the line, from 1" },
          query: { type: "string", description: "For workspaceSymbol: a part of the name; else the name at the position" },
        },
        ["operation", "filePath"],
      ),
    },
    async classify(input, context) {
      const facts = await readFacts("LSP", String(input.filePath), context);
      const callClass = facts.callClass === "read" && !confined ? "command" : facts.callClass;
      return { ...facts, callClass, summary: `LSP ${String(input.operation)} ${facts.summary.slice(4)}` };
    },
    async run(input, { workspace, files, signal }) {
      const name = String(input.operation) as OperationName;
      const operation = OPERATIONS[name];
      const path = workspace.resolve(String(input.filePath));
      const position = { line: Number(input.line ?? 1) - 1, character: Number(input.character ?? 1) - 1 };
      if (operation.places && (input.line == null || input.character == null))
        throw new ToolError(`${name} needs line and character, counted from 1, of a name in ${String(input.filePath)}.`);
      if (position.line < 0 || position.character < 0) throw new ToolError("line and character are counted from 1.");
      const found = await (await servers()).get(path);
      if (!found.server.can(operation.capability))
        throw new ToolError(`The language server ${found.name} for ${extname(path)} cannot do ${name}.`);
      await found.server.bringUpToDate(path, files.paths);
      const query = typeof input.query === "string" ? input.query : await nameAt(path, position);
      const ask = (method: string, params: unknown) => found.server.request(method, params, signal);
      const answer = () => operation.run(ask, { path, position, query }, (other) => workspace.show(other));
      let told = await answer();
      // A server that is still loading the project answers with what it has; it is asked again when it has all.
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      while (found.server.busy && !deadline.aborted) {
        await found.server.rested(deadline);
        told = await answer();
      }
      return text(found.server.busy ? `${told}\n[The server is still at work on the project: something may be missing.]` : told);
    },
  };
}

/** The name that stands at a position of a file, or nothing. */
async function nameAt(path: string, { line, character }: { line: number; character: number }): Promise<string> {
  const row = (await readFile(path, "utf8")).split(/\r?\n/)[line] ?? "";
  const before = /[\p{ID_Continue}$]*$/u.exec(row.slice(0, character))?.[0] ?? "";
  const after = /^[\p{ID_Continue}$]*/u.exec(row.slice(character))?.[0] ?? "";
  return before + after;
}
