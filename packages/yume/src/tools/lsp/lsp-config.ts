// The language servers of a run, from `lspServers` in the settings, each checked before anything is started. The fields are those
// of Claude's plugins. Pure.
import { YumeError } from "../../yume-error.ts";

export type LspServer = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** File endings such as `.ts`, in lower case -> the protocol's names of languages. */
  extensionToLanguage: Record<string, string>;
  initializationOptions: unknown;
  /** What the server hears when it asks for its configuration. */
  settings: unknown;
  /** The folder that it works on, from the working folder. */
  workspaceFolder: string;
  startupTimeout: number;
  requestTimeout: number;
  shutdownTimeout: number;
  maxRestarts: number;
};

type Loose = Record<string, unknown>;

/** Read them; what is wrong is an error that names the server and the field. */
export function readLspServers(given: unknown): LspServer[] {
  if (given === undefined) return [];
  if (!isObject(given)) throw wrong("lspServers must be an object of servers by name");
  return Object.entries(given).map(([name, value]) => readServer(name, value));
}

function readServer(name: string, value: unknown): LspServer {
  const at = `lspServers.${name}`;
  if (!isObject(value)) throw wrong(`${at} must be an object`);
  if (typeof value.command !== "string" || value.command === "") throw wrong(`${at} needs command, the server's program`);
  if (value.transport !== undefined && value.transport !== "stdio")
    throw wrong(`${at}.transport must be "stdio"; nothing else is spoken`);
  const languages = Object.entries(texts(value.extensionToLanguage ?? {}, `${at}.extensionToLanguage`));
  if (languages.length === 0) throw wrong(`${at} needs extensionToLanguage, such as {".go": "go"}`);
  const ms = (field: string, otherwise: number) => number(value[field], `${at}.${field}`, otherwise);
  return {
    name,
    command: value.command,
    args: strings(value.args ?? [], `${at}.args`),
    env: texts(value.env ?? {}, `${at}.env`),
    extensionToLanguage: Object.fromEntries(
      languages.map(([ending, language]) => [`.${ending.replace(/^\./, "").toLowerCase()}`, language]),
    ),
    initializationOptions: value.initializationOptions,
    settings: value.settings ?? null,
    workspaceFolder: typeof value.workspaceFolder === "string" ? value.workspaceFolder : ".",
    startupTimeout: ms("startupTimeout", 30_000),
    requestTimeout: ms("requestTimeout", 60_000),
    shutdownTimeout: ms("shutdownTimeout", 2_000),
    maxRestarts: value.restartOnCrash === false ? 0 : ms("maxRestarts", 3),
  };
}

function number(value: unknown, at: string, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw wrong(`${at} must be a number of 0 or more`);
}

function strings(value: unknown, at: string): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw wrong(`${at} must be a list of texts`);
}

function texts(value: unknown, at: string): Record<string, string> {
  if (isObject(value) && Object.values(value).every((one) => typeof one === "string")) return value as Record<string, string>;
  throw wrong(`${at} must be an object of texts`);
}

function wrong(words: string): YumeError {
  return new YumeError("usage", `--settings: ${words}.`);
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
