// Where a quorum stands, in words that every face and the waiting agent use (D45).
import { personWords } from "../person-words.ts";
import type { QuorumView } from "./quorum.ts";

/** "1 of 2 approvals (by human:sam); it waits for human:kim or human:lee". */
export function quorumWords(quorum: QuorumView): string {
  const by = yesBy(quorum);
  const said = by.length === 0 ? "" : ` (by ${joinWords(by)})`;
  const noes = quorum.no === 0 ? "" : `, ${quorum.no} of ${quorum.rejections} rejections`;
  const waits = quorum.short ?? waitingWords(quorum);
  return `${quorum.yes} of ${quorum.need} approvals${said}${noes}${waits === "" ? "" : `; ${waits}`}`;
}

/** Who has said yes, as it counts. */
export function yesBy({ votes }: QuorumView, name: (id: string) => string = personWords): string[] {
  return votes
    .filter(({ decision, counts }) => decision === "approve" && counts)
    .map(({ by, on_behalf_of }) => (on_behalf_of === null ? name(by) : `${name(by)} for ${name(on_behalf_of)}`));
}

function waitingWords({ waiting_for, missing }: QuorumView): string {
  if (missing === 0 || waiting_for.length === 0) return "";
  return `it waits for ${missing} of ${waiting_for.map((person) => personWords(person)).join(", ")}`;
}

/** "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
