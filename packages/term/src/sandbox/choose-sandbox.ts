// Picks the sandbox: the one that was asked for, or the strongest that works here. Never `none` unless it is named.
import { spawnSync } from "node:child_process";
import { TermError } from "../term-error.ts";
import { bwrapSandbox } from "./bwrap-sandbox.ts";
import { ENGINE_KINDS, type EngineKind, findEngine } from "./container-engine.ts";
import { containerSandbox } from "./container-sandbox.ts";
import { noSandbox } from "./no-sandbox.ts";
import type { Sandbox, SandboxKind, SandboxSpec } from "./sandbox.ts";
import { usernsSandbox } from "./userns-sandbox.ts";

const works: Partial<Record<SandboxKind, boolean>> = {};

/** True if this kind works here; tried once. */
export function sandboxWorks(kind: SandboxKind): boolean {
  works[kind] ??= tryOut(kind);
  return works[kind];
}

function tryOut(kind: SandboxKind): boolean {
  const succeeds = (file: string, args: string[]) => spawnSync(file, args, { stdio: "ignore", timeout: 10_000 }).status === 0;
  if (kind === "none") return true;
  if (!isEngine(kind) && !succeeds("bash", ["-c", "true"])) return false;
  if (isEngine(kind)) return findEngine(kind) !== null;
  if (kind === "bwrap")
    return succeeds("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]) && succeeds("nsenter", ["--version"]);
  const tools = ["nsenter", "setpriv"].every((tool) => succeeds(tool, ["--version"]));
  return tools && succeeds("unshare", ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--net", "true"]);
}

/** True for the kinds that run containers. */
export function isEngine(kind: SandboxKind | "auto"): kind is EngineKind {
  return ENGINE_KINDS.some((engine) => engine === kind);
}

/** The engine for a task in a container: the one that was asked for, else Docker, else Podman; null if none answers. */
export function chooseEngine(asked: SandboxKind | "auto"): EngineKind | null {
  const candidates = asked === "auto" ? ENGINE_KINDS : ENGINE_KINDS.filter((kind) => kind === asked);
  return candidates.find(sandboxWorks) ?? null;
}

/** The kind for everything else. */
export function chooseSandbox(asked: SandboxKind | "auto"): SandboxKind {
  if (asked === "auto") {
    const found = (["bwrap", "userns"] as const).find((kind) => sandboxWorks(kind));
    if (found !== undefined) return found;
    throw new TermError(
      "sandbox_missing",
      "No sandbox works here: bubblewrap is not installed and user namespaces are refused. Install bubblewrap, or use --sandbox none to run commands unprotected as yourself.",
    );
  }
  if (sandboxWorks(asked)) return asked;
  const hints = {
    bwrap: "Install bash, bubblewrap and util-linux (nsenter), and allow user namespaces.",
    userns: "Allow user namespaces and install bash and util-linux (unshare, nsenter, setpriv).",
    docker: "Start a container engine: `docker info` must succeed.",
    podman: "Install podman, uidmap and slirp4netns: `podman info` must succeed.",
    none: "",
  };
  throw new TermError("sandbox_missing", `The sandbox ${asked} does not work here. ${hints[asked]}`);
}

/** Make a sandbox of a kind. */
export async function makeSandbox(kind: SandboxKind, spec: SandboxSpec): Promise<Sandbox> {
  if (isEngine(kind)) return containerSandbox(spec);
  return { bwrap: bwrapSandbox, userns: usernsSandbox, none: noSandbox }[kind](spec);
}
