// A host's call as the SDK's gate takes it.
import type { Json } from "@hap/protocol";
import type { AskInput, GateCall } from "@hap/sdk/agent";
import { hashNamedFiles, wordsOf } from "@hap/sdk/named-files";
import type { DescribedCall } from "../describe-call.ts";
import type { HookOptions } from "../options.ts";
import type { HookEvent } from "../read-event.ts";
import { modelsWords, shown, ticketInput } from "./ticket-input.ts";

/** `change`: how the ticket differs from that of an action. */
export function gateCall(
  described: DescribedCall,
  event: HookEvent,
  options: HookOptions,
  change: (ticket: AskInput) => AskInput = (ticket) => ticket,
): GateCall {
  const { tool, input, call } = described;
  // What a model says about its call changes from try to try, and changes nothing that is done.
  const { description: _said, ...what } = input;
  const named = call.command === null ? call.paths : wordsOf(call.command);
  const filesNow = () => hashNamedFiles(named, event.cwd);
  const files = filesNow();
  return {
    tool,
    input: { cwd: event.cwd, input: what as Json },
    project: call.project,
    files,
    filesNow,
    seen: seenHere(described, event.cwd),
    ticket: change(ticketInput(described, event, options, files)),
    said: modelsWords(input, options),
  };
}

/** Fields of a shell tool that change nothing about what is run, or where, or with which rights. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  "command",
  "cmd",
  "description",
  "timeout",
  "timeout_ms",
  "run_in_background",
]);

/** What only this machine's disk shows, so that no grant opens a link to something else or a program that an agent put there. */
function seenHere(described: DescribedCall, cwd: string): NonNullable<GateCall["seen"]> {
  const { call, input, trusted } = described;
  const plain = call.command === null || Object.keys(input).every((field) => PLAIN_FIELDS.has(field));
  return { effects: call.effects, paths: call.paths.map((path) => shown(path, described, cwd)), trusted: plain && trusted() };
}
