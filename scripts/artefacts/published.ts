// The one list of names that we publish, and which of our folders each is made from. Documents and manifests take names from here.

type Library = {
  name: string;
  folder: string;
  description: string;
  /** Packages of ours that are not published and become part of this one. */
  inline?: string[];
  /** Its name inside the repository, where that is another one. */
  inside?: string;
  /** Programs, each with its file in `src`. */
  bin?: Record<string, string>;
};

/** Libraries: compiled from their sources. */
export const libraries: Library[] = [
  {
    name: "@hap/protocol",
    folder: "packages/protocol",
    description: "The Human Agent Protocol: schemas, hashes, signed statements, policy rules. Pure, runs in browsers too",
  },
  {
    name: "@hap/core",
    folder: "packages/core",
    inline: ["@hap/shell"],
    description: "The embedded engine of HAP: durable tickets, signed decisions and a hash-chained log on SQLite",
  },
  {
    name: "@hap/sdk",
    folder: "packages/sdk",
    description: "Ask a person from an agent, wait for the decision, decide as a person: embedded or on a server",
  },
  {
    name: "@hap/server",
    folder: "packages/server",
    description: "HAP over HTTP: tickets, decisions, live events, identity",
  },
  {
    name: "@hap/mcp-server",
    inside: "@hap/door-mcp",
    folder: "packages/doors/mcp",
    bin: { "hap-mcp-server": "main" },
    description: "The MCP server of HAP: an agent asks a person and waits, over stdio or HTTP",
  },
  {
    name: "@hap/term-sdk",
    folder: "packages/term-sdk",
    description: "Write a terminal agent in TypeScript: one request line in, one response line out",
  },
  {
    name: "term-sdk",
    folder: "packages/term-sdk",
    description: "Write a terminal agent in TypeScript: one request line in, one response line out",
  },
];

/** The package with every command. Its folders have the same layout as the checkout. */
export const commands = {
  name: "hap",
  description: "HAP: the inbox where people decide for their agents",
  bin: {
    hap: "packages/cli/bin/hap.mjs",
    "hap-hook": "packages/doors/hook/bin/hap-hook.cjs",
    cueme: "packages/doors/cueme/bin/cueme.mjs",
    "yume-cli": "packages/yume/bin/yume-cli.mjs",
    term: "packages/term/bin/term.mjs",
  },
};

/** What other registries would call our SDKs, and the module that programs import. Free when last looked at; none is published yet. */
export const otherRegistries = [
  { registry: "PyPI", name: "term-sdk", module: "term_sdk", folder: "sdks/python" },
  { registry: "crates.io", name: "term-sdk", module: "term_sdk", folder: "sdks/rust" },
];

/** Names that belong to others: documents must not tell anyone to install them for HAP. */
export const takenNames = [
  { registry: "PyPI", name: "hap" },
  { registry: "crates.io", name: "hap" },
  { registry: "npm", name: "term" },
];

/** False until a name is ours in its registry: then documents may say to install it by name. */
export const arePublished = false;
