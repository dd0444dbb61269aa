// The rules of deciding, without a terminal: what each key leads to, and what it never leads to.
import type { Ticket } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { makeTicket } from "../../../test/ticket.ts";
import { makePaint } from "../../terminal/paint.ts";
import { frame } from "../view/frame.ts";
import { HOLD_MS } from "./decide.ts";
import { type Effect, type Message, type Model, startModel } from "./model.ts";
import { update } from "./update.ts";

const start = {
  person: "human:alex",
  trust: "open" as const,
  violation: null,
  paint: makePaint({ NO_COLOR: "1" }, true),
  columns: 80,
  rows: 24,
  nowMs: 0,
  undoSeconds: { routine: 0, notable: 3 },
};
const key = (name: string): Message => ({ type: "key", key: { name, text: [...name].length === 1 ? name : null } });
const page = (tickets: ReturnType<typeof makeTicket>[], next: string | null = null): Message => ({
  type: "page",
  generation: 0,
  page: { tickets, next },
});

/** Play messages, and give the model with every effect that they caused. */
function play(
  messages: readonly (Message | string)[],
  model: Model = startModel(start),
  nowMs = 0,
): { model: Model; effects: Effect[] } {
  const effects: Effect[] = [];
  for (const message of messages) {
    const next = update(model, typeof message === "string" ? key(message) : message, { nowMs });
    model = next.model;
    effects.push(...next.effects);
    // The runtime issues what is asked for.
    for (const effect of next.effects)
      if (effect.type === "phrase") model = update(model, { ...effect, phrase: "approve modify_file 7k2m" }, { nowMs }).model;
  }
  return { model, effects };
}
const text = (model: Model) => frame(model).rows.join("\n");
const decisions = (effects: readonly Effect[]) => effects.filter(({ type }) => type === "decide");
const opened = (...tickets: ReturnType<typeof makeTicket>[]): Message => ({
  type: "opened",
  tickets,
  history: [],
  thenApprove: false,
});
/** Enough pages to read any of these tickets. */
const READ = Array.from({ length: 20 }, () => "space");
const DELIVERED = { state: "DELIVERED" as const };
const long = {
  intent: { ...makeTicket("x").intent, details: { command: Array.from({ length: 90 }, (_, at) => `step ${at}`).join("\n") } },
};

describe("[TUI-READ-1] a yes", () => {
  test("needs all of it to have been in view, and then two keys; the end alone is not enough", () => {
    const ticket = makeTicket("a", { ...DELIVERED, ...long });
    const early = play([page([ticket]), opened(ticket), "a"]);
    expect(early.model.dialog).toBeNull();
    expect(early.model.notice?.text).toMatch(/Read all of it first/);
    expect(play(["G"], early.model).model.detail?.seen).toBe(false);
    const read = play([...READ, "a", "enter"], early.model);
    expect(decisions(read.effects)).toEqual([
      { type: "decide", plan: { verb: "approve", ids: [ticket.id], comment: null, answer: null, edits: null, phrase: null } },
    ]);
  });

  test("loses what was read when the words change, and keeps it when only time has passed", () => {
    const ticket = makeTicket("a", { ...DELIVERED, ...long });
    const read = play([page([ticket]), opened(ticket), ...READ]).model;
    const later = play([{ type: "reread", ticket: { ...ticket, state: "ACKED" }, history: [] }], read).model;
    expect(later.detail?.seen).toBe(true);
    const changed = {
      ...ticket,
      intent: { ...ticket.intent, details: { command: `${ticket.intent.details.command}\nrm -rf /` } },
    };
    expect(play([{ type: "reread", ticket: changed, history: [] }], read).model.detail?.seen).toBe(false);
  });

  test("is never for a ticket that opened behind somebody's back", () => {
    const [one, other] = [makeTicket("one", DELIVERED), makeTicket("other", { ...DELIVERED, seq: 2, tier: "critical" })];
    const asked = play([page([one, other]), opened(one), ...READ, "a", opened(other), "enter"]);
    expect(decisions(asked.effects)).toMatchObject([{ plan: { verb: "approve", ids: [one.id] } }]);
    expect(play([page([one, other]), opened(one), opened(other)]).model.detail?.tickets).toEqual([one]);
  });

  test("in a smaller window is still to be read", () => {
    const ticket = makeTicket("a", { ...DELIVERED, ...long });
    const wide = play([
      page([ticket]),
      opened(ticket),
      { type: "resize", columns: 120, rows: 60 },
      { type: "resize", columns: 60, rows: 20 },
    ]);
    expect(wide.model.detail?.seen).toBe(false);
  });

  test("[TUI-STEPUP-1] to something critical is sent only with the phrase", () => {
    const ticket = makeTicket("a", { ...DELIVERED, tier: "critical" });
    const asked = play([page([ticket]), opened(ticket), ...READ, "a", "enter"]);
    expect(decisions(asked.effects)).toEqual([]);
    expect(text(asked.model)).toContain("To confirm, type:  approve modify_file 7k2m");
    const wrong = play([..."approve modify_file", "enter"], asked.model);
    expect(decisions(wrong.effects)).toEqual([]);
    expect(wrong.model.dialog).toMatchObject({ type: "step-up", problem: expect.stringMatching(/not the phrase/) });
    const right = play(
      [..."approve modify_file 7k2m".split("").map((char) => (char === " " ? "space" : char))]
        .map((name) => (name === "space" ? ({ type: "key", key: { name, text: " " } } as Message) : name))
        .concat("enter"),
      asked.model,
    );
    expect(decisions(right.effects)).toMatchObject([{ plan: { verb: "approve", phrase: "approve modify_file 7k2m" } }]);
  });
});

