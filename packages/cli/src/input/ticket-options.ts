// The options that describe an action: `hap create` opens a ticket for it, `hap policy check` asks the rules about it.
import { resolve } from "node:path";
import type { CreateTicketInput } from "@hap/protocol";
import { findProject } from "@hap/sdk/project";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { parseDuration } from "./duration.ts";
import { parseNumber } from "./number.ts";
import { readJsonObject, readTextFile } from "./source.ts";

/** What commander collects. */
export type TicketOptions = {
  to?: string;
  kind?: string;
  summary?: string;
  details?: string;
  file?: string;
  diffFile?: string;
  linesAdded?: string;
  linesRemoved?: string;
  environment?: string;
  confidence?: string;
  risk?: string;
  priority?: string;
  ttl?: string;
  onTimeout?: string;
  ask?: string;
  escalateTo?: string[];
  id?: string;
  /** False when --no-project was given. */
  project?: string | boolean;
  session?: string;
};

/** Declare them. */
export function addTicketOptions(command: Command): Command {
  return command
    .option("--to <PERSON>", "who decides (default: you)")
    .option("--from <AGENT>", "the agent that asks (default: HAP_AGENT_ID, else agent:local)")
    .option(
      "--kind <KIND>",
      "modify_file, create_file, delete_file, run_command, deploy, or a word of your own (default: modify_file, question with --ask)",
    )
    .option("--summary <TEXT>", "what it is about, 1 to 200 characters (default: from kind and file)")
    .option("--details <JSON>", 'a JSON object, such as {"command":"..."}: JSON, @FILE or -')
    .option("--file <FILE>", "the file that it is about")
    .option("--diff-file <FILE>", "the diff itself, from a file or - for standard input")
    .option("--lines-added <N>", "lines added, where there is no diff")
    .option("--lines-removed <N>", "lines removed, where there is no diff")
    .option("--environment <NAME>", "prod, staging, dev or another")
    .option("--confidence <NUMBER>", "how sure the agent is, 0 to 1")
    .option("--risk <NUMBER>", "the agent's own estimate, 0 to 1; a higher one counts")
    .option("--priority <WORD>", "critical, high, normal or low (default: normal)")
    .option("--ttl <TIME>", "how long it waits once it was shown: 45s, 10m, 1h30m, 2d (default: 1h)")
    .option("--on-timeout <ACTION>", "auto_reject, cancel or auto_approve (default: auto_reject)")
    .option("--ask <JSON>", "a question instead of an approval: JSON, @FILE or -")
    .option("--escalate-to <PERSON>", "who is asked next when the lease ends; again, or with commas, for more", collect)
    .option("--id <ID>", "an id of your own; the same again finds the same ticket")
    .option("--project <FOLDER>", "the project (default: the nearest folder from here up with .git or .hap)")
    .option("--no-project", "no project")
    .option("--session <NAME>", "the agent's session");
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), ...value.split(",").map((name) => name.trim())];
}

/** The ticket's input. Ranges and shapes are checked by the runtime, whose errors name the field. */
export function readTicketOptions(context: Context, options: TicketOptions): Omit<CreateTicketInput, "from"> {
  const lines = "a whole number of lines, 0 or more";
  const numbers = {
    lines_added: parseNumber(options.linesAdded, "--lines-added", lines),
    lines_removed: parseNumber(options.linesRemoved, "--lines-removed", lines),
    confidence: parseNumber(options.confidence, "--confidence", "a number from 0 to 1"),
    risk: parseNumber(options.risk, "--risk", "a number from 0 to 1"),
  };
  const input = {
    id: options.id,
    to: options.to,
    kind: options.kind,
    summary: options.summary,
    details: options.details === undefined ? undefined : readJsonObject(options.details, "--details"),
    file: options.file,
    diff: options.diffFile === undefined ? undefined : readTextFile(options.diffFile, "--diff-file"),
    environment: options.environment,
    priority: options.priority,
    ttl_seconds: options.ttl === undefined ? undefined : parseDuration(options.ttl, "--ttl"),
    on_timeout: options.onTimeout,
    escalate_to: options.escalateTo,
    ask: options.ask === undefined ? undefined : readJsonObject(options.ask, "--ask"),
    project: projectOf(context, options.project),
    session: options.session,
    ...numbers,
  };
  // What was not given is left out; what the words mean is parsed once, by the runtime.
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Omit<CreateTicketInput, "from">;
}

/** The project that an option names, or the one around the current folder. */
export function projectOf(context: Context, given: string | boolean | undefined): string | undefined {
  if (given === false) return undefined;
  return typeof given === "string" ? resolve(context.cwd, given) : (findProject(context.cwd, context.home) ?? undefined);
}
