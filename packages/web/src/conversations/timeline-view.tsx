// The timeline itself: the agent's words on the left and marked, people's on the right.
import { type Conversation, type Message, outcomeWords } from "@hap/protocol";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ticketPath } from "../router.ts";
import { me } from "../state/session.ts";
import { MarkdownView } from "../ticket/markdown-view.tsx";
import { SafeText } from "../ticket/safe-text.tsx";
import { moment, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { type Entry, timelineOf } from "./timeline.ts";

export function Timeline({ conversation }: { conversation: Conversation }) {
  const entries = useMemo(() => timelineOf(conversation), [conversation]);
  const ref = useRef<HTMLElement>(null);
  // The newest words are the ones that matter.
  useEffect(() => {
    const box = ref.current as HTMLElement;
    box.scrollTop = box.scrollHeight;
  }, [entries.length]);
  return (
    <ScrollRegion class="scroll timeline" box={ref} label={t("conversations.timelineView.timeline")}>
      {entries.length === 0 && <p class="empty quiet-words">{t("conversations.timelineView.nothingWasSaidYet")}</p>}
      <ol>
        {entries.map((entry, at) => (
          <li class={`said said-${entry.type}`} key={at}>
            <EntryView entry={entry} />
            <time dateTime={entry.at}>{moment(entry.at)}</time>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

function EntryView({ entry }: { entry: Entry }) {
  switch (entry.type) {
    case "asked":
      return (
        <div class="bubble">
          <MarkdownView text={entry.prompt} />
          <a class="quiet-link" href={ticketPath(entry.ticket.id)}>
            {entry.ticket.resolution === null
              ? t("conversations.timelineView.openAndAnswer")
              : t("conversations.timelineView.open")}
          </a>
        </div>
      );
    case "answered":
      return (
        <div class="bubble">
          <SafeText text={entry.text} />
          <span class="bubble-by">
            {shortName(entry.by)}
            {entry.relayed ? t("conversations.timelineView.relayedNothingProvesThatA") : ""}
          </span>
        </div>
      );
    case "ended":
      return (
        <p class="quiet-words">
          <SafeText text={outcomeWords(entry.ticket)} />
        </p>
      );
    case "message":
      return (
        <div class="bubble">
          {entry.message.text !== null && <SafeText text={entry.message.text} />}
          {entry.message.attachments.map((file, index) => (
            <button type="button" class="quiet" key={file.sha256} onClick={() => void save(entry.message, index)}>
              <Icon name="clip" /> <SafeText text={file.name} />{" "}
              {t("conversations.timelineView.valueKb", { value: Math.ceil(file.size / 1024) })}
            </button>
          ))}
          <span class="bubble-by">
            {entry.message.taken_at === null
              ? t("conversations.timelineView.waitsForItsNextQuestion")
              : t("conversations.timelineView.wasRead")}
          </span>
        </div>
      );
  }
}

/** Hand a file to the browser to save. */
async function save(message: Message, index: number): Promise<void> {
  const file = message.attachments[index];
  const bytes = await me().attachment(message.id, index);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "application/octet-stream" }));
  link.download = file?.name ?? "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
