// What a gate is made of, wherever it is put: into settings by `hap init`, onto a command line by `hap claude` and `hap codex`.
import type * as HookInstall from "@hap/door-hook/install";
import type { Host, Installed, McpServer } from "@hap/door-hook/install";
import { parseHumanId } from "@hap/protocol";
import type { Context } from "../context.ts";
import { parseDuration } from "../input/duration.ts";
import type { Parts } from "./installation.ts";

type Door = typeof HookInstall;

/** What a person may fix at installation. */
export type GateOptions = { to?: string; wait?: string; ttl?: string; run?: true };

/** The hook's command, as it is fixed at installation. */
export function gateOf(
  context: Context,
  door: Door,
  host: Host,
  parts: Parts,
  project: string | null,
  options: GateOptions,
): Installed {
  const to = options.to ?? (context.env.HAP_HUMAN_ID || undefined);
  return {
    host,
    node: parts.node,
    hook: parts.hook,
    hap: parts.hap.at(-1) as string,
    home: context.home,
    store: parts.store,
    waitSeconds: options.wait === undefined ? door.DEFAULT_WAIT_SECONDS : parseDuration(options.wait, "--wait"),
    ...(options.ttl === undefined ? {} : { ttlSeconds: parseDuration(options.ttl, "--ttl") }),
    ...(to === undefined ? {} : { to: parseHumanId(to, "--to") }),
    ...(project === null ? {} : { project }),
    ...(options.run ? { run: [...parts.hap, "run"].join(" ") } : {}),
    ...serverOf(context),
  };
}

/** The MCP server of a host's agent. */
export function mcpServerOf(context: Context, door: Door, host: Host, parts: Parts): McpServer {
  const { HAP_URL: url } = context.env;
  // The key of a server is taken from the environment there: a settings file is often committed.
  const key = door.HOSTS[host].refersToVariables ? { HAP_API_KEY: variable("HAP_API_KEY") } : {};
  const where = url ? { HAP_URL: url, ...key } : { HAP_DB_PATH: parts.store };
  const [command = "", ...args] = [...parts.hap, "mcp"];
  return { command, args, env: { ...where, HAP_AGENT_ID: door.HOSTS[host].agent } };
}

/** What Claude Code puts the value of a variable in the place of. */
const variable = (name: string) => `$\{${name}}`;

/** A server counts as it is now; its key goes along, since the hook's environment is made anew. */
function serverOf({ env }: Context): Pick<Installed, "server"> {
  const { HAP_URL: url, HAP_API_KEY: apiKey, HAP_CA_FILE: caFile, HAP_PIN_SHA256: pin } = env;
  if (!url) return {};
  return { server: { url, ...(apiKey ? { apiKey } : {}), ...(caFile ? { caFile } : {}), ...(pin ? { pin } : {}) } };
}
