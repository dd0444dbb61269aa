// Words for an agent: an answer where it waits for one that words can give, else left for its next question.
import { type Conversation, isOpen, LIMITS } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";

export function ReplyBox({ conversation, onSent }: { conversation: Conversation; onSent: () => void }) {
  const words = useSignal("");
  const files = useSignal<readonly File[]>([]);
  const busy = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const { agent } = conversation.agent;
  // The oldest question that waits for this person and that words answer.
  const question = conversation.tickets.find(
    ({ state, ask, to, tier }) => isOpen(state) && ask.type === "text" && to === me().person && tier !== "critical",
  );
  const answers = question !== undefined && files.value.length === 0;
  const send = async () => {
    const text = words.value.trim();
    if (busy.value || (text === "" && files.value.length === 0)) return;
    busy.value = true;
    try {
      if (answers) await me().answer(question.id, text);
      else {
        const attachments = await Promise.all(
          files.value.map(async (file) => ({ name: file.name, data: new Uint8Array(await file.arrayBuffer()) })),
        );
        await me().queue(agent, { ...(text === "" ? {} : { text }), ...(attachments.length === 0 ? {} : { attachments }) });
      }
      words.value = "";
      files.value = [];
      onSent();
    } catch (error) {
      sayFailure(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form
      class="reply-box"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p class="quiet-words">
        {answers
          ? t("conversations.replyBox.agentWaitsThisIsYour", { agent: shortName(agent) })
          : t("conversations.replyBox.agentReadsThisWithIts", { agent: shortName(agent) })}
      </p>
      <div class="reply-row">
        <textarea
          rows={2}
          aria-label={t("conversations.replyBox.wordsForAgent", { agent: shortName(agent) })}
          placeholder={t("conversations.replyBox.writeAReply")}
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <input
          ref={input}
          class="unseen"
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t("conversations.replyBox.filesToSend")}
          onChange={(event) => {
            files.value = [...(event.currentTarget.files ?? [])].slice(0, LIMITS.attachmentsMax);
          }}
        />
        <button
          type="button"
          class="icon-button"
          title={t("conversations.replyBox.addFiles")}
          onClick={() => input.current?.click()}
        >
          <Icon name="clip" />
          <span class="unseen">{t("conversations.replyBox.addFiles")}</span>
        </button>
        <button type="submit" class="primary" disabled={busy.value}>
          {answers ? t("conversations.replyBox.answer") : t("conversations.replyBox.leaveWords")}
        </button>
      </div>
      {files.value.length > 0 && <p class="quiet-words">{files.value.map(({ name }) => name).join(", ")}</p>}
    </form>
  );
}
