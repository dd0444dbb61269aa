// The options that describe a grant: for `hap grant create` and `hap grant preview` (D43).
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type GrantInput, HapError, parseAskerId, quote } from "@hap/protocol";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { parseDuration } from "./duration.ts";
import { parseWhole } from "./number.ts";

export type GrantOptions = {
  deny?: boolean;
  agent?: string;
  session?: string;
  project?: string;
  kind?: string[];
  command?: string[];
  path?: string[];
  host?: string[];
  environment?: string[];
  effect?: string[];
  for?: string;
  forever?: boolean;
  uses?: string;
  rate?: string;
};

const collect = (value: string, list: string[] = []) => [...list, value];

/** Declare the options. */
export function addGrantOptions(command: Command): Command {
  return command
    .option("--agent <ID>", "the agent; needed, unless you deny")
    .option("--command <PATTERN>", "such as `npm install *`: * stands for operands, ** for options too; may be repeated", collect)
    .option("--project <FOLDER>", "only there")
    .option("--path <PATTERN>", "files, such as src/**; may be repeated", collect)
    .option("--host <PATTERN>", "hosts that the call names, such as *.example.org; may be repeated", collect)
    .option("--kind <KIND>", "only what is asked as this; may be repeated", collect)
    .option("--environment <NAME>", "only there; may be repeated", collect)
    .option("--session <ID>", "only in this session of the agent")
    .option("--effect <EFFECT>", "no other effects than these; may be repeated", collect)
    .option("--for <TIME>", "how long, such as 2h or 3d")
    .addOption(new Option("--forever", "without an end").conflicts("for"))
    .option("--uses <NUMBER>", "how often at most")
    .option("--rate <USES/TIME>", "how often in a time, such as 5/10m")
    .option("--deny", "keep agents from it instead, critical calls too");
}

/** What the options say. */
export function readGrantOptions(context: Context, options: GrantOptions): GrantInput {
  const rate = options.rate === undefined ? undefined : readRate(options.rate);
  return {
    verdict: options.deny === true ? "deny" : "allow",
    ...(options.agent === undefined ? {} : { agent: parseAskerId(options.agent, "--agent") }),
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(options.project === undefined ? {} : { project: folder(context, options.project) }),
    ...(options.kind === undefined ? {} : { kinds: options.kind }),
    ...(options.command === undefined ? {} : { commands: options.command }),
    ...(options.path === undefined ? {} : { paths: options.path }),
    ...(options.host === undefined ? {} : { hosts: options.host }),
    ...(options.environment === undefined ? {} : { environments: options.environment }),
    ...(options.effect === undefined ? {} : { effects: options.effect }),
    seconds: readTime(options),
    ...(options.uses === undefined ? {} : { uses: parseWhole(options.uses, "--uses") }),
    ...(rate === undefined ? {} : { rate }),
  };
}

/** The project as agents name it: the real folder. */
function folder({ cwd }: Context, given: string): string {
  const path = resolve(cwd, given);
  try {
    return realpathSync(path);
  } catch {
    throw new HapError("invalid_input", `--project is ${quote(given)}; there is no such folder.`, { field: "--project" });
  }
}

function readTime({ for: time, forever, deny }: GrantOptions): number | null {
  if (forever === true || (deny === true && time === undefined)) return null;
  if (time !== undefined) return parseDuration(time, "--for");
  throw new HapError("invalid_input", "Say for how long: --for 2h, or --forever.", { field: "--for" });
}

function readRate(text: string): { uses: number; seconds: number } {
  const [uses = "", time] = text.split("/", 2);
  if (time === undefined)
    throw new HapError("invalid_input", `--rate is ${quote(text)}; give uses and a time, such as 5/10m.`, { field: "--rate" });
  return { uses: parseWhole(uses, "--rate"), seconds: parseDuration(time, "--rate") };
}
