// How `cueme` ends; docs/cueme.md lists the same.
export const EXIT = {
  /** A person's words are on standard output. */
  done: 0,
  /** Wrong usage, wrong input, or an agent id that nobody knows. */
  usage: 2,
  /** `recall` found nothing. */
  nothingFits: 4,
  /** The question ended, and no person had ended it. */
  withoutPerson: 13,
  /** `--timeout` is over; the question is still open. */
  stillOpen: 14,
  /** Something that should not happen. */
  unexpected: 70,
  /** Nobody reads standard output any more, so nothing counts as heard. */
  nobodyReads: 74,
} as const;

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** As shells count an end by a signal. */
export function signalExit(signal: NodeJS.Signals | null): number {
  return 128 + (signalNumbers[signal ?? "SIGINT"] ?? 2);
}
