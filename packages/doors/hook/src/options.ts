// How the hook is called: fixed at installation, so that neither the project nor the agent's environment can say otherwise.
import { HookError } from "./hook-error.ts";
import { HOSTS, type Host, isHost } from "./hosts.ts";

/** What the command line says; null where the default is found elsewhere. */
export type HookOptions = {
  host: Host;
  /** The agent's name in tickets; without it the key's own at a server, else the host's. */
  agent: string | null;
  /** The store's file; wins over HAP_DB_PATH. */
  store: string | null;
  /** Whom to ask. */
  to: string | null;
  /** The project's folder; without it the nearest one above the host's working folder. */
  project: string | null;
  /** How long to wait for a person: less than the host waits for us. */
  waitSeconds: number;
  /** How long a ticket lives. */
  ttlSeconds: number;
  /** Give back an approved command as `hap run TICKET`, which consumes the yes, checks again and runs it. */
  run: string | null;
  /** The `hap` program, by which commands run confined; without it they are asked about. */
  hap: string | null;
};

/** Below Claude Code's 600 seconds. */
export const DEFAULT_WAIT_SECONDS = 590;
export const DEFAULT_TTL_SECONDS = 300;
const DEFAULT_RUN = "hap run";

const NAMES = Object.keys(HOSTS);

const USAGE = `Usage: hap-hook ${NAMES.join("|")} [options]  < the host's JSON
  --store FILE      the store (default: HAP_DB_PATH, else ~/.hap/hap.db)
  --agent ID        the agent's name in tickets (default: the key's own at a server, else ${Object.values(HOSTS)
    .map(({ agent }) => agent)
    .join(", ")})
  --to PERSON       whom to ask (default: the person of this account)
  --project FOLDER  the project (default: the nearest folder with .git or .hap)
  --wait SECONDS    wait for a person at most this long (default: ${DEFAULT_WAIT_SECONDS}); less than the host's own limit
  --ttl SECONDS     how long a ticket lives (default: ${DEFAULT_TTL_SECONDS})
  --hap FILE        the program hap, by which commands that are not proven run confined (default: none, they are asked about)
  --run[=COMMAND]   give back an approved command as \`COMMAND tk_...\` (default: ${DEFAULT_RUN})`;

/** Read the arguments; anything unknown is an error, since a typing mistake must not open a gate. */
export function readOptions(args: readonly string[]): HookOptions {
  const [host, ...rest] = args;
  if (!isHost(host))
    throw new HookError(`The first word must be ${NAMES.join(" or ")}; it is ${JSON.stringify(host ?? "")}.\n${USAGE}`);
  const options: HookOptions = {
    host,
    agent: null,
    store: null,
    to: null,
    project: null,
    waitSeconds: DEFAULT_WAIT_SECONDS,
    ttlSeconds: DEFAULT_TTL_SECONDS,
    run: null,
    hap: null,
  };
  for (let at = 0; at < rest.length; at++) {
    const [name, attached] = split(rest[at] as string);
    if (name === "--run") {
      options.run = attached ?? DEFAULT_RUN;
      continue;
    }
    const value = attached ?? rest[++at];
    if (value === undefined || value === "") throw new HookError(`${name} needs a value.\n${USAGE}`);
    if (name === "--store") options.store = value;
    else if (name === "--agent") options.agent = value;
    else if (name === "--to") options.to = value;
    else if (name === "--project") options.project = value;
    else if (name === "--hap") options.hap = value;
    else if (name === "--wait") options.waitSeconds = seconds(name, value);
    else if (name === "--ttl") options.ttlSeconds = seconds(name, value);
    else throw new HookError(`${name} is no option of hap-hook.\n${USAGE}`);
  }
  return options;
}

function split(arg: string): [string, string | undefined] {
  const equals = arg.indexOf("=");
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function seconds(name: string, value: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(value)) return Number(value);
  throw new HookError(`${name} is ${JSON.stringify(value)}; it must be a whole number of seconds.`);
}
