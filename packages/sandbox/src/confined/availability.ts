// Whether commands can be confined on this machine, by what, and if not, what to do about it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { seatbeltAvailability } from "../seatbelt/seatbelt-mark.ts";
import { trustedPath } from "./trusted-path.ts";

/** Landlock is not among these: it cannot except a folder from a writable one. */
type ConfinementKind = "bwrap" | "userns" | "seatbelt";
export type Availability = { kind: ConfinementKind; disableUserns: boolean } | { kind: null; why: string; fix: string };

const NESTED = [
  "--user",
  "--map-root-user",
  "--net",
  "--pid",
  "--ipc",
  "--uts",
  "--mount",
  "--fork",
  "--mount-proc",
  "--kill-child",
  "--",
];
const TRY_BWRAP = [
  "bwrap",
  "--unshare-user",
  "--uid",
  "1",
  "--gid",
  "1",
  "--cap-drop",
  "ALL",
  "--ro-bind",
  "/",
  "/",
  "--ro-bind",
  "/proc",
  "/proc",
  "--dev",
  "/dev",
];

/** The machine that is asked about. */
export type Machine = { platform: NodeJS.Platform; home: string };

/** Try it out. `path`: where to find programs, see trusted-path.ts. */
export function tryConfinement(path = trustedPath(), machine: Partial<Machine> = {}): Availability {
  const { platform = process.platform, home = homedir() } = machine;
  if (platform === "darwin") return seatbeltAvailability(home);
  if (platform !== "linux")
    return { kind: null, why: "This system is neither Linux nor macOS.", fix: "See docs/confinement.md." };
  const run = (file: string, args: readonly string[]) =>
    spawnSync(file, args, { encoding: "utf8", timeout: 10_000, env: { PATH: path } });
  const works = (file: string, args: readonly string[]) => run(file, args).status === 0;
  const missing = PROGRAMS.find(([program]) => run(program, ["--version"]).error !== undefined);
  if (missing !== undefined)
    return { kind: null, why: `${missing[0]} is not installed.`, fix: `Install the package ${missing[1]}.` };
  const made = run("unshare", [...NESTED, "true"]);
  if (made.status !== 0) return { kind: null, ...whyNot(made.stderr) };
  if (works("unshare", [...NESTED, ...TRY_BWRAP, "--disable-userns", "true"])) return { kind: "bwrap", disableUserns: true };
  if (works("unshare", [...NESTED, ...TRY_BWRAP, "true"])) return { kind: "bwrap", disableUserns: false };
  const nested = run("unshare", [...NESTED, "unshare", "--mount", "unshare", "--user", "--map-user=1", "--map-group=1", "true"]);
  if (nested.status === 0) return { kind: "userns", disableUserns: false };
  return { kind: null, ...whyNot(nested.stderr) };
}

const PROGRAMS = [
  ["bash", "bash"],
  ["unshare", "util-linux"],
  ["nsenter", "util-linux"],
  ["setpriv", "util-linux"],
  ["ip", "iproute2"],
] as const;

/** The usual reasons, by what the kernel says about itself. */
function whyNot(said: string | null): { why: string; fix: string } {
  if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1")
    return {
      why: "AppArmor keeps programs from using user namespaces.",
      fix: "As root: echo 'kernel.apparmor_restrict_unprivileged_userns=0' > /etc/sysctl.d/60-userns.conf && sysctl --system",
    };
  if (setting("/proc/sys/kernel/unprivileged_userns_clone") === "0")
    return {
      why: "The kernel keeps users from making namespaces.",
      fix: "As root: echo 'kernel.unprivileged_userns_clone=1' > /etc/sysctl.d/60-userns.conf && sysctl --system",
    };
  if (setting("/proc/sys/user/max_user_namespaces") === "0")
    return {
      why: "The number of user namespaces is limited to none.",
      fix: "As root: echo 'user.max_user_namespaces=15000' > /etc/sysctl.d/60-userns.conf && sysctl --system",
    };
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv"))
    return {
      why: "This container may not make namespaces.",
      fix: "Start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or run HAP outside it.",
    };
  return {
    why: `Namespaces cannot be made: ${(said ?? "").trim() || "no reason was given"}.`,
    fix: "Allow user namespaces for this user.",
  };
}

function setting(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
