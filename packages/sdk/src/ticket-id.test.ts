import { ID_PATTERNS } from "@hap/protocol";
import { expect, test } from "vitest";
import { ticketId } from "./ticket-id.ts";

test("[SDK-OWN-ID-1] the same parts give the same id, in a shape that createTicket takes", () => {
  expect(ticketId("deploy", "api", "1.4.2")).toBe(ticketId("deploy", "api", "1.4.2"));
  expect(ticketId("deploy", 7)).toMatch(ID_PATTERNS.clientTicket);
});

test("[SDK-OWN-ID-1] other parts, other bounds between them, and numbers are other ids", () => {
  const ids = [ticketId("a", "bc"), ticketId("ab", "c"), ticketId("abc"), ticketId("a", "bc", ""), ticketId("1"), ticketId(1)];
  expect(new Set(ids).size).toBe(ids.length);
});

test("[SDK-OWN-ID-1] no part is an error that says so", () => {
  expect(() => ticketId()).toThrow("at least one part");
});
