// Everything that a yes to a command is bound to, as it stands in the ticket's details and is shown to the person.
import { callHash, type Json } from "@hap/protocol";
import * as z from "zod";
import { sha256 } from "./hash-file.ts";

const texts = z.record(z.string(), z.string());

/** A bound command. What the program loads by itself later is not in it, and `not_bound` says so. */
export const bindingSchema = z.object({
  /** The command line in words, for people and the classifier; what runs is `argv`. */
  command: z.string(),
  argv: z.array(z.string()).min(1),
  executable: z.string(),
  executable_hash: z.string(),
  cwd: z.string(),
  /** The whole environment that the command gets, but for `secret_env`. */
  env: texts,
  /** Variables that are taken over without being shown: the hash of each one's value. */
  secret_env: texts,
  stdin: z.object({ file: z.string(), hash: z.string(), bytes: z.int() }).nullable(),
  /** Files among the arguments, and the hash of each. */
  files: texts,
  not_bound: z.string(),
});
export type Binding = z.infer<typeof bindingSchema>;

export const NOT_BOUND =
  "Bound are the program, the interpreters of its first line, its arguments, the files named in them, files that BASH_ENV, ENV, LD_PRELOAD or GIT_CONFIG name, the folder, the environment and the input. What the program loads by itself later (libraries, modules, configuration, files in folders) is not.";

/** What makes the same command in the same place the same call (D17). */
export function bindingCall(binding: Binding): { tool: string; input: Json; files: Record<string, string> } {
  const { files, executable, executable_hash, command: _shown, not_bound: _note, ...input } = binding;
  return { tool: "exec", input: input as unknown as Json, files: { ...files, [executable]: executable_hash } };
}

/** The identity of the call. */
export function bindingHash(agent: string, project: string | null, binding: Binding): string {
  const { tool, input, files } = bindingCall(binding);
  return callHash({ agent, project, tool, input, operands: files }, sha256);
}

const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** An argument list as one line that a shell would read the same way. */
export function quoteArguments(argv: readonly string[]): string {
  return argv.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
