// Who has said what about a ticket that needs several people, and how many are missing (D45).
import { commentWords, isOpen, personWords, type QuorumView, type Ticket } from "@hap/protocol";
import { oneLine } from "./agent-text.ts";
import { moment } from "./time-words.ts";

const SAID = { approve: "approved", reject: "rejected", request_changes: "wants changes", answer: "answered" } as const;

/** A line for where it stands, one for each vote, and one for whom it waits; none where one person decides. */
export function quorumLines({ quorum, state }: Pick<Ticket, "quorum" | "state">): string[] {
  if (quorum === undefined) return [];
  const lines = [`Approvals: ${quorum.yes} of ${quorum.need} (${ruleWords(quorum)})`, ...quorum.votes.map(voteLine)];
  if (!isOpen(state)) return lines;
  if (quorum.short !== null) return [...lines, `  ${quorum.short}`];
  return quorum.waiting_for.length === 0
    ? lines
    : [...lines, `  waits for ${quorum.missing} of ${quorum.waiting_for.map((person) => personWords(person)).join(", ")}`];
}

/** What is printed after a vote: that it was counted, or that it ended the ticket. */
export function doneWords({ quorum, state }: Ticket, ended: string, said: string): string {
  if (quorum === undefined || !isOpen(state)) return ended;
  return `${said} is recorded: ${quorum.yes} of ${quorum.need} approvals.`;
}

function voteLine(vote: QuorumView["votes"][number]): string {
  const who = vote.on_behalf_of === null ? personWords(vote.by) : `${personWords(vote.by)} for ${personWords(vote.on_behalf_of)}`;
  const left = vote.counts ? "" : " (no longer counts)";
  const comment = vote.comment === null || vote.comment === "" ? "" : `: ${oneLine(commentWords(vote.comment))}`;
  return `  ${who} ${SAID[vote.decision]} at ${moment(vote.at)}${left}${comment}`;
}

function ruleWords(quorum: QuorumView): string {
  const of = quorum.of.map((entry) => (entry.startsWith("human:") ? personWords(entry) : entry.replace(/^(group|role):/, "")));
  const parts = [quorum.order === "listed" ? of.join(", then ") : `of ${of.join(", ")}`];
  if (quorum.not_requester && quorum.requester !== null) parts.push(`not ${personWords(quorum.requester)}, whose agent asks`);
  if (quorum.not_alone && quorum.requester !== null) parts.push(`not ${personWords(quorum.requester)} alone`);
  if (quorum.rejections > 1) parts.push(`${quorum.rejections} rejections end it`);
  return parts.join("; ");
}
