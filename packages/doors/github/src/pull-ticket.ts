// A pull request as a ticket (draft 15.1): a day's lease, canceled when nobody comes; the same commit is always the same ticket.
import { hash } from "node:crypto";
import { LIMITS, type Ticket, toIdName } from "@hap/protocol";
import type { AskInput } from "@hap/sdk/agent";
import type { PullEvent } from "./pull-event.ts";

const DAY_SECONDS = 86_400;
const DESCRIPTION_CHARS = 10_000;
const SUMMARY_CHARS = LIMITS.summaryChars;

/** Where a decision goes back to; kept in the ticket's details. */
export type PullPlace = { owner: string; repo: string; number: number; head_sha: string };

/** The id of the n-th ticket for a commit of a pull request. */
export function pullTicketId(agent: string, { owner, repo, number, headSha }: PullEvent, attempt: number): string {
  return `tk_${hash("sha256", JSON.stringify([agent, owner, repo, number, headSha, attempt]), "hex").slice(0, 40)}`;
}

/** What is asked. The diff is shown whole or not at all. */
export function pullTicket(event: PullEvent, id: string, diff: string | null, to: string | null): AskInput {
  const { owner, repo, number, headSha, author, linesAdded, linesRemoved } = event;
  const person = to ?? reviewerOf(event);
  const place: PullPlace = { owner, repo, number, head_sha: headSha };
  const fits = diff !== null && diff !== "" && Buffer.byteLength(diff) < LIMITS.contentBytes - 100_000;
  return {
    id,
    ...(person === null ? {} : { to: person }),
    kind: "modify_file",
    summary: cut(event.title.trim() === "" ? `${owner}/${repo}#${number}` : event.title, SUMMARY_CHARS),
    details: {
      url: event.url,
      pull_request: place,
      ...(author === null ? {} : { author }),
      ...(event.description === "" ? {} : { description: cut(event.description, DESCRIPTION_CHARS) }),
      ...(fits ? {} : { not_shown: "The diff is too large to be shown here; read it on GitHub." }),
    },
    ...(fits ? { diff } : {}),
    ...(fits || linesAdded === null ? {} : { lines_added: linesAdded }),
    ...(fits || linesRemoved === null ? {} : { lines_removed: linesRemoved }),
    artifact: { repo: `github.com/${owner}/${repo}`, base_commit: event.baseSha },
    lease: { ttl_seconds: DAY_SECONDS, on_timeout: "cancel" },
  };
}

/** The first who was asked to review and did not write it. */
function reviewerOf({ reviewers, author }: PullEvent): string | null {
  const login = reviewers.find((name) => name !== author);
  return login === undefined ? null : `human:${toIdName(login)}`;
}

function cut(text: string, most: number): string {
  const chars = [...text];
  return chars.length <= most ? text : `${chars.slice(0, most - 1).join("")}…`;
}

/** The place that a ticket of ours is about, or null for any other ticket. */
export function placeOf({ intent }: Ticket): PullPlace | null {
  const place = intent.details.pull_request as Partial<PullPlace> | undefined;
  const { owner, repo, number, head_sha } = place ?? {};
  const whole =
    typeof owner === "string" && typeof repo === "string" && typeof number === "number" && typeof head_sha === "string";
  return whole ? { owner, repo, number, head_sha } : null;
}
