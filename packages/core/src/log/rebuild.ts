// Rows are a cache: rebuilt from the log when the fold has changed (D22).
import { FOLD_VERSION, type HapEvent, ticketIdOf } from "@hap/protocol";
import type { Store } from "../store/store.ts";
import { fold, foldCreate, type TicketEvent } from "../tickets/fold.ts";
import { isConversationEvent, replayConversation } from "./replay-conversation.ts";
import { isCredentialEvent, replayCredential } from "./replay-credentials.ts";
import { isGrantEvent, replayGrant } from "./replay-grants.ts";
import { isKeyEvent, replayKey } from "./replay-keys.ts";
import { isWebhookChange, replayWebhook } from "./replay-webhooks.ts";
import { upcast } from "./upcast.ts";

/** Replay the whole log into the rows, in one transaction. */
export function rebuildRows(store: Store): void {
  store.write((tx) => {
    tx.clearTickets();
    tx.clearConversations();
    tx.clearKeys();
    tx.clearGrants();
    for (const row of tx.scanEvents(0)) {
      const event = upcast(JSON.parse(row.payload)) as HapEvent;
      if (event.type === "ticket.create") {
        tx.insertTicket(foldCreate(event, row.hash));
        continue;
      }
      if (isConversationEvent(event)) {
        replayConversation(tx, event);
        continue;
      }
      if (isCredentialEvent(event)) {
        replayCredential(tx, event);
        continue;
      }
      if (isKeyEvent(event)) {
        replayKey(tx, event);
        continue;
      }
      if (isGrantEvent(event)) {
        replayGrant(tx, event);
        continue;
      }
      if (isWebhookChange(event)) {
        replayWebhook(tx, event);
        continue;
      }
      const id = ticketIdOf(event);
      const record = id === null ? undefined : tx.ticketById(id);
      if (record !== undefined) tx.updateTicket(fold(record, event as TicketEvent));
    }
    tx.recountOpen();
    tx.setConfig("fold_version", String(FOLD_VERSION));
  });
}
