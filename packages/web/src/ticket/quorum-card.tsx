// Who has said what about a ticket that needs several people, and how many are missing (D45).
import { commentWords, personWords, type QuorumView } from "@hap/protocol";
import { now } from "../state/clock.ts";
import { ago, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { SafeText } from "./safe-text.tsx";

/** True for somebody whom it waits for, or who has voted and may change their mind. */
export function mayVote({ waiting_for, votes }: QuorumView, person: string): boolean {
  return waiting_for.includes(person) || votes.some(({ by }) => by === person);
}

export function QuorumCard({ quorum, waiting }: { quorum: QuorumView; waiting: boolean }) {
  return (
    <section class="quorum-card" aria-label={t("ticket.quorum.region")}>
      <h2>{t("ticket.quorum.title", { yes: quorum.yes, need: quorum.need })}</h2>
      <p class="quiet-words">{ruleWords(quorum)}</p>
      {quorum.votes.length > 0 && (
        <ul class="quorum-votes">
          {quorum.votes.map((vote) => (
            <li key={vote.by} class={vote.counts ? undefined : "void"}>
              <Icon name={vote.decision === "approve" ? "check" : "cross"} /> <span translate={false}>{voterWords(vote)}</span>{" "}
              {t(`ticket.quorum.said.${vote.decision}`)} · {ago(now.value - Date.parse(vote.at))}
              {!vote.counts && <> · {t("ticket.quorum.void")}</>}
              {vote.comment !== null && vote.comment !== "" && (
                <p class="quorum-comment" translate={false}>
                  <SafeText text={commentWords(vote.comment)} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {waiting && quorum.short !== null && (
        <p class="quorum-short" role="status">
          {quorum.short}
        </p>
      )}
      {waiting && quorum.short === null && quorum.waiting_for.length > 0 && (
        <p>{t("ticket.quorum.waits", { missing: quorum.missing, people: quorum.waiting_for.map(shortName).join(", ") })}</p>
      )}
    </section>
  );
}

function voterWords({ by, on_behalf_of }: QuorumView["votes"][number]): string {
  return on_behalf_of === null ? shortName(by) : t("ticket.quorum.for", { by: shortName(by), person: shortName(on_behalf_of) });
}

function ruleWords(quorum: QuorumView): string {
  const of = quorum.of.map((entry) => (entry.startsWith("human:") ? shortName(entry) : entry.replace(/^(group|role):/, "")));
  const requester = quorum.requester === null ? null : personWords(shortName(quorum.requester));
  return [
    t(quorum.order === "listed" ? "ticket.quorum.listed" : "ticket.quorum.of", {
      of: of.join(quorum.order === "listed" ? " → " : ", "),
      need: quorum.need,
    }),
    ...(quorum.not_requester && requester !== null ? [t("ticket.quorum.notRequester", { person: requester })] : []),
    ...(quorum.not_alone && requester !== null ? [t("ticket.quorum.notAlone", { person: requester })] : []),
    ...(quorum.rejections > 1 ? [t("ticket.quorum.rejections", { count: quorum.rejections })] : []),
  ].join(" ");
}
