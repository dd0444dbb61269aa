// What the LSP tool can be asked, and what each operation asks the server.
import type { ServerCapabilities } from "vscode-languageserver-protocol";
import { uriOf } from "./documents.ts";
import { tellCalls, tellHover, tellLocations, tellSymbols } from "./tell-answer.ts";

/** Where a question points to: counted from 0, as the protocol does. */
export type Spot = { path: string; position: { line: number; character: number }; query: string };

type Ask = (method: string, params: unknown) => Promise<unknown>;

type Show = (path: string) => string;
type Operation = {
  capability: keyof ServerCapabilities;
  /** It concerns one place in the file. */
  places: boolean;
  run: (ask: Ask, spot: Spot, show: Show) => Promise<string>;
};

const at = ({ path, position }: Spot) => ({ textDocument: { uri: uriOf(path) }, position });

const locations =
  (method: string, what: string, more: Record<string, unknown> = {}): Operation["run"] =>
  async (ask, spot, show) =>
    tellLocations(await ask(method, { ...at(spot), ...more }), what, show);

/** The calls of whatever stands at the spot. */
const calls =
  (direction: "incoming" | "outgoing"): Operation["run"] =>
  async (ask, spot, show) => {
    const items = list(await ask("textDocument/prepareCallHierarchy", at(spot)));
    const found = await Promise.all(items.map((item) => ask(`callHierarchy/${direction}Calls`, { item })));
    return tellCalls(items, found.flatMap(list), direction, show);
  };

export const OPERATIONS = {
  goToDefinition: {
    capability: "definitionProvider",
    places: true,
    run: locations("textDocument/definition", "definition"),
  },
  findReferences: {
    capability: "referencesProvider",
    places: true,
    run: locations("textDocument/references", "reference", { context: { includeDeclaration: true } }),
  },
  hover: {
    capability: "hoverProvider",
    places: true,
    run: async (ask, spot) => tellHover(await ask("textDocument/hover", at(spot))),
  },
  documentSymbol: {
    capability: "documentSymbolProvider",
    places: false,
    run: async (ask, spot, show) =>
      tellSymbols(await ask("textDocument/documentSymbol", { textDocument: { uri: uriOf(spot.path) } }), show),
  },
  workspaceSymbol: {
    capability: "workspaceSymbolProvider",
    places: false,
    run: async (ask, spot, show) => tellSymbols(await ask("workspace/symbol", { query: spot.query }), show),
  },
  goToImplementation: {
    capability: "implementationProvider",
    places: true,
    run: locations("textDocument/implementation", "implementation"),
  },
  prepareCallHierarchy: {
    capability: "callHierarchyProvider",
    places: true,
    run: async (ask, spot, show) => tellCalls(list(await ask("textDocument/prepareCallHierarchy", at(spot))), [], "none", show),
  },
  incomingCalls: { capability: "callHierarchyProvider", places: true, run: calls("incoming") },
  outgoingCalls: { capability: "callHierarchyProvider", places: true, run: calls("outgoing") },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
}
