// A real agent host driven offline: a model that makes the calls of a script, a project armed by the real `hap init`, a recorder
// beside our hook, and a person who answers the tickets that come.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ticket } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk/person";
import type { World } from "../../packages/doors/hook/test/world.ts";
import { type ScriptedModel, startScriptedModel } from "../../packages/yume/test/wire/server.ts";
import { nodePath, repoRoot } from "./bundle-fixture.ts";

/** One call that the model makes, what is done just before it, and what a person does with its ticket. */
export type Step = {
  tool: string;
  input: Record<string, unknown>;
  before?: () => void;
  person?: (person: PersonClient, ticket: Ticket) => Promise<unknown>;
};

/** What a host's hook was sent. */
type Payload = Record<string, unknown> & { hook_event_name: string; tool_name?: string };

/** What came of a script: by step what the model read afterwards, and all that hooks were sent. */
export type Told = { heard: string[]; payloads: Payload[]; output: string; code: number | null };

/** How a program is started: as it is, or as somebody else somewhere else. */
export type Start = (command: readonly string[]) => [string, string[]];
export const plainly: Start = ([program = "", ...args]) => [program, args];

/** Run `hap init` in the project. */
export async function arm(
  world: World,
  host: "claude" | "codex",
  options: readonly string[] = [],
  start: Start = plainly,
): Promise<void> {
  const hap = join(repoRoot, "packages", "cli", "bin", "hap.mjs");
  const env = { HOME: world.home, PATH: process.env.PATH, HAP_DB_PATH: world.store, HAP_HUMAN_ID: "human:alex" };
  const [program, args] = start([nodePath, hap, "init", host, "--yes", ...options]);
  const child = spawn(program, args, { cwd: world.project, env, stdio: "ignore" });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`hap init ${host} exited with ${code}.`);
}

/** A hook that writes down what it is sent and decides nothing. */
export function recorder(world: World): { type: "command"; command: string } {
  return { type: "command", command: `cat >> '${recordOf(world)}'; echo >> '${recordOf(world)}'` };
}

const recordOf = (world: World) => join(world.home, "payloads.jsonl");

/** Drive a host through a script. `lastWords`: what the model was told in a request, from its newest call on. */
export async function drive(
  world: World,
  steps: readonly Step[],
  host: { start: (model: ScriptedModel) => ChildProcess; lastWords: (body: Record<string, unknown>) => unknown },
): Promise<Told> {
  const heard: string[] = [];
  let made = 0;
  await using model = await startScriptedModel(({ wire, body }) => {
    if (wire === null) return { raw: { status: 404, chunks: ["{}"] } };
    if (made > 0 && made <= steps.length) heard.push(JSON.stringify(host.lastWords(body)));
    const step = steps[made++];
    if (step === undefined) return { content: [{ type: "text", text: "That is all." }] };
    step.before?.();
    return { content: [{ type: "tool_use", id: `call_${made}`, name: step.tool, input: step.input }] };
  });
  const child = host.start(model);
  const output: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const people = async () => {
    for (const { person } of steps) if (person !== undefined) await person(await world.person(), await world.nextTicket());
  };
  // Whoever waits for a ticket that never comes is told why by what the host said.
  const code = await Promise.race([ended, people().then(() => ended)]);
  if (heard.length < steps.length) throw new Error(`The host ended after ${heard.length} steps:\n${Buffer.concat(output)}`);
  const record = existsSync(recordOf(world)) ? readFileSync(recordOf(world), "utf8") : "";
  const payloads = record.split("\n").filter((line) => line !== "");
  return { heard, payloads: payloads.map((line) => JSON.parse(line)), output: Buffer.concat(output).toString(), code };
}

/** A payload without what differs from run to run: each value by its kind, each object by its fields. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
