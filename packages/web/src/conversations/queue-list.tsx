// Words that wait for the agent's next question, in their order; one's own can be edited, moved and withdrawn until they are read.
import type { Conversation, Message, QueueChange } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { SafeText } from "../ticket/safe-text.tsx";
import { shortName } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { FileList } from "./file-list.tsx";
import { movedOrder, waitingMessages } from "./reply.ts";

type Props = { conversation: Conversation; onChanged: () => void };

export function QueueList({ conversation, onChanged }: Props) {
  const editing = useSignal<{ id: string; text: string } | null>(null);
  const busy = useSignal(false);
  const waiting = waitingMessages(conversation);
  const own = waiting.filter(({ from }) => from === me().person);
  if (waiting.length === 0) return null;
  const { agent } = conversation.agent;
  const change = async (wanted: QueueChange | null) => {
    if (wanted === null || busy.value) return;
    busy.value = true;
    try {
      await me().changeQueue(agent, wanted);
      editing.value = null;
    } catch (error) {
      sayFailure(error);
    } finally {
      busy.value = false;
      onChanged();
    }
  };
  const move = (id: string, by: -1 | 1) => {
    const order = movedOrder(own, id, by);
    return change(order === null ? null : { order });
  };
  return (
    <section class="queue" aria-label={t("conversations.queue.title", { agent: shortName(agent) })}>
      <h2>{t("conversations.queue.title", { agent: shortName(agent) })}</h2>
      <ol>
        {waiting.map((message) => (
          <li class="queued" key={message.id}>
            {editing.value?.id === message.id ? (
              <EditQueued
                text={editing.value.text}
                onInput={(text) => {
                  editing.value = { id: message.id, text };
                }}
                onCancel={() => {
                  editing.value = null;
                }}
                onSave={(text) => void change({ edit: message.id, text })}
              />
            ) : (
              <>
                <div class="queued-words">
                  {message.text !== null && <SafeText text={message.text} />}
                  <FileList message={message} />
                </div>
                {message.from === me().person ? (
                  <Acts
                    message={message}
                    at={own.indexOf(message)}
                    count={own.length}
                    onMove={(by) => void move(message.id, by)}
                    onEdit={() => {
                      editing.value = { id: message.id, text: message.text ?? "" };
                    }}
                    onWithdraw={() => void change({ withdraw: message.id })}
                  />
                ) : (
                  <span class="quiet-words">{shortName(message.from)}</span>
                )}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

type ActsProps = {
  message: Message;
  at: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onEdit: () => void;
  onWithdraw: () => void;
};

function Acts({ message, at, count, onMove, onEdit, onWithdraw }: ActsProps) {
  return (
    <div class="queued-acts">
      {count > 1 && <Act icon="up" name={t("conversations.queue.moveUp")} disabled={at === 0} onClick={() => onMove(-1)} />}
      {count > 1 && (
        <Act icon="down" name={t("conversations.queue.moveDown")} disabled={at === count - 1} onClick={() => onMove(1)} />
      )}
      {message.attachments.length === 0 && <Act icon="pencil" name={t("conversations.queue.edit")} onClick={onEdit} />}
      <Act icon="cross" name={t("conversations.queue.withdraw")} onClick={onWithdraw} />
    </div>
  );
}

function Act({
  icon,
  name,
  disabled = false,
  onClick,
}: {
  icon: IconName;
  name: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <button type="button" class="icon-button quiet" title={name} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
      <span class="unseen">{name}</span>
    </button>
  );
}

type EditProps = { text: string; onInput: (text: string) => void; onCancel: () => void; onSave: (text: string) => void };

function EditQueued({ text, onInput, onCancel, onSave }: EditProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="queued-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onSave(text);
      }}
    >
      <textarea
        rows={2}
        aria-label={t("conversations.queue.newText")}
        value={text}
        ref={field}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
      />
      <div class="queued-acts">
        <button type="button" class="quiet" onClick={onCancel}>
          {t("conversations.queue.cancel")}
        </button>
        <button type="submit" class="primary" disabled={text.trim() === ""}>
          {t("conversations.queue.save")}
        </button>
      </div>
    </form>
  );
}