describe("[TUI-DECIDE-1] a no", () => {
  test("needs no reading, and Esc takes it back", () => {
    const ticket = makeTicket("a", DELIVERED);
    const back = play([page([ticket]), "r", "escape"]);
    expect(back.model.dialog).toBeNull();
    expect(decisions(back.effects)).toEqual([]);
    expect(decisions(play(["r", "2", "enter"], back.model).effects)).toMatchObject([
      { plan: { verb: "reject", comment: "Not now." } },
    ]);
  });

  test("is for the next ticket when two follow each other faster than they are recorded", () => {
    const two = ["a", "b"].map((name, seq) => makeTicket(name, { ...DELIVERED, seq }));
    const { model, effects } = play([page(two), "r", "enter", "r", "enter"]);
    expect(decisions(effects)).toMatchObject(two.map(({ id }) => ({ plan: { ids: [id] } })));
    const refused: Message = {
      type: "decided",
      plan: { verb: "reject", ids: [two[0]?.id ?? ""], comment: null, answer: null, edits: null, phrase: null },
      tickets: [],
      refused: [{ id: two[0]?.id ?? "", message: "Busy." }],
    };
    const back = play(
      [refused, { type: "tickets", tickets: [{ ...(two[0] as (typeof two)[0]), delivered_at: "2026-01-01T00:00:00.000Z" }] }],
      model,
    );
    expect(text(back.model)).toMatch(/> a[\s\S]*Busy\./);
  });

  test("changes are not for questions", () => {
    const question = makeTicket("a", { ...DELIVERED, ask: { type: "text" } });
    expect(play([page([question]), "c"]).model.notice?.text).toMatch(/Answer a question/);
  });
});

