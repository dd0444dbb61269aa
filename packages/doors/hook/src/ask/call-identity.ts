// The identity of a call (D17): the same call made again, by a retry or another session, finds the same ticket. Files that it
// names count by their bytes: a script that changed in between is another call.
import { hash } from "node:crypto";
import { callHash, type Json, makeId } from "@hap/protocol";
import { hashNamedFiles, wordsOf } from "@hap/sdk/named-files";
import type { DescribedCall } from "../describe-call.ts";

const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** What a call is known by: `files` are those that it names, by their bytes. */
export type Identity = { hash: string; files: Record<string, string> };

/** `sha256:` of agent, project, tool, input and the bytes of the files that it names; never a session or call id. */
export function identify({ tool, input, call }: DescribedCall, cwd: string, agent: string): Identity {
  // What a model says about its call changes from try to try, and changes nothing that is done.
  const { description: _said, ...what } = input;
  const files = hashNamedFiles(call.command === null ? call.paths : wordsOf(call.command), cwd);
  const named = { agent, project: call.project, tool, input: { cwd, input: what as Json }, operands: files };
  return { hash: callHash(named, sha256), files };
}

/** The ticket of a call, by how often it was asked about before: whoever makes the same call finds the same id. */
export function ticketIdOf(identity: string, round: number): string {
  return makeId("tk_", hash("sha256", `${identity} ${round}`, "buffer"));
}
