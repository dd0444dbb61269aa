// From arguments to an exit code. Standard output holds answers and nothing else; what is wrong goes to standard error.
import { parseArgs } from "node:util";
import { isHapError, showInvisible } from "@hap/protocol";
import packageJson from "../package.json" with { type: "json" };
import type { CommandRun, Context, Options } from "./context.ts";
import { cue } from "./cue.ts";
import { EXIT } from "./exit-codes.ts";
import { init } from "./init.ts";
import { join } from "./join.ts";
import { OutputLost } from "./output-lost.ts";
import { pause } from "./pause.ts";
import { printProtocol } from "./print-protocol.ts";
import { recall } from "./recall.ts";
import { usage } from "./usage.ts";

const commands: Record<string, CommandRun> = { join, recall, cue, pause, protocol: printProtocol, init };

const USAGE = `cueme: an agent asks its person, and waits.

  cueme join <agent_runtime>             begin a conversation; prints agent_id=...
  cueme recall <hints>                   find the id of an earlier conversation
  cueme cue <agent_id> -                 ask, and wait for the answer; the question comes on standard input:
                                           <cueme_prompt>
                                           What was done, and what is needed.
                                           </cueme_prompt>
                                           <cueme_payload>
                                           {"type":"choice","options":["Continue","Stop"]}
                                           </cueme_payload>
  cueme pause <agent_id> [prompt | -]    wait for the person, for as long as it takes
  cueme protocol [--lang en|zh]          the rules for an agent
  cueme init <agent_runtime>             write them into that runtime's rules file (--remove takes them out, --file names it)

  --json            answers as JSON            --to human:NAME   whom to ask (default: HAP_HUMAN_ID, else the local user)
  --timeout TIME    stop waiting after 45s, 9m, 1h30m; the question stays open, and the same call goes on waiting (exit 14)

Exit codes: 0 a person's words, 2 wrong usage or unknown agent id, 4 recall found nothing, 13 ended without a person,
14 still open, 74 the answer could not be written (it is kept for the next call), 130 interrupted (the same call attaches again).
`;

/** Run a command line. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const { values, positionals } = readArguments(args);
    if (values.version) return await said(context, `${packageJson.version}\n`);
    if (values.help) return await said(context, USAGE);
    const [name = "", ...words] = positionals;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined)
      throw usage(name === "" ? `Say what to do.\n\n${USAGE}` : `There is no command ${JSON.stringify(name)}.\n\n${USAGE}`);
    const { help: _help, version: _version, ...options } = values;
    return await command(words, options as Options, context);
  } catch (error) {
    return report(error, context);
  }
}

async function said(context: Context, text: string): Promise<number> {
  await context.write(text);
  return EXIT.done;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        timeout: { type: "string" },
        to: { type: "string" },
        lang: { type: "string" },
        file: { type: "string" },
        remove: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", short: "v", default: false },
      },
    });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

async function report(error: unknown, context: Context): Promise<number> {
  if (error instanceof OutputLost) {
    await context.warn(`cueme: the answer could not be written: ${error.message}. It is kept; run the same command again.\n`);
    return EXIT.nobodyReads;
  }
  if (isHapError(error)) {
    await context.warn(`cueme: ${showInvisible(error.message)}\n`);
    return error.kind === "invalid" || error.kind === "missing" ? EXIT.usage : error.exitCode;
  }
  await context.warn(`cueme: something unexpected went wrong: ${error instanceof Error ? error.message : String(error)}\n`);
  if (context.env.HAP_DEBUG && error instanceof Error) await context.warn(`${error.stack}\n`);
  return EXIT.unexpected;
}
