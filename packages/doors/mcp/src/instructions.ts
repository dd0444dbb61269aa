// What the host tells its model about this server.

export const INSTRUCTIONS = `HAP is the inbox where people decide for their agents.
Before something that a person should decide (a command with effects outside the project, a deletion, a deploy, spending, sending), call hap_create_ticket and put the exact command or diff into it; for a question call hap_ask. Both return a ticket_id. Then call hap_wait, again and again while status is "open"; each call waits less than a minute and nothing is lost in between.
Act only on status "approved", once, and on exactly what was approved. "approved_by_timer", "expired" and "canceled" are no person's yes. A person's words come back verbatim: follow them.
Where your person talks with you through HAP (cueme): call cueme_join once, then cueme_cue before every summary and final reply, and again with its ticket_id while status is "open".
You cannot approve, reject or acknowledge anything: the tools with those names pass the matter on to the person.`;
