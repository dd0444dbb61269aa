// The command that stands in a host's settings. Around the hook lies a guard in plain shell: a non-zero exit, and output that is
// no JSON object, become exit 2, which hosts take for no. The environment is made anew, so that a project's `env` cannot reach it.
import { HOST_PATH, HOST_PROJECT, type Host } from "../hosts.ts";

/** What is fixed at installation. */
export type Installed = {
  host: Host;
  /** Absolute paths of a Node that is new enough, and of the hook. */
  node: string;
  hook: string;
  home: string;
  store: string;
  agent?: string;
  to?: string;
  project?: string;
  waitSeconds: number;
  ttlSeconds?: number;
  run?: string;
  /** The program \`hap\`, for running commands confined. */
  hap?: string;
  /** The server, where one is configured; then no store of this machine is named. */
  server?: { url: string; apiKey?: string; caFile?: string; pin?: string };
};

/** How a command of ours is known again in settings. */
export const MARK = "hap-hook";

/** Codex takes exit 2 for no only where words stand beside it; without them it counts as a failure, and the call runs. */
export const CLOSED = "echo 'hap-hook: no decision, so the call is refused' >&2; exit 2";

/** An environment of its own. Only two words of the host's are passed on, as data: see hosts.ts. */
export const CLEAN = `/usr/bin/env -i "${HOST_PATH}=$PATH" "${HOST_PROJECT}=\${CLAUDE_PROJECT_DIR-}"`;

/** One line for `sh -c`, at events where something is decided. */
export function guardedCommand(installed: Installed): string {
  return guarded(installed, CLOSED);
}

/** The same at events that only tell. There hosts take exit 2 for "go on", so a broken hook would keep a turn from ending. */
export function tellingCommand(installed: Installed): string {
  return guarded(installed, "echo '{}'");
}

function guarded(installed: Installed, otherwise: string): string {
  const call = [...environment(installed), installed.node, installed.hook, ...hookArguments(installed)];
  const words = call.map(quoteWord).join(" ");
  return `: ${MARK}; r=$(${CLEAN} ${words}); c=$?; ${tail(otherwise)}`;
}

/** What follows the call: its answer if it is one, else, or when nobody takes it, the closed gate. Never exit 1, which hosts ignore. */
export function tail(otherwise: string): string {
  return `case "$c$r" in '0{'*'}') printf '%s\\n' "$r" || { ${otherwise}; };; *) ${otherwise};; esac`;
}

function environment({ home, server }: Installed): string[] {
  const own = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" };
  const remote = { HAP_URL: server?.url, HAP_API_KEY: server?.apiKey, HAP_CA_FILE: server?.caFile, HAP_PIN_SHA256: server?.pin };
  return Object.entries({ ...own, ...remote }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

function hookArguments(installed: Installed): string[] {
  const { host, server, store, agent, to, project, waitSeconds, ttlSeconds, run, hap } = installed;
  return [
    host,
    ...(server === undefined ? ["--store", store] : []),
    ...["--wait", String(waitSeconds)],
    ...(ttlSeconds === undefined ? [] : ["--ttl", String(ttlSeconds)]),
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(to === undefined ? [] : ["--to", to]),
    ...(project === undefined ? [] : ["--project", project]),
    ...(hap === undefined ? [] : ["--hap", hap]),
    ...(run === undefined ? [] : [`--run=${run}`]),
  ];
}

/** A word as a shell reads it back. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
