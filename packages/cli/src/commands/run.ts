// hap run: the command that an approved ticket holds, checked again and run once; or any command, confined. A hook hands commands
// over to it both ways.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULTS, HapError, parseAskerId, readPolicyFile } from "@hap/protocol";
import { findProject } from "@hap/sdk/project";
import { type Command, Option } from "commander";
import { actingAgent, asAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { finish, GATE_EXIT_HELP } from "../gate-result.ts";
import { examples } from "../program.ts";

type Options = {
  from?: string;
  confined?: true;
  session?: string;
  project?: string;
  keepSession?: string;
  host?: string;
};

export function define(command: Command, context: Context): void {
  command
    .description(
      "Run the command of an approved ticket, once. What it is bound to is checked again first; its yes is used before anything starts.\nWith --confined: run any command in a sandbox. It can write the project but nothing that arms a gate, reaches package registries\nonly, and sees nothing of your home folder. See docs/confinement.md.",
    )
    .argument("[WORDS...]", "the ticket, in full; or with --confined the command, after --: one word is a text for bash")
    .option("--from <AGENT>", "the agent that opened it (default: HAP_AGENT_ID, else agent:local)")
    .option("--confined", "run a command in a sandbox; no person is asked")
    .option("--session <KEY>", "with --confined: share namespaces with the commands of this session (default: none)")
    .option(
      "--project <FOLDER>",
      "with --confined: the writable folder (default: the nearest from here up with .git or .hap, else here)",
    )
    .addOption(new Option("--keep-session <KEY>").hideHelp())
    .addOption(new Option("--host <PID:STARTED>").hideHelp())
    .addHelpText("after", GATE_EXIT_HELP)
    .addHelpText(
      "after",
      examples(
        "hap run tk_4v9c2m7k2m9x",
        "hap wait tk_4v9c2m7k2m9x && hap run tk_4v9c2m7k2m9x",
        "hap run --confined -- npm test",
        "hap run --confined -- 'pytest -q | tail -5'",
      ),
    )
    .action((words: string[], options: Options) => run(context, words, options));
}

async function run(context: Context, words: readonly string[], options: Options): Promise<void> {
  const named = options.from === undefined ? actingAgent(context) : parseAskerId(options.from, "--from");
  const agent = named ?? DEFAULTS.agent;
  if (options.keepSession !== undefined) return keep(context, options.keepSession, options.host, agent);
  if (options.confined === true) return confined(context, words, options, agent);
  const [id] = words;
  if (id === undefined || words.length > 1)
    throw new HapError(
      "invalid_input",
      "Name one ticket: `hap run tk_...`. For a command in a sandbox: `hap run --confined -- COMMAND`.",
      { field: "WORDS" },
    );
  const { runTicket } = await import("@hap/door-exec");
  await asAgent(agent, async (client) => {
    finish(context, await runTicket(client, id, { env: context.env, cwd: context.cwd }));
  });
}

const KEY = /^[A-Za-z0-9-]{1,64}$/;

async function confined(context: Context, words: readonly string[], options: Options, agent: string): Promise<void> {
  if (words.length === 0)
    throw new HapError("invalid_input", "Name the command after --: `hap run --confined -- npm test`.", { field: "WORDS" });
  const session = options.session ?? null;
  if (session !== null && !KEY.test(session))
    throw new HapError("invalid_input", "--session must be letters, digits and hyphens, at most 64.", { field: "--session" });
  const { runConfinedCommand } = await import("@hap/door-exec");
  const program = process.argv[1] ?? "";
  context.exitCode = await runConfinedCommand({
    command: words.length === 1 ? (words[0] as string) : words.map(quoteWord).join(" "),
    cwd: context.cwd,
    project: options.project ?? findProject(context.cwd, context.home) ?? context.cwd,
    home: context.home,
    env: context.env,
    session,
    agent,
    keeper: (key, host) => [
      process.execPath,
      program,
      ...["run", "--keep-session", key, "--from", agent],
      ...(host === null ? [] : ["--host", `${host.pid}:${host.started}`]),
    ],
    own: ownFiles(program),
    hosts: namedHosts(context.home),
    now: context.now(),
    say: (text) => context.err.line(text),
  });
}

/** What runs when `hap` starts: Node, and the folders of the command and of what launches it. */
function ownFiles(program: string): string[] {
  const bin = dirname(realpathSync(program));
  return [process.execPath, bin, join(bin, "..", "dist"), join(bin, "..", "..", "sdk", "bin")];
}

async function keep(context: Context, key: string, host: string | undefined, agent: string): Promise<void> {
  const [, pid, started] = /^([0-9]+):([0-9]+)$/.exec(host ?? "") ?? [];
  const { keepConfinedSession } = await import("@hap/door-exec");
  await keepConfinedSession({
    key,
    host: pid === undefined || started === undefined ? null : { pid: Number(pid), started },
    home: context.home,
    env: context.env,
    hosts: namedHosts(context.home),
    agent,
    now: context.now,
  });
}

/** Hosts that the person's own policy names. A file that is not valid names none: `hap policy check` says why. */
function namedHosts(home: string): readonly string[] {
  const path = join(home, ".hap", "policy.json");
  try {
    return readPolicyFile(readFileSync(path, "utf8"), path).confine_hosts ?? [];
  } catch {
    return [];
  }
}

function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
