// The MCP server in a host's settings: JSON for Claude Code, a table of TOML between two marks for Codex. Pure.
import { HapError } from "@hap/protocol";
import { isObject } from "../read-event.ts";
import { OUR_SERVER } from "../tools.ts";
import { parseSettings, print } from "./hook-settings.ts";

/** How the server is started. */
export type McpServer = { command: string; args: string[]; env: Record<string, string> };

const BEGIN = "# hap: begin (written by `hap init`, removed by `hap init --remove`)";
const END = "# hap: end";

/** The text with the server in it. */
export function withServer(path: string, text: string | null, server: McpServer): string {
  if (path.endsWith(".toml")) return withTable(path, text ?? "", server);
  const settings = parseSettings(text, path);
  const servers = isObject(settings.mcpServers) ? settings.mcpServers : {};
  if (servers[OUR_SERVER] !== undefined && !isOurs(servers[OUR_SERVER])) throw taken(path);
  return print({ ...settings, mcpServers: { ...servers, [OUR_SERVER]: server } }, text);
}

/** The text without it; null when nothing is left of the file. */
export function withoutServer(path: string, text: string | null): string | null {
  if (path.endsWith(".toml")) {
    const rest = withoutTable(text ?? "");
    return rest.trim() === "" ? null : rest;
  }
  const { mcpServers, ...settings } = parseSettings(text, path);
  const { [OUR_SERVER]: ours, ...others } = isObject(mcpServers) ? mcpServers : {};
  // Somebody else's server of that name is not ours to remove.
  if (!isOurs(ours)) return text;
  const rest = Object.keys(others).length === 0 ? settings : { ...settings, mcpServers: others };
  return Object.keys(rest).length === 0 ? null : print(rest, text);
}

function isOurs(server: unknown): boolean {
  return isObject(server) && Array.isArray(server.args) && server.args.at(-1) === "mcp";
}

function taken(path: string): HapError {
  return new HapError("invalid_input", `${path} has a server called hap already. Remove or rename it first.`, { path });
}

function withTable(path: string, text: string, server: McpServer): string {
  const rest = withoutTable(text);
  if (/^\s*\[\s*mcp_servers\s*\.\s*"?hap"?\s*\]/m.test(rest)) throw taken(path);
  const env = Object.entries(server.env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const table = [
    BEGIN,
    `[mcp_servers.${OUR_SERVER}]`,
    `command = ${JSON.stringify(server.command)}`,
    `args = [${server.args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
    `env = { ${env.join(", ")} }`,
    END,
    "",
  ].join("\n");
  return rest.trim() === "" ? table : `${rest.replace(/\n*$/, "\n\n")}${table}`;
}

function withoutTable(text: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin < 0 || end < 0) return text;
  return `${text.slice(0, begin).replace(/\n+$/, "\n")}${text.slice(end + END.length).replace(/^\n/, "")}`;
}
