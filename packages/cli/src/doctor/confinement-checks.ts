// Whether what is not proven runs confined here, which way each mode of a host takes, and what is in the way.
import type * as HookInstall from "@hap/door-hook/install";
import type { ConfinedByHap, Host } from "@hap/door-hook/install";
import type { RunInside } from "@hap/sandbox";
import { type Check, check } from "./check.ts";

export type ConfinementFacts = {
  host: Host;
  home: string;
  project: string;
  /** The options in the installed command. */
  options: ReadonlyMap<string, string>;
  now: number;
  /** This machine, unless a test names another. */
  platform?: NodeJS.Platform;
  /** What runs a command under Seatbelt: sandbox-exec. */
  runInside?: RunInside;
};

/** The lines about confinement for one host. */
export async function confinementChecks(door: typeof HookInstall, facts: ConfinementFacts): Promise<Check[]> {
  const { confinement, title } = door.HOSTS[facts.host];
  switch (confinement.by) {
    case "none":
      return [check("confinement", "ok", `Commands of ${title} cannot be confined: what is not proven asks.`)];
    case "host":
      return [confinement.inspect(facts)];
    case "hap":
      return rewriteChecks(door, confinement, facts);
  }
}

async function rewriteChecks(door: typeof HookInstall, rewrites: ConfinedByHap, facts: ConfinementFacts): Promise<Check[]> {
  const { host, home, project, options, platform = process.platform } = facts;
  const { title } = door.HOSTS[host];
  const mode = door.confineMode(home, project);
  if (mode === "off") return [check("confinement", "ok", 'The policy says "confine": "off": what is not proven asks.')];
  if (!options.has("--hap"))
    return [
      check(
        "confinement",
        "warn",
        `The hook was installed before confinement: what is not proven asks. Run \`hap init ${host}\` again.`,
      ),
    ];
  const { tryConfinement } = await import("@hap/sandbox");
  const seatbelt = platform === "darwin" ? await verifySeatbelt(facts) : null;
  const found = tryConfinement(undefined, { platform, home });
  if (found.kind === null) {
    const then = mode === "require" ? "is refused" : "asks";
    return [
      ...(seatbelt === null ? [] : [seatbelt]),
      check(
        "confinement",
        mode === "require" ? "fail" : "warn",
        `Nothing can be confined here, so what is not proven ${then}. ${found.why} ${found.fix}`,
      ),
    ];
  }
  const sources = rewrites.readSettings({ home, project, cwd: project, platform, hostArguments: [] });
  const others = door.otherHooks(sources);
  return [
    ...(seatbelt === null ? [] : [seatbelt]),
    check("confinement", "ok", `What is not proven runs confined, by ${BY[found.kind]}.`),
    check(
      "confinement_modes",
      "ok",
      `At a terminal, with -p and in the SDKs, ${title} asks the hook for permission to run the confined command.`,
    ),
    others.length === 0
      ? check("confinement_modes", "ok", "In auto mode the hook says yes together with the confined command.")
      : check(
          "other_hooks",
          "warn",
          `Other hooks see ${rewrites.tool}: ${others.join(", ")}. One of them may change a command after HAP; in auto mode, what is not proven asks.`,
        ),
    ...(rewrites.hasOwnSandbox(sources)
      ? [check("confinement", "warn", `${title}'s own sandbox is on. HAP's cannot start inside it, so what is not proven asks.`)]
      : []),
  ];
}

const BY = {
  bwrap: "bubblewrap",
  userns: "user namespaces, without a filter on system calls; install bubblewrap for that",
  seatbelt: "Seatbelt",
} as const;

/** Tries to escape from the Seatbelt profile on this Mac. Only where every attempt fails does the gate rely on it. */
async function verifySeatbelt({ home, now, runInside }: ConfinementFacts): Promise<Check | null> {
  const sandbox = await import("@hap/sandbox");
  const run = runInside ?? (sandbox.hasSeatbelt() ? sandbox.runInside : null);
  if (run === null) return null;
  const { escaped, failed, attempts } = await sandbox.tryEscapes(run);
  sandbox.markSeatbelt(home, escaped.length + failed.length === 0 ? now : null);
  if (escaped.length > 0)
    return check(
      "seatbelt",
      "warn",
      `Seatbelt did not stop ${escaped.length} of ${attempts} attempts to escape: ${escaped.join("; ")}.`,
    );
  if (failed.length > 0) return check("seatbelt", "warn", `Under Seatbelt, ordinary work failed: ${failed.join("; ")}.`);
  return check("seatbelt", "ok", `Seatbelt stopped all ${attempts} attempts to escape on this Mac.`);
}
