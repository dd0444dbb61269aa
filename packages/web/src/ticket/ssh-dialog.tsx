// Whoever has SSH keys alone signs in a terminal; the phrase that they type there is shown here, since a token is given none (D3).
import { shortCode, type Ticket } from "@hap/protocol";
import { Dialog } from "../ui/dialog.tsx";
import { rich, t } from "../words/words.ts";

export function SshDialog({ ticket, phrase, onClose }: { ticket: Ticket; phrase: string; onClose: () => void }) {
  const verb = ticket.ask.type === "approval" ? "approve" : "answer";
  return (
    <Dialog title={t("common.thisOneIsCritical")} onClose={onClose}>
      <p>{t("ticket.sshDialog.signWithYourSshKey")}</p>
      <pre class="code">{`hap ${verb} ${shortCode(ticket.id)} --ssh-key FILE`}</pre>
      <p>{rich("ticket.sshDialog.andTypeStrong", { strong: <strong class="phrase">{phrase}</strong> })}</p>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
