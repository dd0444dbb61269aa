// What a command needs beyond the project, per effect. The effects themselves and their tiers are the protocol's table (D11);
// a need says why a command cannot simply run confined (D33).
import type { Effect } from "@hap/protocol/rules";

export type { Effect } from "@hap/protocol/rules";

/** Written beside every classification, so that replay knows which tables spoke. Raise it when an effect is read differently. */
export const CLASSIFIER_VERSION = "shell/2";

/** Why a command cannot simply be confined. */
export const NEEDS = [
  /** Writes a file that arms the gate or runs by itself. */
  "gate_path",
  /** Reads or writes credentials. */
  "secret",
  /** Talks to a host other than a package registry, or to a service of this machine. */
  "network",
  /** Starts or controls containers, through a daemon outside. */
  "containers",
  /** Starts, stops or schedules what runs outside of the session. */
  "processes",
  /** Sends data to others. */
  "sends_data",
  /** Runs with more rights. */
  "privilege",
  /** Names a path outside the project that a sandbox does not show. */
  "outside",
  /** Loses work that version control cannot bring back. */
  "lost_work",
] as const;

/** One word of {@link NEEDS}. */
export type Need = (typeof NEEDS)[number];

/** What each effect needs, unless a finding says otherwise. Unknown and unreadable commands need nothing: they are confined. */
export const EFFECT_NEEDS: Readonly<Record<Effect, Need | null>> = {
  read_inside: null,
  write_inside: null,
  delete_inside: null,
  read_outside: "outside",
  write_outside: "outside",
  delete_outside: "outside",
  network: "network",
  process_control: "processes",
  gate_files: "gate_path",
  destroy_data: "network",
  privilege: "privilege",
  credentials: "secret",
  send_data: "sends_data",
  irreversible_vcs: "lost_work",
  production: "sends_data",
  opaque: null,
  unseen_interpreter: null,
  unknown: null,
};
