// The hosts whose hooks this door speaks, by the name that `hap-hook` is called with.
import { claude } from "./hosts/claude.ts";
import { codex } from "./hosts/codex.ts";
import type { HookHost } from "./hosts/hook-host.ts";

const hosts = { claude, codex };

/** The name of a host. */
export type Host = keyof typeof hosts;

/** Every host. */
export const HOSTS: Readonly<Record<Host, HookHost>> = hosts;

/** Names of the hosts for help and errors: "claude or codex". */
export const HOST_NAMES = Object.keys(HOSTS).join(" or ");

/** How the guard passes on where the host's shell looks for programs, and in which folder the host was started. */
export const HOST_PATH = "HAP_HOST_PATH";
export const HOST_PROJECT = "HAP_HOST_PROJECT";

/** True for the name of a host. */
export function isHost(name: string | undefined): name is Host {
  return name !== undefined && Object.hasOwn(HOSTS, name);
}
