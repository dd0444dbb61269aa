// Runs the command of an approved ticket: looks at everything again, uses the yes (D17), and only then starts anything.
import { HapError, type Json, parseWith } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import { hashNamedFiles, wordsOf } from "@hap/sdk/named-files";
import * as z from "zod";
import { bindCommand, findExecutable, readInput } from "./bind-command.ts";
import { type Binding, bindingSchema } from "./binding.ts";
import { changed, differences } from "./compare-binding.ts";
import { approvedDetails, type Done, editedKeys, refuseStale } from "./gate.ts";
import { hashBytesOf } from "./hash-file.ts";
import { type Program, startProgram } from "./start-program.ts";

/** Run it, or refuse. `env` is where variables that are bound by their hash come from. */
export async function runBound(client: AgentClient, outcome: Outcome, callHash: string, env: NodeJS.ProcessEnv): Promise<Done> {
  const { ticket } = outcome;
  const details = await approvedDetails(client, outcome);
  const binding = parseWith(bindingSchema, details, `The command of ${ticket.id}`);
  const edited = editedKeys(outcome);
  const program = await recheck(client, ticket.id, binding, edited, env);
  await client.consume(ticket.id, callHash);
  await client.heard(ticket.id);
  return { ran: true, code: await startProgram(program), ticket };
}

/** Run a command that a rule allows, as it was bound a moment ago. */
export async function runAllowed(binding: Binding, env: NodeJS.ProcessEnv): Promise<Done> {
  const input = binding.stdin === null ? null : readInput(binding.stdin.file);
  const [name = "", ...args] = binding.argv;
  const code = await startProgram({
    path: binding.executable,
    name,
    args,
    cwd: binding.cwd,
    env: wholeEnvironment(binding, env),
    input,
  });
  return { ran: true, code, ticket: null };
}

/** The shown variables and the secret ones, which are taken from `env`. */
function wholeEnvironment(binding: Binding, env: NodeJS.ProcessEnv): Record<string, string> {
  const secrets = Object.keys(binding.secret_env).map((name) => [name, env[name] as string]);
  return { ...binding.env, ...Object.fromEntries(secrets) };
}

async function recheck(
  client: AgentClient,
  id: string,
  approved: Binding,
  edited: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Program> {
  const stray = edited.filter((key) => key !== "argv" && key !== "command");
  if (stray.length > 0 || edited.length > 1)
    return refuseStale(client, id, [
      `The person changed ${edited.join(", ")}; only argv or command, one of them, can be changed and run.`,
    ]);
  const secrets = Object.keys(approved.secret_env);
  const missing = secrets.filter((name) => env[name] === undefined);
  if (missing.length > 0) return refuseStale(client, id, [`The variable ${missing.join(", ")} is not set.`]);
  const input = approved.stdin === null ? null : readInput(approved.stdin.file);
  const now = lookAgain(approved, input, env);
  // What the person wrote instead names a program and files of its own, which they saw and nobody has hashed.
  const known = edited.length === 0 ? now : { ...now, files: approved.files, ...otherProgram(approved, now) };
  const reasons = differences(approved, known);
  if (reasons.length > 0) return refuseStale(client, id, reasons);
  const place = { cwd: approved.cwd, env: wholeEnvironment(approved, env), input };
  if (edited[0] === "command") return { ...place, path: "/bin/sh", name: "sh", args: ["-c", approved.command] };
  const [name = "", ...args] = approved.argv;
  return { ...place, path: edited[0] === "argv" ? now.executable : approved.executable, name, args };
}

/** The approved command as it would be bound now; what cannot be found any more is a difference, not an error. */
function lookAgain(approved: Binding, input: Buffer | null, env: NodeJS.ProcessEnv): Binding {
  const also = [...Object.entries(approved.env).map(([name, value]) => `${name}=${value}`), ...Object.keys(approved.secret_env)];
  try {
    const bound = bindCommand({
      argv: approved.argv,
      cwd: approved.cwd,
      environment: { from: pickSecrets(approved, env), also },
      stdin: null,
    });
    return { ...bound, stdin: approved.stdin === null ? null : { ...approved.stdin, hash: hashBytesOf(input ?? "") } };
  } catch (error) {
    if (!(error instanceof HapError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return { ...approved, executable: "gone", cwd: approved.cwd };
  }
}

function pickSecrets({ secret_env }: Binding, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.keys(secret_env).map((name) => [name, env[name]]));
}

/** Another program than the bound one is not held against it; the same one still has to have the same bytes. */
function otherProgram({ executable, executable_hash }: Binding, now: Binding): Partial<Binding> {
  return now.executable === executable ? {} : { executable, executable_hash };
}

/** Run the shell command of a hook's ticket, in the folder that it was asked for. */
export async function runShell(
  client: AgentClient,
  outcome: Outcome,
  callHash: string,
  options: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Done> {
  const { ticket } = outcome;
  const details = await approvedDetails(client, outcome);
  const edited = editedKeys(outcome);
  const stray = edited.filter((key) => key !== "command");
  if (stray.length > 0)
    return refuseStale(client, ticket.id, [`The person changed ${stray.join(", ")}; only the command can be changed and run.`]);
  const cwd = typeof details.cwd === "string" ? details.cwd : (ticket.project ?? options.cwd);
  const shell = findShell(options.env);
  const command = commandOf(details);
  const reasons = changedFiles(details.files, command, cwd, edited.length > 0);
  if (reasons.length > 0) return refuseStale(client, ticket.id, reasons);
  const args = ["-c", command];
  await client.consume(ticket.id, callHash);
  await client.heard(ticket.id);
  const code = await startProgram({ path: shell, name: shell, args, cwd, env: options.env, input: null });
  return { ran: true, code, ticket };
}

/** What became of the files that the command names since it was asked for; a ticket without them binds none. */
function changedFiles(files: Json | undefined, command: string, cwd: string, edited: boolean): string[] {
  const approved = z.record(z.string(), z.string()).safeParse(files);
  if (!approved.success) return [];
  const names = [...wordsOf(command), ...Object.keys(approved.data)];
  const now = hashNamedFiles(names, cwd);
  // Files that the person's own words name were seen by them, and hashed by nobody.
  const known = edited ? Object.fromEntries(Object.entries(now).filter(([path]) => Object.hasOwn(approved.data, path))) : now;
  return changed(approved.data, known, (path) => `The file ${path}`);
}

function commandOf({ command }: Record<string, Json>): string {
  if (typeof command === "string" && command !== "") return command;
  throw new HapError("invalid_input", "The ticket holds no command that could be run.", { field: "command" });
}

/** The shell that the hosts' own tools use, else the system's. */
function findShell(env: NodeJS.ProcessEnv): string {
  try {
    return findExecutable("bash", "/", env.PATH ?? "");
  } catch {
    return "/bin/sh";
  }
}
