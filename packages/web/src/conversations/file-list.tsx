// The files of a message; each can be saved.
import type { Message } from "@hap/protocol";
import { sayFailure } from "../state/say-failure.ts";
import { me } from "../state/session.ts";
import { SafeText } from "../ticket/safe-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";

export function FileList({ message }: { message: Message }) {
  return (
    <>
      {message.attachments.map((file, index) => (
        <button type="button" class="file-chip" key={file.sha256} onClick={() => void save(message, index).catch(sayFailure)}>
          <Icon name="clip" /> <SafeText text={file.name} />
          <small>
            <SafeText text={file.media_type} /> {t("conversations.timeline.size", { value: Math.ceil(file.size / 1024) })}
          </small>
        </button>
      ))}
    </>
  );
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