describe("[TUI-BATCH-1] several at once", () => {
  const three = ["a", "b", "c"].map((name, seq) => makeTicket(name, { ...DELIVERED, seq, tier: "routine" }));
  const chosen = play([page(three), "g", "x", "x", "x"]).model;

  test("wait to be undone, and are sent when the time is up", () => {
    const held = play(["r", "enter"], chosen);
    expect(decisions(held.effects)).toEqual([]);
    expect(held.model.held?.plan.ids).toHaveLength(3);
    expect(decisions(play([{ type: "tick" }], held.model, HOLD_MS - 1).effects)).toEqual([]);
    expect(decisions(play([{ type: "tick" }], held.model, HOLD_MS).effects)).toHaveLength(1);
    const undone = play(["u", { type: "tick" }], held.model, HOLD_MS);
    expect(decisions(undone.effects)).toEqual([]);
    expect(undone.model.chosen.size).toBe(3);
  });

  test("are read together before a yes", () => {
    const asked = play(["a"], chosen);
    expect(asked.effects).toMatchObject([{ type: "open", ids: three.map(({ id }) => id) }]);
    const shown = play([opened(...three)], asked.model).model;
    expect(shown.detail?.seen).toBe(false);
    expect(play(["a"], shown).model.dialog).toBeNull();
    expect(play(["G", "a"], shown).model.dialog).toBeNull();
    expect(play([...READ, "a"], shown).model.dialog).toMatchObject({ type: "decide", ids: three.map(({ id }) => id) });
  });

  test.for<[string, Parameters<typeof makeTicket>[1], RegExp]>([
    ["of another kind", { intent: { ...makeTicket("x").intent, kind: "deploy" } }, /another agent or kind/],
    ["of another agent", { from: "agent:other" }, /another agent or kind/],
    ["not routine", { tier: "notable" }, /approve it on its own/],
    ["a question", { ask: { type: "text" } }, /answer it on its own/],
  ])("are not approved when one is %s", ([, odd, why]) => {
    const tickets = [...three.slice(0, 2), makeTicket("odd", { ...DELIVERED, seq: 9, tier: "routine", ...odd })];
    const refused = play([page(tickets), "g", "x", "x", "x", "a"]);
    expect(refused.model.notice?.text).toMatch(why);
    expect(refused.effects.some(({ type }) => type === "open")).toBe(false);
  });

  test("nothing is lost silently on q", () => {
    const leaving = play(["r", "enter", "q"], chosen);
    expect(leaving.effects).toEqual([]);
    expect(leaving.model.dialog?.type).toBe("leave");
    expect(play(["s"], leaving.model).effects.map(({ type }) => type)).toEqual(["decide", "quit"]);
    expect(play(["u"], leaving.model).effects.map(({ type }) => type)).toEqual(["quit"]);
  });
});

describe("[TUI-UNDO-1] one yes", () => {
  const notable = makeTicket("a", { ...DELIVERED, tier: "notable" });
  const asked = play([page([notable]), opened(notable), ...READ, "a", "enter"]);
  const [, ...rest] = asked.effects.filter(({ type }) => type === "hold" || type === "decide");
  const held: Message = {
    type: "held",
    plan: asked.effects.flatMap((effect) => (effect.type === "hold" ? [effect.plan] : []))[0] as never,
    untilMs: 3000,
  };
  const byAlex = { outcome: "approved", actor: { kind: "human", id: "human:alex" }, assurance: "local" } as Ticket["resolution"];
  const over = makeTicket("a", { tier: "notable", state: "APPROVED", resolution: byAlex });

  test("to a notable ticket is held, and u undoes it", () => {
    expect(asked.effects.at(-1)).toMatchObject({ type: "hold", seconds: 3, plan: { verb: "approve", ids: [notable.id] } });
    expect(rest).toEqual([]);
    const waiting = play([held], asked.model).model;
    expect(text(waiting)).toContain("Approved. It takes effect in 3 s: u undoes it");
    const undoing = play(["u"], waiting);
    expect(undoing.effects).toEqual([{ type: "undo", id: notable.id }]);
    const back = play([{ type: "undone", ticket: notable, tooLate: false }], undoing.model).model;
    expect(text(back)).toMatch(/> a[\s\S]*Undone\. The ticket is open again\./);
    expect(play(["u"], back).effects).toEqual([]);
  });

  test("is said to be done when the log has it, and then cannot be undone", () => {
    const done = play([held, { type: "tickets", tickets: [over] }], asked.model);
    expect(text(done.model)).toContain("Approved (assurance local): a");
    expect(play(["u"], done.model).effects).toEqual([]);
    const late = play([held, "u", { type: "undone", ticket: over, tooLate: true }], asked.model).model;
    expect(late.notice?.text).toBe("Too late to undo: it has taken effect.");
  });

  test("takes effect when the person leaves", () => {
    const leaving = play([held, "q"], asked.model);
    expect(leaving.effects.map(({ type }) => type)).toEqual(["apply", "quit"]);
  });

  test("to a routine ticket is sent at once, and a no is never held", () => {
    const routine = makeTicket("r", { ...DELIVERED, tier: "routine" });
    expect(play([page([routine]), opened(routine), ...READ, "a", "enter"]).effects.at(-1)).toMatchObject({ type: "decide" });
    expect(play([page([notable]), opened(notable), "r", "enter"]).effects.at(-1)).toMatchObject({ type: "decide" });
  });
});

