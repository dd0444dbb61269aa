// The timeline itself: the agent's words on the left and marked, people's on the right.
import { type Conversation, outcomeForPerson, type Ticket } from "@hap/protocol";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ticketPath } from "../router.ts";
import { me } from "../state/session.ts";
import { MarkdownView } from "../ticket/markdown-view.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { moment, shortName } from "../ui/format.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { FileList } from "./file-list.tsx";
import { QuickAnswer } from "./quick-answer.tsx";
import { openQuestions } from "./reply.ts";
import { type Entry, timelineOf } from "./timeline.ts";
import type { Reply } from "./use-reply.ts";

type Props = { conversation: Conversation; reply: Reply };

export function Timeline({ conversation, reply }: Props) {
  const entries = useMemo(() => timelineOf(conversation), [conversation]);
  const ref = useRef<HTMLElement>(null);
  // The newest words are the ones that matter.
  useEffect(() => {
    const box = ref.current as HTMLElement;
    box.scrollTop = box.scrollHeight;
  }, [entries.length]);
  return (
    <ScrollRegion class="scroll timeline" box={ref} label={t("conversations.timeline.label")}>
      {entries.length === 0 && <p class="empty quiet-words">{t("conversations.timeline.empty")}</p>}
      <ol>
        {entries.map((entry) => (
          <li class={`said said-${entry.type}`} key={entryKey(entry)}>
            <EntryView entry={entry} conversation={conversation} reply={reply} />
            <time dateTime={entry.at}>{moment(entry.at)}</time>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

/** The same for an entry as long as it is there, so that what is typed into it stays. */
function entryKey(entry: Entry): string {
  return `${entry.type} ${entry.type === "message" ? entry.message.id : entry.ticket.id}`;
}

/** A question as one: its words, and what answers it. Its record (risk, hashes, history) is one link away. */
function Asked({ ticket, prompt, conversation, reply }: Props & { ticket: Ticket; prompt: string }) {
  const question = openQuestions(conversation, me().person).find(({ id }) => id === ticket.id);
  const open = ticket.resolution === null;
  return (
    <div class={open ? "bubble open-question" : "bubble"}>
      {open && conversation.agent.listening === ticket.id && (
        <span class="listening">{t("conversations.timeline.listening")}</span>
      )}
      <MarkdownView text={prompt} />
      {question !== undefined && <QuickAnswer ticket={question} reply={reply} />}
      <a class="quiet-link" href={ticketPath(ticket.id)}>
        {open && question === undefined ? t("conversations.timeline.openAndAnswer") : t("conversations.timeline.open")}
      </a>
    </div>
  );
}

function EntryView({ entry, conversation, reply }: Props & { entry: Entry }) {
  switch (entry.type) {
    case "asked":
      return <Asked ticket={entry.ticket} prompt={entry.prompt} conversation={conversation} reply={reply} />;
    case "answered":
      return (
        <div class="bubble">
          <SafeText text={entry.text} />
          <span class="bubble-by">
            {shortName(entry.by)}
            {entry.relayed ? t("conversations.timeline.relayed") : ""}
          </span>
        </div>
      );
    case "ended":
      return (
        <p class="quiet-words">
          <SafeText text={outcomeForPerson(entry.ticket, shortName) ?? ""} />
        </p>
      );
    case "message":
      return (
        <div class="bubble">
          {entry.message.text !== null && <SafeText text={entry.message.text} />}
          <FileList message={entry.message} />
          <span class="bubble-by">
            {entry.message.withdrawn_at === null ? t("conversations.timeline.read") : t("conversations.timeline.withdrawn")}
          </span>
        </div>
      );
  }
}
