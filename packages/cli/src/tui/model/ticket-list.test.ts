import type { Ticket } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { makeTicket } from "../../../test/ticket.ts";
import { cardHeight, inView, itemsOf, scrollToCurrent } from "./list-layout.ts";
import {
  addPage,
  dropGone,
  dropTickets,
  emptyList,
  LINGER_MS,
  matching,
  moveCurrent,
  putTicket,
  setFilter,
  type TicketList,
} from "./ticket-list.ts";

const ME = "human:alex";
const page = (...tickets: Ticket[]): TicketList => addPage(emptyList("mine"), { tickets, next: null }, 0);
const names = (list: TicketList) => matching(list).map(({ ticket }) => ticket.intent.summary);

describe("[TUI-LIST-2] what was read stays in the order of its list", () => {
  test("by priority, then age; newest first elsewhere", () => {
    const tickets = [
      makeTicket("a", { seq: 3 }),
      makeTicket("b", { seq: 1, priority: "low" }),
      makeTicket("c", { seq: 9, priority: "critical" }),
    ];
    const list = page(...tickets);
    expect(names(putTicket(list, makeTicket("d", { seq: 2 }), ME, 0))).toEqual(["c", "d", "a", "b"]);
    expect(names(addPage(emptyList("all"), { tickets, next: null }, 0))).toEqual(["c", "a", "b"]);
  });

  test("what comes after the last that was read comes with its page", () => {
    const list = addPage(emptyList("mine"), { tickets: [makeTicket("a", { seq: 1 })], next: "more" }, 0);
    expect(names(putTicket(list, makeTicket("z", { seq: 2, priority: "low" }), ME, 0))).toEqual(["a"]);
    expect(names(putTicket(list, makeTicket("y", { seq: 3, priority: "high" }), ME, 0))).toEqual(["y", "a"]);
  });

  test("somebody else's, what has ended and what was put off stay out of one's own", () => {
    const list = page();
    const lease = { ...makeTicket("x").lease, snoozed_until: "2026-01-01T00:00:00Z" };
    for (const other of [{ to: "human:sam" }, { state: "APPROVED" as const }, { lease }])
      expect(names(putTicket(list, makeTicket("x", other), ME, 0))).toEqual([]);
  });
});

describe("[TUI-LIVE-1] the cursor stays on its ticket", () => {
  test("when something comes in above", () => {
    const list = moveCurrent(page(makeTicket("a", { seq: 1 }), makeTicket("b", { seq: 2 })), 1);
    const after = putTicket(list, makeTicket("new", { seq: 3, priority: "critical" }), ME, 0);
    expect(after.current).toBe(makeTicket("b").id);
  });

  test("and goes to the next when its own was decided, or to the last", () => {
    const tickets = ["a", "b", "c"].map((name, seq) => makeTicket(name, { seq }));
    const list = moveCurrent(page(...tickets), 1);
    expect(dropTickets(list, new Set([makeTicket("b").id])).current).toBe(makeTicket("c").id);
    const last = moveCurrent(list, 1);
    expect(dropTickets(last, new Set([makeTicket("c").id])).current).toBe(makeTicket("b").id);
    expect(dropTickets(page(makeTicket("a")), new Set([makeTicket("a").id])).current).toBeNull();
  });

  test("what somebody else decided lingers for a while, to be read", () => {
    const list = putTicket(page(makeTicket("a")), makeTicket("a", { state: "APPROVED" }), ME, 1000);
    expect(names(list)).toEqual(["a"]);
    expect(names(dropGone(list, 1000 + LINGER_MS - 1))).toEqual(["a"]);
    expect(names(dropGone(list, 1000 + LINGER_MS))).toEqual([]);
  });
});

test("[TUI-FILTER-1] every word must be there, in any case, anywhere", () => {
  const list = page(
    makeTicket("Fix login", { from: "agent:web" }),
    makeTicket("Fix docs", { seq: 2, from: "agent:docs", priority: "low" }),
  );
  expect(names(setFilter(list, "FIX docs"))).toEqual(["Fix docs"]);
  expect(names(setFilter(list, "low"))).toEqual(["Fix docs"]);
  expect(names(setFilter(list, "fix agent:web"))).toEqual(["Fix login"]);
  expect(setFilter(list, "none of it").current).toBeNull();
});

describe("[TUI-LIST-2] the view", () => {
  const many = page(...Array.from({ length: 500 }, (_, seq) => makeTicket(`t${seq}`, { seq })));

  test.for([
    { columns: 80, rows: 21 },
    { columns: 132, rows: 37 },
  ])("keeps the cursor in it, whole, at $columns x $rows", ({ columns, rows }) => {
    let list = many;
    for (const by of [1, 1, 30, 300, -5, 1000, -1, -2000, 7]) {
      list = scrollToCurrent(moveCurrent(list, by), rows, columns);
      const view = inView(itemsOf(list), list.top, rows, columns);
      const at = view.findIndex((item) => item.type === "ticket" && item.entry.ticket.id === list.current);
      expect(at).toBeGreaterThanOrEqual(0);
      const used = view.slice(0, at + 1).reduce((sum, item) => sum + (item.type === "group" ? 1 : cardHeight(columns)), 0);
      expect(used).toBeLessThanOrEqual(rows);
    }
  });

  test("has its heading above the first ticket", () => {
    const list = scrollToCurrent(moveCurrent(scrollToCurrent(moveCurrent(many, 400), 20, 80), -1000), 20, 80);
    expect(list.top).toBe(0);
    expect(itemsOf(list)[0]).toMatchObject({ type: "group", priority: "normal", count: 500 });
  });
});
