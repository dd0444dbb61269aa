// The commander program: every command by name and summary, with arguments and options for those that are loaded.
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { COMMANDS } from "./command-table.ts";
import type { Context } from "./context.ts";

/** Every command with its options, for completion. */
export const ALL_COMMANDS = Symbol("all commands");

/**
 * The program with the command that is called, or, when that is none, with a line in the help for each; with all of them
 * when `called` says so. What commander would write to standard error goes to `onComplaint`: it is told once, by whoever
 * catches the error.
 */
export async function buildProgram(
  context: Context,
  called: string | undefined | typeof ALL_COMMANDS,
  onComplaint: (text: string) => void = () => {},
): Promise<Command> {
  const program = new Command("hap")
    .description("The inbox where people decide for their agents.")
    .version(packageJson.version, "-v, --version", "print the version")
    .option("--json", "print JSON and nothing else (every command)")
    .helpOption("-h, --help", "show help")
    .addHelpCommand(new Command("help").argument("[COMMAND]").summary("help for a command").helpGroup("More:"))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out.text(text),
      writeErr: onComplaint,
      getOutHelpWidth: () => context.out.columns ?? 100,
      getOutHasColors: () => false,
    })
    .addHelpText("after", AFTER);
  const known = COMMANDS.filter(({ name }) => name === called);
  for (const entry of known.length > 0 ? known : COMMANDS) {
    const command = program
      .command(entry.name)
      .summary(entry.summary)
      .helpGroup(entry.group)
      .helpOption("-h, --help", "show help")
      .option("--json", "print JSON and nothing else");
    command.description(`${entry.summary.charAt(0).toUpperCase()}${entry.summary.slice(1)}.`);
    if (entry.name === called || called === ALL_COMMANDS) await (await entry.load()).define(command, context);
  }
  return program;
}

const AFTER = `
ID is a ticket's id (tk_...), or three or more characters from its beginning or
end, such as its short code.

Environment:
  HAP_HUMAN_ID     who you are (default: human: and your user name)
  HAP_AGENT_ID     the agent that you act for; a process that sets it cannot decide
  HAP_DB_PATH      the store (default: ~/.hap/hap.db)
  HAP_DATABASE_URL a PostgreSQL that holds the store instead (postgres://...); HAP_SPACE names the space in it;
                   HAP_DATABASE_DIRECT_URL is its address past a pooler such as PgBouncer, if HAP_DATABASE_URL is the pooler's
  NO_COLOR         no colours
  HAP_DEBUG=1      show where an unexpected error came from

Exit codes:
  0 done, 2 wrong usage or input, 3 denied, 4 not found, 5 not in this state,
  6 busy, 7 store damaged; \`hap wait --help\` and \`hap verify --help\` list theirs

Examples:
  $ hap inbox
  $ hap show 7k2m9x
  $ hap approve 7k2m9x "looks good"
  $ hap create --kind run_command --details '{"command":"make deploy"}' --wait`;

/** The examples at the end of a command's help. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** A command below a command, with what every command has. */
export function subcommand(command: Command, name: string): Command {
  return command.command(name).helpOption("-h, --help", "show help").option("--json", "print JSON and nothing else");
}
