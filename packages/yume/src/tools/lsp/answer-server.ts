// What a language server may ask of us: its configuration, folders and progress. An edit that it wants to make is refused: changes
// to files go through the gate.
import type { ProtocolConnection } from "vscode-languageserver-protocol/node";
import { uriOf } from "./documents.ts";
import type { LspServer } from "./lsp-config.ts";

type Progress = { token: string | number; value: { kind?: string } };

/** Work that a server tells of: loading a project, making an index. */
export class OwnWork {
  readonly #tokens = new Set<string | number>();
  #waiting: (() => void)[] = [];

  get goesOn(): boolean {
    return this.#tokens.size > 0;
  }

  hear({ token, value }: Progress): void {
    if (value?.kind === "begin") this.#tokens.add(token);
    if (value?.kind === "end") this.#tokens.delete(token);
    if (!this.goesOn) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  done(): Promise<void> {
    return this.goesOn ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }
}

/** Answer on a connection, and keep account of the work that goes on. */
export function answerServer(connection: ProtocolConnection, config: LspServer, folder: string, work: OwnWork): void {
  connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
    items.map(({ section }) => sectionOf(config.settings, section)),
  );
  connection.onRequest("workspace/workspaceFolders", () => [{ uri: uriOf(folder), name: folder }]);
  connection.onRequest("workspace/applyEdit", () => ({ applied: false, failureReason: "files are changed by other tools" }));
  connection.onRequest("window/showMessageRequest", () => null);
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("client/unregisterCapability", () => null);
  connection.onNotification("$/progress", (progress: Progress) => work.hear(progress));
}

/** `a.b` of the settings; all of them without a name, null for what nobody set. */
function sectionOf(settings: unknown, section: string | undefined): unknown {
  if (section === undefined || section === "") return settings;
  const found = section
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
      settings,
    );
  return found ?? null;
}
