// Whoever has SSH keys alone signs in a terminal; the phrase that they type there is shown here, since a token is given none (D3).
import { shortCode, type Ticket } from "@hap/protocol";
import { Dialog } from "../ui/dialog.tsx";
import { rich, t } from "../words/words.ts";
import { ActAgain } from "./act-again.tsx";
import { approveTitle } from "./dialog-title.ts";

export function SshDialog({ ticket, phrase, onClose }: { ticket: Ticket; phrase: string; onClose: () => void }) {
  const verb = ticket.ask.type === "approval" ? "approve" : "answer";
  return (
    <Dialog title={approveTitle(ticket)} onClose={onClose} wide>
      <ActAgain ticket={ticket} />
      <p>{t("ticket.ssh.run")}</p>
      <pre class="code">{`hap ${verb} ${shortCode(ticket.id)} --ssh-key FILE`}</pre>
      <p>{rich("ticket.ssh.type", { phrase: <strong class="phrase">{phrase}</strong> })}</p>
      <div class="dialog-actions">
        <button type="button" data-first onClick={onClose}>
          {t("common.back")}
        </button>
      </div>
    </Dialog>
  );
}