describe("[TUI-MANY-1] pages", () => {
  const tickets = Array.from({ length: 10 }, (_, seq) => makeTicket(`t${seq}`, { ...DELIVERED, seq }));

  test("are asked for when the cursor reaches the end of what was read, one at a time", () => {
    const first = play([page(tickets, "next")]);
    const more = play(["G"], first.model);
    const loads = [...first.effects, ...more.effects].filter(({ type }) => type === "load");
    expect(loads).toEqual([{ type: "load", tab: "mine", generation: 0, cursor: "next", limit: 10 }]);
    expect(play(["j", "j"], more.model).effects).toEqual([]);
  });

  test("a filter reads no page by itself", () => {
    const filtered = play([page(tickets, "next"), "/", "z", "z", "enter"]);
    const before = filtered.effects.filter(({ type }) => type === "load").length;
    expect(before).toBeLessThanOrEqual(1);
    expect(text(filtered.model)).toContain("None of the 10 tickets that were read holds these words.");
  });

  test("many changes at once are read as a page, not one by one", () => {
    const ids = Array.from({ length: 400 }, (_, at) => `tk_${at}`);
    const { effects } = play([page(tickets), { type: "changed", ids }]);
    expect(effects.map(({ type }) => type)).toEqual(["load"]);
  });

  test("that were asked for before the list began anew are not for it", () => {
    const { model } = play([page(tickets), "tab", page([makeTicket("late")])]);
    expect(text(model)).not.toContain("late");
  });
});

test("[TUI-DELIVER-1] only what is in view is delivered, and only one's own", () => {
  const tickets = Array.from({ length: 30 }, (_, seq) => makeTicket(`t${seq}`, { seq }));
  const { effects } = play([page(tickets)]);
  const delivered = effects.flatMap((effect) => (effect.type === "deliver" ? effect.ids : []));
  expect(delivered).toEqual(tickets.slice(0, 10).map(({ id }) => id));
  expect(play([page([makeTicket("x", { to: "human:sam" })])]).effects).toEqual([]);
  const behind = play([
    page([]),
    opened(makeTicket("o", DELIVERED)),
    { type: "tickets", tickets: [makeTicket("n", { seq: 5 })] },
  ]);
  expect(behind.effects.some(({ type }) => type === "deliver")).toBe(false);
  expect(play(["escape"], behind.model).effects).toMatchObject([{ type: "deliver" }]);
});

test("[TUI-LOST-1] a lost connection is shown, and the list is read anew when it is back", () => {
  const lost = play([page([]), { type: "live", live: false }]);
  expect(text(lost.model)).toContain("connection lost, trying again");
  expect(play([{ type: "live", live: true }], lost.model).effects).toMatchObject([{ type: "load", cursor: null }]);
});

test("[TUI-SIZE-1] every frame has exactly its rows, none wider than the window", () => {
  const tickets = Array.from({ length: 9 }, (_, seq) =>
    makeTicket(`A summary that is rather long, 日本語 and all ${seq} ${"x".repeat(120)}`, { ...DELIVERED, seq }),
  );
  const views = [
    [],
    ["r"],
    ["s"],
    ["/"],
    ["?"],
    [opened(makeTicket("o", DELIVERED))],
    [opened(makeTicket("o", { ...DELIVERED, ask: { type: "text" } })), ...READ, "a"],
  ];
  for (const [columns, rows] of [
    [80, 24],
    [132, 40],
    [40, 10],
    [20, 4],
  ] as const)
    for (const messages of views) {
      const { model } = play([{ type: "resize", columns, rows }, page(tickets), ...(messages as Message[])]);
      const shown = frame(model).rows;
      expect(shown).toHaveLength(rows);
      for (const row of shown)
        expect([...row].reduce((sum, char) => sum + (/[\u3000-\u9fff]/.test(char) ? 2 : 1), 0)).toBeLessThanOrEqual(columns);
    }
});

test("[TUI-PREVIEW-1] from 110 columns on, the ticket under the cursor is beside the list, and is not read by that", () => {
  const wide: Message = { type: "resize", columns: 120, rows: 30 };
  const tickets = [makeTicket("First", { ...DELIVERED, seq: 1 }), makeTicket("Second", { ...DELIVERED, seq: 2 })];
  const { model } = play([wide, page(tickets)]);
  expect(text(model)).toMatch(/> First.*│ .*Risk factors/s);
  expect(text(play([{ type: "resize", columns: 109, rows: 30 }, page(tickets)]).model)).not.toContain("Risk factors");
  expect(play(["a"], model).effects).toMatchObject([{ type: "open", thenApprove: true }]);
});
