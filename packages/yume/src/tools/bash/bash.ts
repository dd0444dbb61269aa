// Bash, BashOutput and KillShell, with Claude's names and fields.
import type { Classification, Effect, ShellContext } from "@hap/shell";
import { nodeDisk } from "@hap/shell/disk";
import { slashes } from "../../permissions/rules.ts";
import { type CallFacts, schema, type Tool, type ToolContext, ToolError, text } from "../tool.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const SUMMARY = 180;
/** Effects that reach beyond the workspace, or for what guards it. */
const OUTSIDE: ReadonlySet<Effect> = new Set<Effect>([
  "read_outside",
  "write_outside",
  "delete_outside",
  "privilege",
  "credentials",
  "gate_files",
  "destroy_data",
  "production",
]);

export const bashTool: Tool = {
  parallel: false,
  spec: {
    name: "Bash",
    description: `Runs a shell command. The folder is kept from one command to the next, variables are not. Ends after timeout milliseconds (default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}); run long commands in the background (run_in_background): BashOutput shows their output, KillShell ends them. There is no terminal and no input: use flags that keep commands from prompting.`,
    input_schema: schema(
      {
        command: { type: "string", description: "The command" },
        timeout: { type: "number", description: "Milliseconds" },
        description: { type: "string", description: "What it does, in a few words, for the person who reads along" },
        run_in_background: { type: "boolean", description: "Start it and go on" },
      },
      ["command"],
    ),
  },
  classify: (input, context) => commandFacts(String(input.command), context),
  async run(input, { shells, signal }) {
    const command = String(input.command);
    const timeout = Math.min(MAX_TIMEOUT_MS, Math.max(1, Number(input.timeout ?? DEFAULT_TIMEOUT_MS)));
    if (input.run_in_background === true) {
      const shell = shells.startBackground(command, typeof input.timeout === "number" ? input.timeout : null);
      return text(`The command runs in the background with the id ${shell.id}. BashOutput shows its output, KillShell ends it.`);
    }
    const ended = await shells.run(command, timeout, signal);
    const notes = [
      ended.timedOut ? `The command was ended after ${timeout} ms. Give a longer timeout, or run it in the background.` : "",
      ended.aborted ? "The command was interrupted." : "",
      !ended.timedOut && !ended.aborted && ended.signal !== null ? `The command was ended by ${ended.signal}.` : "",
      ended.exitCode !== null && ended.exitCode !== 0 ? `Exit code ${ended.exitCode}` : "",
      ended.cwdNote,
    ].filter((note) => note !== "");
    const failed = ended.exitCode !== 0;
    const output = ended.output.replace(/\n$/, "");
    const words = failed ? [...notes, output] : [output, ...notes];
    const shown = words.filter((part) => part !== "").join("\n");
    return { content: [{ type: "text", text: shown === "" ? "(no output)" : shown }], is_error: failed };
  },
};

/** The class of a command: the allowlist decides what is harmless. */
async function commandFacts(command: string, { workspace, shells }: ToolContext): Promise<CallFacts> {
  const [{ classifyCommand }, { usesSystemPrograms }, { commandSubject }] = await Promise.all([
    import("@hap/shell"),
    import("@hap/shell/proof"),
    import("../../permissions/command-subject.ts"),
  ]);
  const context: ShellContext = {
    cwd: slashes(shells.cwd),
    projectRoot: slashes(workspace.cwd),
    home: slashes(workspace.home),
    dialect: process.platform === "win32" ? "unknown" : "bash",
    // The PATH that the command will have, which settings may change.
    disk: nodeDisk(shells.env.PATH ?? ""),
  };
  const classified = classifyCommand(command, context);
  const shell = commandSubject(command, {
    roots: { cwd: slashes(workspace.cwd), home: slashes(workspace.home) },
    cwd: slashes(shells.cwd),
    env: shells.env,
    resolve: (path) => slashes(workspace.resolve(path)),
  });
  const line = command.replaceAll(/\s+/g, " ").trim();
  return {
    callClass: classOf(classified),
    subject: { tool: "Bash", command, shell },
    summary: line.length > SUMMARY ? `${line.slice(0, SUMMARY).toWellFormed()}…` : line,
    effects: classified.effects,
    ...guardsOf(classified.effects),
    cwd: shells.cwd,
    trusted: () => context.dialect !== "unknown" && usesSystemPrograms(command, context),
  };
}

function guardsOf(effects: readonly Effect[]): Pick<CallFacts, "guards"> {
  if (effects.includes("gate_files")) return { guards: "gate" };
  return effects.includes("credentials") ? { guards: "secret" } : {};
}

/** A proven command that writes is still a change, which the modes ask about. */
function classOf({ proven, effects }: Pick<Classification, "proven" | "effects">): CallFacts["callClass"] {
  if (proven && effects.every((effect) => effect === "read_inside")) return "harmless_command";
  return effects.some((effect) => OUTSIDE.has(effect)) ? "command_outside" : "command";
}

export const bashOutputTool: Tool = {
  parallel: true,
  spec: {
    name: "BashOutput",
    description: "Shows what a command in the background has said since the last time, and whether it still runs.",
    input_schema: schema(
      {
        bash_id: { type: "string", description: "The id that Bash gave" },
        filter: { type: "string", description: "Only lines that match this regular expression" },
      },
      ["bash_id"],
    ),
  },
  classify: (input) => ({ callClass: "own", subject: { tool: "BashOutput" }, summary: `Output of ${input.bash_id}` }),
  async run(input, context) {
    const shell = find(String(input.bash_id), context);
    let words = shell.keeper.takeUnread();
    if (typeof input.filter === "string") {
      let filter: RegExp;
      try {
        filter = new RegExp(input.filter);
      } catch (error) {
        throw new ToolError(`filter is no regular expression: ${(error as Error).message}`);
      }
      words = words
        .split("\n")
        .filter((line) => filter.test(line))
        .join("\n");
    }
    const status = `status: ${shell.status}${shell.status !== "running" && shell.exitCode !== null ? `, exit code ${shell.exitCode}` : ""}`;
    return text(`${status}\n${words === "" ? "(no new output)" : words}`);
  },
};

export const killShellTool: Tool = {
  parallel: false,
  spec: {
    name: "KillShell",
    description: "Ends a command that runs in the background, and everything that it started.",
    input_schema: schema({ shell_id: { type: "string", description: "The id that Bash gave" } }, ["shell_id"]),
  },
  classify: (input) => ({ callClass: "own", subject: { tool: "KillShell" }, summary: `End ${input.shell_id}` }),
  async run(input, context) {
    const shell = find(String(input.shell_id), context);
    return text(context.shells.kill(shell.id) ? `${shell.id} was ended.` : `${shell.id} had already ended (${shell.status}).`);
  },
};

function find(id: string, { shells }: ToolContext) {
  const shell = shells.get(id);
  if (shell === undefined)
    throw new ToolError(
      `There is no background command ${id}. ${shells.ids().length === 0 ? "None was started." : `There are: ${shells.ids().join(", ")}.`}`,
    );
  return shell;
}
