// What `hap wait` exits with: each way that a ticket can end, or not, is told apart.
import type { Outcome } from "@hap/sdk";

/** By the outcome's status. An answer that a client relayed is no person's: it has its own code. */
const byStatus = {
  approved: 0,
  answered: 0,
  rejected: 10,
  changes_requested: 11,
  expired: 12,
  canceled: 13,
  open: 14,
  approved_by_timer: 15,
} as const satisfies Record<Outcome["status"], number>;
const RELAYED = 16;

export function waitExitCode(outcome: Outcome): number {
  return outcome.status === "answered" && outcome.relayed ? RELAYED : byStatus[outcome.status];
}

export const WAIT_EXIT_HELP = `
Exit codes:
   0  approved, or answered, by a person
  10  rejected              11  changes requested     12  expired: nobody came in time
  13  canceled              14  still open            15  approved by a timer: no person said yes
  16  answered through the agent's own client: nothing proves that a person did
 130  interrupted; the ticket stays as it is`;
