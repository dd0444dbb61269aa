// The language servers of a run, by the endings of files. Each starts with the first call that needs it, and again after a crash,
// until it has crashed too often. All end with the run.
import { extname } from "node:path";
import { ToolError } from "../tool.ts";
import { LanguageServer } from "./language-server.ts";
import type { LspServer } from "./lsp-config.ts";
import type { ServerPlace } from "./server-process.ts";

type Slot = { server: Promise<LanguageServer> | null; starts: number };

export class LanguageServers {
  readonly #configs: readonly LspServer[];
  readonly #place: (config: LspServer) => ServerPlace;
  readonly #slots = new Map<LspServer, Slot>();
  readonly #ended = new AbortController();

  constructor(configs: readonly LspServer[], place: (config: LspServer) => ServerPlace) {
    this.#configs = configs;
    this.#place = place;
  }

  /** The server for a file, started when it is not there. */
  async get(path: string): Promise<{ server: LanguageServer; name: string }> {
    const config = this.#configs.find(({ extensionToLanguage }) => extname(path).toLowerCase() in extensionToLanguage);
    if (config === undefined) {
      const endings = this.#configs.flatMap(({ extensionToLanguage }) => Object.keys(extensionToLanguage));
      throw new ToolError(`No language server is configured for ${path}. There are some for: ${endings.join(", ")}.`);
    }
    const slot = this.#slots.get(config) ?? { server: null, starts: 0 };
    this.#slots.set(config, slot);
    for (;;) {
      const pending = slot.server;
      // A start that failed has told why; it is no server that was lost.
      const current = await pending?.catch(() => null);
      if (current?.alive === true) return { server: current, name: config.name };
      // Another call has started it meanwhile.
      if (slot.server !== pending) continue;
      if (slot.starts > config.maxRestarts)
        throw new ToolError(
          `The language server ${config.name} was started ${slot.starts} times and did not stay; it is not started again in this run. Use Grep instead.`,
        );
      slot.starts++;
      slot.server = LanguageServer.start(config, this.#place(config), this.#ended.signal);
      return { server: await slot.server, name: config.name };
    }
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all([...this.#slots.values()].map(async ({ server }) => (await server?.catch(() => null))?.close()));
  }
}
