// Manual pages in roff, made from the commands themselves: hap(1), and hap-COMMAND(1) for each. Pure.
import type { Command } from "commander";

/** Every page by its file name. */
export function manPages(program: Command, version: string): Map<string, string> {
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== "help");
  return new Map([
    ["hap.1", mainPage(program, commands, version)],
    ...commands.map((command) => [`hap-${command.name()}.1`, commandPage(command, version)] as const),
  ]);
}

function mainPage(program: Command, commands: readonly Command[], version: string): string {
  return page("hap", version, [
    section("NAME", [`hap \\- ${roff(lowered(program.description()))}`]),
    section("SYNOPSIS", [bold("hap"), "COMMAND [ARGS...]"]),
    section("DESCRIPTION", [
      roff(
        "HAP turns the moments when an agent needs a person into durable, signed, auditable tickets. `hap help COMMAND` and hap-COMMAND(1) describe each command.",
      ),
    ]),
    section(
      "COMMANDS",
      commands.flatMap((command) => entry(`hap-${command.name()}(1)`, command.summary())),
    ),
    section("OPTIONS", optionLines(program)),
    section("ENVIRONMENT", [
      ...entry("HAP_HUMAN_ID", "who you are (default: whoever ran hap start, else human: and your user name)"),
      ...entry("HAP_AGENT_ID", "the agent that you act for; a process that sets it cannot decide"),
      ...entry("HAP_DB_PATH", "the store (default: ~/.hap/hap.db)"),
      ...entry("HAP_URL", "a server to use instead of the store of this machine"),
      ...entry("NO_COLOR", "no colours"),
    ]),
    section("EXIT STATUS", [
      roff(
        "0 done, 1 the log does not verify or the gate is not armed, 2 wrong usage or input, 3 denied, 4 not found, 5 not in this state, 6 busy, 7 store damaged. hap-wait(1) lists its own.",
      ),
    ]),
  ]);
}

function commandPage(command: Command, version: string): string {
  const name = `hap-${command.name()}`;
  const subcommands = command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== "help");
  return page(name, version, [
    section("NAME", [`${roff(name)} \\- ${roff(lowered(command.summary()))}`]),
    section("SYNOPSIS", [bold(`hap ${command.name()}`), roff(command.usage())]),
    section("DESCRIPTION", [roff(command.description())]),
    ...(subcommands.length === 0
      ? []
      : [
          section(
            "COMMANDS",
            subcommands.flatMap((sub) => [
              ...entry(`${sub.name()} ${sub.usage()}`, sub.description()),
              ...(optionLines(sub).length === 0 ? [] : [".RS", ...optionLines(sub), ".RE"]),
            ]),
          ),
        ]),
    section(
      "ARGUMENTS",
      command.registeredArguments.flatMap((argument) => entry(argument.name(), argument.description)),
    ),
    section("OPTIONS", optionLines(command)),
    section("NOTES", notes(command)),
    section("SEE ALSO", [".BR hap (1)"]),
  ]);
}

/** What stands behind the options in the help: exit codes and examples, as they are. */
function notes(command: Command): string[] {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  const before = command.helpInformation().trimEnd();
  command.outputHelp();
  const after = text.slice(text.indexOf(before) + before.length).trim();
  return after === "" ? [] : [".nf", ...after.split("\n").map(roff), ".fi"];
}

function optionLines(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => entry(option.flags, option.description));
}

function page(name: string, version: string, sections: readonly string[]): string {
  const head = `.TH ${name.toUpperCase().replaceAll("-", "\\-")} 1 "" "hap ${version}" "HAP"`;
  return `${[head, ...sections.filter((text) => text !== "")].join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`.SH ${title}`, ...lines].join("\n");
}

const entry = (term: string, meaning: string) => [".TP", bold(term), roff(meaning)];
const bold = (text: string) => `.B ${roff(text)}`;

/** Text that roff prints as it is: backslashes and hyphens escaped, and no line that begins with a control character. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(
      /[^\x20-\x7e\n]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .split("\n")
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
    .join("\n");
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, "");
}
