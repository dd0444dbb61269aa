// hap doctor: proves that the gate is armed. For each host where the gate stands and how far it binds; then the installed
// command itself, with a canary that must be refused; then the store behind it.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type * as HookInstall from "@hap/door-hook/install";
import type { Host } from "@hap/door-hook/install";
import { HapError, showInvisible } from "@hap/protocol";
import { connectPerson } from "@hap/sdk";
import { findProject } from "@hap/sdk/project";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { canaryCall, harmlessCall } from "../doctor/canary.ts";
import { type Check, check, type Status } from "../doctor/check.ts";
import { confinementChecks } from "../doctor/confinement-checks.ts";
import { type HostReport, inspectHost, permissionChecks } from "../doctor/host-checks.ts";
import { storeChecks } from "../doctor/store-checks.ts";
import { tokenChecks } from "../doctor/token-check.ts";
import { hostVersion, versionChecks } from "../doctor/version-checks.ts";
import { storePath } from "../install/installation.ts";
import { examples } from "../program.ts";
import { printJson, styleOf } from "../show/print-ticket.ts";

type Door = typeof HookInstall;

export async function define(command: Command, context: Context): Promise<void> {
  const { HOST_NAMES } = await import("@hap/door-hook/install");
  command
    .description(
      "Prove that the gate is armed: where it stands in the settings of each host and how far that binds, that a canary call is\nreally refused end to end by the command in the settings, and that the store behind it is healthy.",
    )
    .argument("[HOST]", `${HOST_NAMES} (default: those that have a gate here)`)
    .addHelpText("after", "\nExit code: 0 when nothing failed, 1 when something did; a warning is no failure.")
    .addHelpText("after", examples("hap doctor", "hap doctor claude --json"))
    .action((host: string | undefined) => doctor(context, host));
}

async function doctor(context: Context, named: string | undefined): Promise<void> {
  refuseAgent(context, "examine the gate");
  const door = await import("@hap/door-hook/install");
  if (named !== undefined && !door.isHost(named))
    throw new HapError("invalid_input", `The host is ${JSON.stringify(named)}; it must be ${door.HOST_NAMES}.`, {
      field: "HOST",
    });
  const project = findProject(context.cwd, context.home) ?? context.cwd;
  const places = { home: context.home, project, platform: process.platform };
  const hosts = (named === undefined ? (Object.keys(door.HOSTS) as Host[]) : [named]).map((host) =>
    inspectHost(door, host, places),
  );
  const checks: Check[] = [];
  for (const report of hosts) checks.push(...(await hostChecks(context, door, report, project)));
  const absent = hosts.filter(({ state }) => state === "absent");
  if (absent.length === hosts.length)
    checks.push(
      check(
        "gate",
        "fail",
        `No gate stands in the settings of ${absent.map(({ host }) => door.HOSTS[host].title).join(" or ")} here. Run \`hap init\`.`,
      ),
    );
  checks.push(...(await behind(context)));
  const ok = checks.every(({ status }) => status !== "fail");
  context.exitCode = ok ? 0 : 1;
  if (context.json)
    return printJson(context, {
      ok,
      version: packageJson.version,
      project,
      hosts: hosts.map(({ host, state, gate }) => ({ host, state, settings: gate?.path ?? null })),
      checks,
    });
  print(context, checks, ok);
}

/** Everything about one host; a host without a gate and without a finding is not mentioned. */
async function hostChecks(context: Context, door: Door, report: HostReport, project: string): Promise<Check[]> {
  const { host, gate, checks } = report;
  if (gate === null) return checks.filter(({ status }) => status === "fail").map((found) => ({ ...found, host }));
  const command = String(gate.handlers.find(({ event }) => event === "PreToolUse")?.handler.command ?? "");
  return [...checks, ...(await commandChecks(context, door, host, gate.path, command, project))].map((found) => ({
    ...found,
    host,
  }));
}

async function commandChecks(
  context: Context,
  door: Door,
  host: Host,
  settings: string,
  command: string,
  project: string,
): Promise<Check[]> {
  const read = door.readCommand(command);
  if (read === null)
    return [check("drift", "fail", `The command in ${settings} is not as \`hap init ${host}\` writes it. Run that again.`)];
  const store = read.options.get("--store") ?? storePath(context);
  const found = [
    ...versionChecks(read.node, read.hook, packageJson.version),
    ...hostVersion(door.HOSTS[host], host, context.env.PATH),
  ];
  found.push(
    ...permissionChecks([
      settings,
      dirname(settings),
      read.hook,
      read.node,
      store,
      dirname(store),
      join(context.home, ".hap", "policy.json"),
    ]),
  );
  if (found.some(({ id, status }) => id === "drift" && status === "fail")) return found;
  found.push(
    ...(await confinementChecks(door, { host, home: context.home, project, options: read.options, now: context.now() })),
  );
  found.push(await harmlessCall(door.HOSTS[host].statesYes, command, project));
  const url = read.env.HAP_URL;
  if (url !== undefined && context.env.HAP_URL !== url)
    return [
      ...found,
      check("canary", "fail", `The hook asks at ${url}. Run this with HAP_URL=${url}, so that the canary can be answered.`),
    ];
  const to = read.options.get("--to");
  const client = await connectPerson({
    ...(url === undefined ? { dbPath: store } : {}),
    ...(to === undefined ? {} : { person: to }),
  }).catch((error: Error) => error);
  if (client instanceof Error) return [...found, check("canary", "fail", `The canary cannot be answered: ${client.message}`)];
  try {
    found.push(await canaryCall(client, command, project, randomUUID()));
  } finally {
    await client.close();
  }
  return found;
}

async function behind(context: Context): Promise<Check[]> {
  try {
    const client = await connectPerson();
    try {
      return [...(await storeChecks(client, context.now())), ...tokenChecks(context.env)];
    } finally {
      await client.close();
    }
  } catch (error) {
    return [check("store", "fail", error instanceof Error ? error.message : String(error))];
  }
}

function print(context: Context, checks: readonly Check[], ok: boolean): void {
  const { paint } = styleOf(context);
  const mark: Record<Status, string> = { ok: paint.green("ok  "), warn: paint.yellow("warn"), fail: paint.red("FAIL") };
  for (const { status, text, host } of checks)
    context.out.line(`${mark[status]}  ${host === undefined ? "" : `${host}: `}${showInvisible(text)}`);
  context.out.line();
  context.out.line(ok ? "The gate is armed." : "The gate is not what it should be; see the lines marked FAIL.");
}
