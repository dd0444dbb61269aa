// hap serve --apart: show what will be done, ask, do it, and say how to go on.
import { join } from "node:path";
import { HapError } from "@hap/protocol";
import type { Context } from "../context.ts";
import { printJson } from "../show/print-ticket.ts";
import { askConsent } from "../terminal/ask-consent.ts";
import { carryOut, findSources, pageFolder, startService, userExists } from "./carry-out.ts";
import { type ApartOptions, apartPlan } from "./plan.ts";

/** Set the server up under a user of its own. */
export async function setUpApart(context: Context, options: ApartOptions, agreed: boolean): Promise<void> {
  if (process.platform !== "linux")
    throw new HapError(
      "invalid_input",
      "--apart sets up a Linux service. Elsewhere run `hap serve --trust apart` as a user of its own.",
    );
  const steps = apartPlan(options, findSources(pageFolder(context.env)), userExists(options.user));
  if (context.json) printJson(context, { steps });
  else context.out.line(["This will:", ...steps.map(({ words }) => `  - ${words}`)].join("\n"));
  if (process.getuid?.() !== 0)
    throw new HapError(
      "terminal_needed",
      `This needs root: sudo ${process.execPath} ${process.argv[1]} serve --apart --person ${options.person}`,
    );
  if (!agreed) await askConsent("Do it?", "Nothing was changed.");
  carryOut(steps, (words) => context.err.line(`done: ${words}`));
  if (context.json) return;
  const started = startService();
  const command = join(options.program, "hap");
  context.out.line(
    [
      "",
      started
        ? `The server runs: http://localhost:${options.port}`
        : "systemd does not run this machine; start it with what runs services here:",
      ...(started ? [] : [`  runuser -u ${options.user} -- ${command} serve --trust apart --port ${options.port}`]),
      `Sign in: sudo -u ${options.user} ${command} login --code   (shows the code on your terminal)`,
      `Agents:  sudo -u ${options.user} ${command} key create --agent agent:NAME, then HAP_URL=http://localhost:${options.port} and HAP_API_KEY for them`,
    ].join("\n"),
  );
}
