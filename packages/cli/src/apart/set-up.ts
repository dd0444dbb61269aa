// hap serve --apart: show what will be done, ask, do it, and say how to go on.
import { join } from "node:path";
import { HapError } from "@hap/protocol";
import type { Context } from "../context.ts";
import { printJson } from "../show/print-ticket.ts";
import { askConsent } from "../terminal/ask-consent.ts";
import { carryOut, findSources, mainFile, pageFolder, startService, userExists } from "./carry-out.ts";
import { APART_DEFAULTS, type ApartOptions, apartCommand, apartPlan, shellWord } from "./plan.ts";

/** Set the server up under a user of its own. */
export async function setUpApart(context: Context, options: ApartOptions, agreed: boolean): Promise<void> {
  if (process.platform !== "linux")
    throw new HapError(
      "invalid_input",
      "--apart sets up a Linux service. Elsewhere run `hap serve --trust apart` as a user of its own.",
    );
  const steps = apartPlan(options, findSources(pageFolder(context.env)), userExists(options.user));
  if (!context.json) context.out.line(["This will:", ...steps.map(({ words }) => `  - ${words}`)].join("\n"));
  if (process.getuid?.() !== 0) throw new HapError("terminal_needed", `This needs root: ${asRoot(options.person)}`);
  if (!agreed) await askConsent(context, "Do it?", "Nothing was changed.");
  carryOut(steps, (words) => context.err.line(`done: ${words}`));
  // A service under another folder than systemd's own is somebody else's to start.
  const started = options.units === APART_DEFAULTS.units && startService();
  const command = apartCommand(options);
  const url = `http://localhost:${options.port}`;
  const serve = `sudo ${shellWord(join(options.program, "hap"))} serve --port ${options.port}`;
  if (context.json) return printJson(context, { steps, started, url, command, serve });
  context.out.line(
    [
      "",
      ...(started
        ? [`The server runs: ${url}`]
        : ["systemd does not run it here; start it with what runs services on this machine:", `  ${serve}`]),
      `Sign in: ${command} login --code   (shows the code on your terminal)`,
      `Agents:  ${command} key create --agent agent:NAME, then HAP_URL=${url} and HAP_API_KEY for them`,
    ].join("\n"),
  );
}

/** The same command again, as root, with every option as it was given. */
function asRoot(person: string): string {
  const given = process.argv.slice(2);
  const named = given.some((word) => word === "--person" || word.startsWith("--person="));
  const words = [process.execPath, mainFile(), ...given, ...(named ? [] : ["--person", person])];
  return `sudo ${words.map(shellWord).join(" ")}`;
}
