// Words and files for an agent: an answer where it waits for one that words can give, else left for its next question.
import type { AgentCard } from "@hap/protocol";
import { useRef } from "preact/hooks";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { agentName } from "./agents-pane.tsx";
import type { Reply } from "./use-reply.ts";

type Props = { card: AgentCard; reply: Reply; waits: boolean };

export function ReplyBox({ card, reply, waits }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { words, files, busy, target } = reply;
  const agent = agentName(card);
  const answers = target !== null && words.value.trim() !== "";
  return (
    <form
      class="reply-box"
      onSubmit={(event) => {
        event.preventDefault();
        reply.sendWords(card.agent);
      }}
    >
      <p class="quiet-words">
        {target !== null
          ? target.ask.type === "choice"
            ? t("conversations.reply.chooseOrWrite", { agent })
            : t("conversations.reply.agentWaits", { agent })
          : waits
            ? t("conversations.reply.goAlong")
            : t("conversations.reply.readLater", { agent })}
      </p>
      <FileChips reply={reply} />
      <div class="reply-row">
        <textarea
          rows={2}
          aria-label={t("conversations.reply.label", { agent })}
          placeholder={t("conversations.reply.placeholder")}
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
          onPaste={(event) => {
            const pasted = pastedFiles(event.clipboardData);
            if (pasted.length === 0) return;
            event.preventDefault();
            reply.addFiles(pasted);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            reply.sendWords(card.agent);
          }}
        />
        <input
          ref={input}
          class="unseen"
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t("conversations.reply.filesToSend")}
          onChange={(event) => {
            reply.addFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <button
          type="button"
          class="icon-button"
          title={t("conversations.reply.addFiles")}
          onClick={() => input.current?.click()}
        >
          <Icon name="clip" />
          <span class="unseen">{t("conversations.reply.addFiles")}</span>
        </button>
        <button type="submit" class="primary" disabled={busy.value}>
          {answers || (target !== null && files.value.length === 0)
            ? t("conversations.reply.answer")
            : t("conversations.reply.queue")}
        </button>
      </div>
    </form>
  );
}

/** Files that go along, each with its type and a way to take it out again. */
function FileChips({ reply: { files } }: { reply: Reply }) {
  if (files.value.length === 0) return null;
  return (
    <ul class="file-chips" aria-label={t("conversations.reply.filesChosen")}>
      {files.value.map((file, at) => (
        <li class="file-chip" key={`${at} ${file.name}`}>
          <Icon name="clip" /> <span>{file.name}</span>
          <small>
            {file.type} {t("conversations.timeline.size", { value: Math.ceil(file.size / 1024) })}
          </small>
          <button
            type="button"
            class="icon-button quiet"
            title={t("conversations.reply.remove")}
            onClick={() => {
              files.value = files.value.filter((other) => other !== file);
            }}
          >
            <Icon name="cross" />
            <span class="unseen">{t("conversations.reply.removeFile", { name: file.name })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Files of the clipboard. Browsers call every pasted image the same; a number keeps several apart. */
function pastedFiles(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  return files.map((file, at) => {
    const ending = /^image\/([a-z0-9]+)/.exec(file.type)?.[1];
    if (ending === undefined || !/^image\.\w+$/.test(file.name)) return file;
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(/\D/g, "");
    return new File([file], `pasted-${stamp}-${at + 1}.${ending}`, { type: file.type });
  });
}
