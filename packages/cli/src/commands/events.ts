// hap events: the log, streamed a page at a time. On a terminal a line for each event; piped, the draft's messages with names and
// words; with --json the hashed form that anyone can verify (D19), one array, or one object a line with --follow.
import { canonicalJson, HapError, type Json, type LoggedEvent, ticketIdOf } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent, resolveTicket } from "../client.ts";
import type { Context } from "../context.ts";
import { INTERRUPTED_EXIT } from "../failure.ts";
import { parseNumber } from "../input/number.ts";
import { examples } from "../program.ts";
import { eventLine } from "../show/event-line.ts";
import { styleOf } from "../show/print-ticket.ts";

type Options = { since?: string; limit?: string; follow?: true; ticket?: string };
/** An event to print, and the place after which the next one comes. */
type Printable = { text: string; place: string };

const PAGE = 500;

export function define(command: Command, context: Context): void {
  command
    .description(
      "The event log, from the first event on. On a terminal, a line for each event. Piped, a JSON array with names and words. With --json, what is hashed: {seq, id, type, ts, payload, prev_hash, hash, cursor}, which anyone can verify.",
    )
    .option("--since <CURSOR>", "events after this cursor or event id")
    .option("--limit <N>", "at most N events")
    .option("--follow", "one event a line, and go on as events come, until Ctrl-C")
    .option("--ticket <ID>", "events of one ticket")
    .addHelpText(
      "after",
      examples("hap events --limit 20", "hap events --json > log.json", "hap events --follow --since cur_..."),
    )
    .action((options: Options) => events(context, options));
}

async function events(context: Context, options: Options): Promise<void> {
  refuseAgent(context, "read the whole log");
  const limit = parseNumber(options.limit, "--limit", "a whole number, 1 or more") ?? Number.POSITIVE_INFINITY;
  if (limit < 1 || (Number.isFinite(limit) && !Number.isInteger(limit)))
    throw new HapError("invalid_input", `--limit is ${limit}; it must be a whole number, 1 or more.`, { field: "--limit" });
  await asPerson(context, async (client) => {
    const ticket = options.ticket === undefined ? undefined : await resolveTicket(client, options.ticket);
    if (options.follow) await follow(context, client, options.since, ticket, limit);
    else if (readable(context)) await printLines(context, readPages(context, client, options.since, ticket, limit));
    else await printArray(context, readPages(context, client, options.since, ticket, limit));
  });
}

/** A person reads it, and not a program. */
function readable({ json, out }: Context): boolean {
  return !json && out.isTerminal;
}

async function printLines(context: Context, items: AsyncIterable<Printable>): Promise<void> {
  for await (const { text } of items) {
    await context.out.stream(`${text}\n`);
    if (context.out.closed) return;
  }
}

async function printArray(context: Context, items: AsyncIterable<Printable>): Promise<void> {
  let before = "[\n";
  for await (const { text } of items) {
    await context.out.stream(before + text);
    before = ",\n";
    if (context.out.closed) return;
  }
  await context.out.stream(before === "[\n" ? "[]\n" : "\n]\n");
}

/** Page after page, so that a log of any length takes the same memory. */
async function* readPages(
  context: Context,
  client: PersonClient,
  since: string | undefined,
  ticket: string | undefined,
  limit: number,
): AsyncGenerator<Printable> {
  let after = since;
  for (let left = limit; left > 0; ) {
    const query = {
      limit: Math.min(left, PAGE),
      ...(after === undefined ? {} : { after }),
      ...(ticket === undefined ? {} : { ticket }),
    };
    const page = context.json
      ? (await client.events(query)).map(hashed)
      : (await client.resolvedEvents(query)).map((message) => resolved(context, message));
    yield* page;
    if (page.length < query.limit) return;
    after = page.at(-1)?.place;
    left -= page.length;
  }
}

async function follow(
  context: Context,
  client: PersonClient,
  since: string | undefined,
  ticket: string | undefined,
  limit: number,
): Promise<void> {
  const abort = new AbortController();
  const stop = context.onInterrupt(() => {
    context.exitCode = INTERRUPTED_EXIT;
    abort.abort();
  });
  let after = since;
  let left = limit;
  try {
    for await (const batch of client.follow({ signal: abort.signal, ...(since === undefined ? {} : { after: since }) })) {
      const from = after === undefined ? {} : { after };
      const lines = context.json
        ? batch.map(hashed)
        : (await client.resolvedEvents({ ...from, limit: batch.length })).map((message) => resolved(context, message));
      after = batch.at(-1)?.cursor;
      for (const [at, event] of batch.entries()) {
        if (ticket !== undefined && ticketIdOf(event.payload) !== ticket) continue;
        await context.out.stream(`${lines[at]?.text}\n`);
        left -= 1;
        if (left <= 0 || context.out.closed) return;
      }
    }
  } finally {
    stop();
  }
}

/** The payload exactly as it was hashed: its canonical text. */
function hashed(event: LoggedEvent): Printable {
  const { seq, id, type, ts, payload, prev_hash, hash, cursor } = event;
  const head = JSON.stringify({ seq, id, type, ts }).slice(0, -1);
  const tail = JSON.stringify({ prev_hash, hash, cursor }).slice(1);
  return { text: `${head},"payload":${canonicalJson(payload as unknown as Json)},${tail}`, place: cursor };
}

function resolved(context: Context, message: Json): Printable {
  const text = readable(context) ? eventLine(message, styleOf(context).paint) : JSON.stringify(message);
  return { text, place: String((message as Record<string, Json>).id) };
}
