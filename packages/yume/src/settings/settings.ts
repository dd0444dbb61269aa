// Settings that a caller passes with --settings: a JSON text or a file. Only what is listed here has a meaning.
import { readFileSync } from "node:fs";
import { isPermissionMode, type PermissionMode } from "../permissions/mode.ts";
import { type LspServer, readLspServers } from "../tools/lsp/lsp-config.ts";
import { YumeError } from "../yume-error.ts";

export type Settings = {
  allow: string[];
  ask: string[];
  deny: string[];
  defaultMode: PermissionMode | null;
  additionalDirectories: string[];
  env: Record<string, string>;
  /** Hosts (`name` or `name:port`) that WebFetch may reach although they are private. */
  webFetchHosts: string[];
  /** Where WebSearch asks; `{query}` stands for the query. */
  webSearchUrl: string | null;
  sandboxNetwork: boolean;
  lspServers: LspServer[];
  /** Prices by model, in US dollars per million tokens. */
  prices: Record<string, unknown>;
};

type Loose = Record<string, unknown>;

/** Read settings; what cannot be read is an error, for a rule that is lost is a gate that is open. */
export function readSettings(given: string | null): Settings {
  const value = given === null || given.trim() === "" ? {} : parse(given);
  const permissions = object(value.permissions);
  const web = object(value.webFetch);
  return {
    allow: strings(permissions.allow),
    ask: strings(permissions.ask),
    deny: strings(permissions.deny),
    defaultMode: isPermissionMode(permissions.defaultMode) ? permissions.defaultMode : null,
    additionalDirectories: strings(permissions.additionalDirectories),
    env: Object.fromEntries(
      Object.entries(object(value.env)).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
    ),
    webFetchHosts: strings(web.allowHosts),
    webSearchUrl: typeof object(value.webSearch).url === "string" ? String(object(value.webSearch).url) : null,
    sandboxNetwork: object(value.sandbox).network === true,
    lspServers: readLspServers(value.lspServers),
    prices: object(value.prices),
  };
}

function parse(given: string): Loose {
  const text = given.trim().startsWith("{") ? given : readFile(given);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Loose;
  } catch {
    // Told below.
  }
  throw new YumeError("usage", "--settings takes a JSON object or the path of a file with one.");
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new YumeError("usage", `--settings: ${(error as Error).message}`, error);
  }
}

function object(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
