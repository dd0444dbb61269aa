// A decision back to GitHub, as a review of exactly the commit that was decided on, or as a check on it. Only a person's yes
// becomes an approval; a timer's is told as what it is (D7, D10).
import type { Outcome } from "@hap/sdk/agent";
import type { CheckRun, GitHubApi, Review } from "./github-api.ts";
import type { PullPlace } from "./pull-ticket.ts";

/** How a decision is passed on; `none` leaves it to the caller's exit code. */
export type ReportWay = "review" | "check" | "none";

const reviews: Partial<Record<Outcome["status"], Review["event"]>> = {
  approved: "APPROVE",
  rejected: "REQUEST_CHANGES",
  changes_requested: "REQUEST_CHANGES",
};
const conclusions: Partial<Record<Outcome["status"], NonNullable<CheckRun["conclusion"]>>> = {
  approved: "success",
  rejected: "failure",
  changes_requested: "action_required",
  expired: "timed_out",
};

const CHECK = "HAP";

/** Say that somebody is asked. */
export async function reportOpen(api: GitHubApi, way: ReportWay, place: PullPlace, ticketId: string, to: string): Promise<void> {
  if (way !== "check") return;
  const output = { title: `Waiting for ${to}`, summary: `HAP Ticket: ${ticketId}` };
  await api.check(place, { name: CHECK, head_sha: place.head_sha, external_id: ticketId, status: "in_progress", output });
}

/** Say how it ended. */
export async function reportEnd(api: GitHubApi, way: ReportWay, place: PullPlace, outcome: Outcome): Promise<void> {
  const { ticket, words, status } = outcome;
  const body = `${words}\n\nHAP Ticket: ${ticket.id} (commit ${place.head_sha})`;
  if (way === "check") {
    const conclusion = conclusions[status] ?? "cancelled";
    const output = { title: titleOf(status), summary: body };
    await api.check(place, {
      name: CHECK,
      head_sha: place.head_sha,
      external_id: ticket.id,
      status: "completed",
      conclusion,
      output,
    });
  } else if (way === "review") {
    const event = reviews[status] ?? "COMMENT";
    const taken = await api.review(place, { commit_id: place.head_sha, body, event });
    // Nobody reviews their own pull request: then the words stand as a comment.
    if (!taken) await api.comment(place, body);
  }
}

function titleOf(status: Outcome["status"]): string {
  return status === "approved"
    ? "Approved by a person"
    : status === "approved_by_timer"
      ? "No person said yes"
      : status.replaceAll("_", " ");
}
