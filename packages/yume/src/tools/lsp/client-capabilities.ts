// What this client can do, as language servers are told. Nothing is registered later, so that what a server says at first counts.
import type { ClientCapabilities } from "vscode-languageserver-protocol";

export const clientCapabilities: ClientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: false },
    symbol: { dynamicRegistration: false },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: false },
    definition: { dynamicRegistration: false, linkSupport: true },
    implementation: { dynamicRegistration: false, linkSupport: true },
    references: { dynamicRegistration: false },
    hover: { dynamicRegistration: false, contentFormat: ["markdown", "plaintext"] },
    documentSymbol: { dynamicRegistration: false, hierarchicalDocumentSymbolSupport: true },
    callHierarchy: { dynamicRegistration: false },
  },
};
