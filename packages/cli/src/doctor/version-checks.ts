// Version drift: what the settings name must still be there, be new enough, and belong to this version of HAP.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HOSTS, Host } from "@hap/door-hook/install";
import { HOOK_COMMAND } from "../install/installation.ts";
import { type Check, check } from "./check.ts";

const LEAST_NODE = 24;

export function versionChecks(node: string, hook: string, own: string): Check[] {
  const single = hook === HOOK_COMMAND;
  const missing = [node, ...(single ? [] : [hook])].filter((path) => !existsSync(path));
  if (missing.length > 0)
    return [check("drift", "fail", `The settings name ${missing.join(" and ")}, which is gone. Run \`hap init\` again.`)];
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  if (single)
    return version === own
      ? [check("drift", "ok", `The hook is the single-file \`hap\` of this version (${own}).`)]
      : [
          check(
            "drift",
            "fail",
            `The hook is of version ${version || "unknown"}, this command of ${own}. Run \`hap init\` again.`,
          ),
        ];
  if (Number(/^v(\d+)\./.exec(version)?.[1] ?? 0) < LEAST_NODE)
    return [
      check(
        "drift",
        "fail",
        `The settings name a Node that is too old (${version || "it does not start"}). Run \`hap init\` again.`,
      ),
    ];
  const installed = versionOf(hook);
  if (installed !== own)
    return [check("drift", "fail", `The hook is of version ${installed}, this command of ${own}. Run \`hap init\` again.`)];
  return [check("drift", "ok", `The hook is of this version (${own}), on Node ${version}.`)];
}

function versionOf(hook: string): string {
  try {
    return (JSON.parse(readFileSync(join(dirname(hook), "..", "package.json"), "utf8")) as { version: string }).version;
  } catch {
    return "unknown";
  }
}

/** The host's own version, where its program is found. */
export function hostVersion({ title, minVersion }: (typeof HOSTS)[Host], program: string, path: string | undefined): Check[] {
  if (minVersion === null) return [];
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 10_000, env: { PATH: path ?? "" } });
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(status === 0 ? stdout : "");
  if (found === null) return [];
  const old = compare(found.slice(1).map(Number), minVersion.version) < 0;
  const why = old ? ` is older than ${minVersion.version.join(".")}: ${minVersion.otherwise}` : "";
  return [check("host_version", old ? "fail" : "ok", `${title} ${found[0]}${why}.`)];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
