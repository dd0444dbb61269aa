// hap verify: the draft's line, and what it rests on (D21). Exits 0 or 1.
import { setFlagsFromString } from "node:v8";
import { HapError, showInvisible } from "@hap/protocol";
import { connectPerson, type VerifyReport } from "@hap/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";

type Options = { chain?: true };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Check the event log: sequence and hashes, that every event was legal, that every text is there or was erased, and that the stored tickets are what the log makes of them. A log that does not verify makes the store read-only.",
    )
    .option("--chain", "sequence and hashes only")
    .addHelpText(
      "after",
      "\nExit codes:\n  0  the log verifies\n  1  it does not\n\nA log that nothing outside this machine anchors is consistent with itself;\nwhoever can write the store could have written all of it anew.",
    )
    .addHelpText("after", examples("hap verify", "hap verify --chain --json"))
    .action((options: Options) => verify(context, options));
}

/**
 * Keep V8's space for new objects as small as it is. It grows up to 32 MB and then holds three times that, while what verifying
 * needs at any moment is a page of rows.
 */
function stayLean(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

async function verify(context: Context, options: Options): Promise<void> {
  stayLean();
  try {
    const client = await connectPerson();
    try {
      report(context, await client.verify({ chainOnly: options.chain === true }));
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof HapError) || error.kind !== "integrity") throw error;
    context.exitCode = 1;
    if (context.json) printJson(context, { ok: false, error });
    else context.out.line(`Event log integrity: FAILED (${showInvisible(error.message)})`);
  }
}

function report(context: Context, found: VerifyReport): void {
  context.exitCode = found.ok ? 0 : 1;
  if (context.json) printJson(context, found);
  else context.out.line((found.ok ? goodLines(found) : badLines(found.violation)).join("\n"));
}

function goodLines({ events, chainOnly, anchor, unproven_before: before }: Extract<VerifyReport, { ok: true }>): string[] {
  const what = chainOnly ? "Its sequence and hashes are" : "The log is";
  const how = anchor === null ? "consistent, not anchored." : `anchored at ${anchor}.`;
  const names =
    before === undefined
      ? []
      : [`Names, accounts and roles before event ${before} are unproven: an older HAP kept them outside the log.`];
  return [`Event log integrity: OK (${events} events verified)`, `${what} ${how}`, ...names];
}

function badLines({ seq, event_id: id, message }: Extract<VerifyReport, { ok: false }>["violation"]): string[] {
  return [
    `Event log integrity: FAILED at event ${seq}${id === null ? "" : ` (${id})`}`,
    showInvisible(message),
    "The store is read-only now. Keep a copy for inquiry, and restore a backup.",
  ];
}
