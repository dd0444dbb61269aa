// The routes that do something to a ticket: the name of their span, which is the draft's, and their words in the log (13.2, 13.3).

/** A span's name and a log line's message. */
export type Operation = { span: string; msg: string };

const onTicket = (verb: string) => `POST /v1/tickets/{id}/${verb}`;

const operations: Readonly<Record<string, Operation>> = {
  "POST /v1/tickets": { span: "ticket.create", msg: "Ticket created" },
  "POST /v1/cues": { span: "ticket.create", msg: "Ticket created" },
  [onTicket("intents")]: { span: "intent.sign", msg: "Ticket decided" },
  [onTicket("deliver")]: { span: "ticket.deliver", msg: "Ticket delivered" },
  [onTicket("ack")]: { span: "ticket.ack", msg: "Ticket acknowledged" },
  [onTicket("cancel")]: { span: "ticket.cancel", msg: "Ticket canceled" },
  [onTicket("extend")]: { span: "ticket.extend", msg: "Ticket extended" },
  [onTicket("snooze")]: { span: "ticket.snooze", msg: "Ticket snoozed" },
  [onTicket("reassign")]: { span: "ticket.reassign", msg: "Ticket reassigned" },
  [onTicket("notes")]: { span: "ticket.note", msg: "Ticket noted" },
  [onTicket("erase")]: { span: "content.erase", msg: "Ticket erased" },
  [onTicket("challenges")]: { span: "intent.challenge", msg: "Challenge issued" },
  "GET /v1/tickets/{id}": { span: "ticket.wait", msg: "Ticket read" },
};

/** What a route does to a ticket, or null. */
export function operationOf(route: string): Operation | null {
  return operations[route] ?? null;
}
