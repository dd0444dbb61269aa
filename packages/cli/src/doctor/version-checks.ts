// Version drift: what the settings name must still be there, be new enough, and belong to this version of HAP.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Host } from "@hap/door-hook/install";
import { HOOK_COMMAND } from "../install/installation.ts";
import { type Check, check } from "./check.ts";

const LEAST_NODE = 24;
/** From here on Claude Code knows `onFailure`. */
const LEAST_CLAUDE = [2, 1, 295];

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
export function hostVersion(host: Host, path: string | undefined): Check[] {
  if (host !== "claude") return [];
  const { stdout, status } = spawnSync("claude", ["--version"], { encoding: "utf8", timeout: 10_000, env: { PATH: path ?? "" } });
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(status === 0 ? stdout : "");
  if (found === null) return [];
  const numbers = found.slice(1).map(Number);
  const old = compare(numbers, LEAST_CLAUDE) < 0;
  return [
    check(
      "host_version",
      old ? "fail" : "ok",
      `Claude Code ${found[0]}${old ? ` is older than ${LEAST_CLAUDE.join(".")}: it lets a call through when the hook is killed` : ""}.`,
    ),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
