import type { Conversation, LoggedEvent } from "@hap/protocol";
import { expect, it } from "vitest";
import { joined, whatToFetch } from "./follow.ts";

const ids = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `tk_${at}` }));
const talk = (tickets: { id: string }[], messages: { id: string }[] = []) =>
  ({ agent: { agent: "agent:one" }, tickets, messages }) as unknown as Conversation;
const event = (payload: Record<string, unknown>) => ({ type: payload.type, payload }) as unknown as LoggedEvent;

it("[WEB-TALK-1] an event leads to what it changed, and another agent's to nothing", () => {
  const known = talk(ids(9));
  const asked = (from: string) => event({ type: "ticket.create", ticket: { id: "tk_new", from } });
  expect(whatToFetch(known, [asked("agent:two"), event({ type: "ticket.ack", ticket_id: "tk_other" })])).toBe("nothing");
  expect(whatToFetch(known, [asked("agent:one")])).toEqual({ older: [] });
  expect(whatToFetch(known, [event({ type: "ticket.resolve", ticket_id: "tk_0" })])).toEqual({ older: ["tk_0"] });
  expect(whatToFetch(known, [event({ type: "ticket.resolve", ticket_id: "tk_8" })])).toEqual({ older: [] });
  expect(whatToFetch(known, [event({ type: "message.queue", agent: "agent:one" })])).toEqual({ older: [] });
  expect(whatToFetch(known, [event({ type: "message.take", agent: "agent:one" })])).toBe("all");
  expect(whatToFetch(known, [event({ type: "content.erased" })])).toBe("all");
  expect(
    whatToFetch(
      known,
      Array.from({ length: 5 }, () => asked("agent:one")),
    ),
  ).toBe("all");
});

it("[WEB-TALK-1] what was fetched takes the place of what was known, and is added to it", () => {
  const [old, same, changed, added] = [{ id: "a" }, { id: "b" }, { id: "b", state: "ANSWERED" }, { id: "c" }] as const;
  const { tickets, messages } = joined(talk([old, same], [old]), talk([changed, added]));
  expect(tickets).toEqual([old, changed, added]);
  expect(messages).toEqual([old]);
});
