// The words in which a command's effects are written into a ticket, and which of them weigh on their own (D11).
// Adding, removing or re-reading a word changes recorded classifications: raise CLASSIFIER_VERSION with it.

/** Written beside every classification, so that replay knows which tables spoke. */
export const CLASSIFIER_VERSION = "shell/1";

/**
 * Effects in the words of D11. Two are more exact than its list: `destroy_data` (a table dropped, a volume removed)
 * is a deletion that no path describes, and `gate_files` is the power to disarm the gate itself.
 */
export const EFFECTS = [
  "read_inside",
  "write_inside",
  "read_outside",
  "write_outside",
  "delete_inside",
  "delete_outside",
  "destroy_data",
  "privilege",
  "credentials",
  "network",
  "send_data",
  "irreversible_vcs",
  "production",
  "opaque",
  "unseen_interpreter",
  "gate_files",
  "process_control",
  "unknown",
] as const;

/** One word of {@link EFFECTS}. */
export type Effect = (typeof EFFECTS)[number];

/** Effects that make a ticket critical on their own, whatever its risk number says. */
export const CRITICAL_EFFECTS: ReadonlySet<Effect> = new Set<Effect>([
  "delete_outside",
  "destroy_data",
  "privilege",
  "credentials",
  "send_data",
  "irreversible_vcs",
  "production",
  "opaque",
  "unseen_interpreter",
  "gate_files",
]);
