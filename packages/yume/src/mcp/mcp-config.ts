// The MCP servers of a run, from --mcp-config (JSON or a file), each checked before anything is started.
import { readFileSync } from "node:fs";
import { YumeError } from "../yume-error.ts";

export type McpServer =
  | { kind: "stdio"; name: string; command: string; args: string[]; env: Record<string, string> }
  | { kind: "http" | "sse"; name: string; url: string; headers: Record<string, string> }
  | { kind: "sdk"; name: string };

type Loose = Record<string, unknown>;

/** Read all configurations; `sdkServers` are those that the host named itself. Later ones win. */
export function readMcpConfigs(given: readonly string[], sdkServers: readonly string[], env: NodeJS.ProcessEnv): McpServer[] {
  const found = new Map<string, McpServer>();
  for (const text of given)
    for (const [name, value] of Object.entries(serversIn(text))) found.set(name, readServer(name, value, env));
  for (const name of sdkServers) found.set(name, { kind: "sdk", name });
  return [...found.values()];
}

/** Servers that a host names while the run goes on; one that is wrong is an error. */
export function readServers(servers: Record<string, unknown>, env: NodeJS.ProcessEnv): McpServer[] {
  return Object.entries(servers).map(([name, value]) => readServer(name, value, env));
}

function serversIn(given: string): Loose {
  let value: unknown;
  try {
    value = JSON.parse(given.trim().startsWith("{") ? given : readFileSync(given, "utf8"));
  } catch (error) {
    throw new YumeError("usage", `--mcp-config takes JSON or the path of a file with it: ${(error as Error).message}`, error);
  }
  const servers = isObject(value) ? (value.mcpServers ?? value) : undefined;
  if (!isObject(servers)) throw new YumeError("usage", "--mcp-config needs an object mcpServers.");
  return servers;
}

function readServer(name: string, value: unknown, env: NodeJS.ProcessEnv): McpServer {
  if (!/^[\w .-]{1,64}$/.test(name)) throw new YumeError("usage", `--mcp-config: "${name}" is no name for a server.`);
  if (!isObject(value)) throw new YumeError("usage", `--mcp-config: the server ${name} must be an object.`);
  const expand = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, variable: string, otherwise?: string) => env[variable] ?? otherwise ?? "");
  const texts = (object: unknown) =>
    Object.fromEntries(
      Object.entries(isObject(object) ? object : {}).flatMap(([key, text]) =>
        typeof text === "string" ? [[key, expand(text)]] : [],
      ),
    );
  if (value.type === "sdk") return { kind: "sdk", name };
  if ((value.type === "http" || value.type === "sse") && typeof value.url === "string")
    return { kind: value.type, name, url: expand(value.url), headers: texts(value.headers) };
  if ((value.type === undefined || value.type === "stdio") && typeof value.command === "string") {
    const args = Array.isArray(value.args) ? value.args.map((one) => expand(String(one))) : [];
    return { kind: "stdio", name, command: expand(value.command), args, env: texts(value.env) };
  }
  throw new YumeError(
    "usage",
    `--mcp-config: the server ${name} needs a command (stdio), or type http, sse or sdk with what belongs to it.`,
  );
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
