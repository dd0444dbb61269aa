// `yume-cli mcp list`: the MCP servers that a run in this folder would have, each tried.
import { resolve } from "node:path";
import type { Options } from "../argv/options.ts";
import { type McpServer, readMcpConfigs } from "../mcp/mcp-config.ts";
import { McpServers } from "../mcp/mcp-servers.ts";
import { readSettings } from "../settings/settings.ts";
import { mcpSources } from "./mcp-sources.ts";
import { settingPlaces } from "./setting-places.ts";
import type { World } from "./world.ts";

/** Print them; exit code 1 when one cannot be used. */
export async function runMcp(options: Options, world: World): Promise<number> {
  if (options.words[1] !== "list") {
    world.stderr.write(
      "yume-cli mcp knows one command: list. Servers come from --mcp-config, ~/.yume/config.json and .mcp.json.\n",
    );
    return 1;
  }
  try {
    const cwd = resolve(world.cwd, options.cwd ?? ".");
    const settings = readSettings(settingPlaces(options, world, cwd));
    const { configs, unapproved } = mcpSources(options, settings, cwd);
    const env = { ...world.env, ...settings.env };
    const servers = readMcpConfigs(configs, [], env);
    const mcp = new McpServers({ channel: null, env, cwd, log: () => {} });
    await mcp.connect(servers);
    for (const { name, status, error } of mcp.status) {
      const server = servers.find((one) => one.name === name) as McpServer;
      world.stdout.write(`${name}: ${placeOf(server)} - ${status}${error === undefined ? "" : ` (${error})`}\n`);
    }
    for (const name of unapproved)
      world.stdout.write(`${name}: .mcp.json - not approved; name it in enabledMcpjsonServers of your settings\n`);
    if (mcp.status.length + unapproved.length === 0) world.stdout.write("No MCP servers are configured.\n");
    await mcp.close();
    return mcp.status.every(({ status }) => status === "connected") ? 0 : 1;
  } catch (error) {
    world.stderr.write(`yume-cli: ${(error as Error).message}\n`);
    return 1;
  }
}

function placeOf(server: McpServer): string {
  if (server.kind === "stdio") return [server.command, ...server.args].join(" ");
  return server.kind === "sdk" ? "the host" : `${server.url} (${server.kind})`;
}
