// Lists and feeds (D12): a page at a time, by cursors that notice when they belong to another history.
import { copyFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { encodeCursor } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine, TicketPage } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
});
afterEach(() => store.remove());

const ids = (page: TicketPage | { id: string }[]) => ("tickets" in page ? page.tickets : page).map((ticket) => ticket.id);

/** Every page until there is no next one. */
function pages(read: (cursor: string | undefined) => TicketPage): string[][] {
  const found: string[][] = [];
  for (let cursor: string | undefined, next: string | null = ""; next !== null; cursor = next ?? undefined) {
    const page = read(cursor);
    found.push(ids(page));
    next = page.next;
  }
  return found;
}

describe("a search", () => {
  const open = (summary: string, more: Record<string, unknown> = {}) =>
    engine.createTicket({ to: "human:alex", summary, ...more });

  it("[LIST-TEXT-1] finds words and risks among all other filters, page by page", () => {
    const [first] = [open("Clean the cache"), open("Build")];
    const risky = open("Clean up", {
      kind: "run_command",
      details: { command: "sudo rm -rf /var/CACHE" },
      environment: "production",
    });
    const found = (query: Parameters<typeof engine.list>[0]) => ids(engine.list(query));
    expect(found({ text: "cache" })).toEqual([risky.id, first.id]);
    expect(pages((cursor) => engine.list({ text: "CLEAN cache", limit: 1, cursor }))).toEqual([[risky.id], [first.id]]);
    expect(found({ text: "cache", kind: "run_command" })).toEqual([risky.id]);
    expect(found({ risk_min: risky.risk })).toEqual([risky.id]);
    expect(found({ text: "clean", risk_below: risky.risk })).toEqual([first.id]);
    expect(found({ text: "nowhere" })).toEqual([]);
    expect(refusal(() => engine.list({ risk_min: 1.5 }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("0 to 1"),
    });
    expect(refusal(() => engine.list({ text: "x".repeat(501) }))).toMatchObject({ code: "invalid_input" });
  });

  it("[LIST-TEXT-1] looks at a bounded part of the store at a time, and goes on by its cursor", async () => {
    const wanted = open("the one").id;
    // Asked for in one turn, they share a transaction.
    const others = Array.from({ length: 2_100 }, (_, at) => engine.later(() => open("another", { from: `agent:a${at % 300}` })));
    await Promise.all(others);
    const page = engine.list({ text: "the one" });
    expect(page.tickets).toEqual([]);
    expect(ids(engine.list({ text: "the one", cursor: page.next as string }))).toEqual([wanted]);
  });
});

describe("a list", () => {
  it("[TICKET-LIST-1] goes newest first, page by page, without gap or repetition", () => {
    const made = Array.from({ length: 7 }, () => engine.createTicket({ to: "human:alex" }).id).reverse();
    const seen = pages((cursor) => engine.list({ limit: 3, cursor }));
    expect(seen).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    expect(engine.list({ limit: 7 }).next).toBeNull();
  });

  it("[TICKET-LIST-1] keeps its place while tickets come and end", () => {
    const made = Array.from({ length: 4 }, () => engine.createTicket({ to: "human:alex" }).id).reverse();
    const first = engine.list({ limit: 2 });
    engine.createTicket({ to: "human:alex" });
    engine.approve(made[2] as string);
    expect(ids(engine.list({ limit: 2, cursor: first.next as string }))).toEqual(made.slice(2));
  });

  it("[TICKET-LIST-1] is narrowed by state, person, agent, kind, project, session, tier and age", () => {
    const one = engine.createTicket({ from: "agent:a", to: "human:alex", kind: "deploy", project: "/srv/a", session: "s1" }).id;
    world.advance(60_000);
    const two = engine.createTicket({ from: "agent:b", to: "human:sam", file: "a.ts", confidence: 1, environment: "dev" }).id;
    engine.approve(two);
    const one_minute = "2026-01-31T10:01:00Z";
    const cases: [Parameters<HapEngine["list"]>[0], string[]][] = [
      [{}, [two, one]],
      [{ state: "open" }, [one]],
      [{ state: "PENDING" }, [one]],
      [{ state: ["APPROVED", "REJECTED"] }, [two]],
      [{ state: ["APPROVED", "PENDING"] }, [two, one]],
      [{ to: "human:alex" }, [one]],
      [{ to: "sam" }, [two]],
      [{ to: "human:nobody" }, []],
      [{ from: "agent:a" }, [one]],
      [{ from: "b" }, [two]],
      [{ kind: "deploy" }, [one]],
      [{ project: "/srv/a" }, [one]],
      [{ project: "/srv/none" }, []],
      [{ session: "s1" }, [one]],
      [{ tier: "routine" }, [two]],
      [{ created_after: one_minute }, [two]],
      [{ created_before: "2026-01-31T10:00:59Z" }, [one]],
      [{ created_after: "2026-01-31T12:01:00+02:00" }, [two]],
      [{ created_after: "2026-01-31" }, [two, one]],
      [{ from: "agent:a", state: "APPROVED" }, []],
    ];
    for (const [query, expected] of cases) expect(ids(engine.list(query)), JSON.stringify(query)).toEqual(expected);
    expect(ids(engine.listPending("human:alex"))).toEqual([one]);
    expect(ids(engine.listAll({ kind: "deploy" }))).toEqual([one]);
  });

  it.each([
    ["state", { state: "OPEN" as never }],
    ["state", { state: [] }],
    ["limit", { limit: 0 }],
    ["limit", { limit: 1001 }],
    ["limit", { limit: 1.5 }],
    ["created_after", { created_after: "yesterday" }],
    ["created_before", { created_before: "2026-13-01" }],
    ["to", { to: "agent:x" }],
    ["from", { from: "human:alex" }],
  ] as const)("[INPUT-ERROR-1, TICKET-LIST-1] says what %s may be", (field, query) => {
    expect(refusal(() => engine.list(query))).toMatchObject({ kind: "invalid", fields: { field } });
  });
});

describe("an inbox", () => {
  it("[TICKET-LIST-1] goes by priority and then by age, page by page", () => {
    const made: Record<string, string[]> = {};
    for (const priority of ["low", "normal", "critical", "high", "normal", "critical"] as const)
      made[priority] = [...(made[priority] ?? []), engine.createTicket({ to: "human:alex", priority }).id];
    engine.createTicket({ to: "human:sam", priority: "critical" });
    const expected = ["critical", "high", "normal", "low"].flatMap((priority) => made[priority] ?? []);
    expect(ids(engine.inbox("human:alex"))).toEqual(expected);
    expect(pages((cursor) => engine.inbox("alex", { limit: 4, cursor }))).toEqual([expected.slice(0, 4), expected.slice(4)]);
    expect(engine.inbox("human:nobody")).toEqual({ tickets: [], next: null });
  });

  it("[TICKET-LIST-1] goes on after its cursor though that ticket ended, and applies what is due first", () => {
    const made = Array.from(
      { length: 4 },
      (_, at) => engine.createTicket({ to: "human:alex", ttl_seconds: at === 3 ? 60 : 600 }).id,
    );
    const { next } = engine.inbox("human:alex", { limit: 2 });
    engine.reject(made[1] as string);
    world.advance(60_000);
    expect(ids(engine.inbox("human:alex", { cursor: next as string }))).toEqual([made[2]]);
  });

  it("[CURSOR-FORK-1] does not take a cursor of the event feed for one of its own", () => {
    engine.deliver(engine.createTicket({ to: "human:alex" }).id);
    const { cursor } = engine.getEvents().at(-1) as { cursor: string };
    expect(refusal(() => engine.inbox("human:alex", { cursor })).code).toBe("invalid_cursor");
  });
});

describe("the event feed", () => {
  it("[CURSOR-READ-1, ID-ORDER-1] gives every event after a cursor or an event id once, in order", () => {
    for (let count = 0; count < 5; count++) engine.approve(engine.createTicket({ to: "human:alex" }).id);
    const all = engine.getEvents();
    expect(all.map((event) => event.seq)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    const paged: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = engine.getEvents({ limit: 4, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      paged.push(...page.map((event) => event.seq));
      after = page.at(-1)?.cursor;
    }
    expect(paged).toEqual(all.map((event) => event.seq));
    expect(engine.getEvents(all[9]?.id).map((event) => event.seq)).toEqual(paged.slice(10));
    expect(engine.getEvents(engine.cursor() as string)).toEqual([]);
  });

  it("[CURSOR-READ-1] of one ticket has its events and no others", () => {
    const [one, two] = [engine.createTicket({ to: "human:alex" }).id, engine.createTicket({ to: "human:alex" }).id];
    engine.approve(two);
    engine.approve(one);
    const history = engine.getEvents({ ticket: one });
    expect(history.map((event) => event.type)).toEqual(["ticket.create", "ticket.state_change", "intent.sign", "ticket.resolve"]);
    expect(engine.getEvents({ ticket: one, after: history[1]?.cursor as string, limit: 1 })).toEqual([history[2]]);
    expect(refusal(() => engine.getEvents({ ticket: "tk_nosuchticketanywhere" })).code).toBe("ticket_not_found");
  });

  it("[CURSOR-FORK-1] refuses a cursor of a history that was replaced by an older copy", () => {
    engine.createTicket({ to: "human:alex", summary: "before" });
    engine.dispose();
    const copy = `${store.path}.backup`;
    const raw = new DatabaseSync(store.path);
    raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    raw.close();
    copyFileSync(store.path, copy);

    engine = store.open({ world });
    const known = engine.cursor() as string;
    engine.createTicket({ to: "human:alex", summary: "lost" });
    const lost = engine.getEvents().at(-1) as { cursor: string; id: string };
    engine.dispose();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${store.path}${end}`, { force: true });
    copyFileSync(copy, store.path);

    engine = store.open({ world });
    expect(refusal(() => engine.getEvents(lost.cursor)).code).toBe("cursor_forked");
    engine.createTicket({ to: "human:alex", summary: "another history" });
    for (const after of [lost.cursor, lost.id]) {
      const error = refusal(() => engine.getEvents(after));
      expect(error.code).toBe("cursor_forked");
      expect(error.message).toContain("Start again without it");
    }
    expect(refusal(() => engine.list({ cursor: lost.cursor })).code).toBe("cursor_forked");
    expect(engine.getEvents(known)).toHaveLength(1);
  });

  it("[CURSOR-FORK-1] refuses what HAP did not make, and another space", () => {
    const { hash } = engine.getEvents(engine.createTicket({ to: "human:alex" }).cursor)[0] ?? { hash: "0".repeat(64) };
    for (const after of ["", "1", "cur_", "cur_!!!", "cur_ZGVmYXVsdC8x"])
      expect(
        refusal(() => engine.getEvents({ after })),
        after,
      ).toMatchObject({ code: "invalid_cursor", fields: { field: "cursor" } });
    const elsewhere = encodeCursor({ space: "other", seq: 1, mark: hash.slice(0, 16) });
    expect(refusal(() => engine.getEvents(elsewhere)).code).toBe("cursor_forked");
    expect(refusal(() => engine.getEvents({ limit: 0 })).fields).toMatchObject({ field: "limit" });
  });

  it("[WAKE-FEED-1] goes on from a cursor or from the first event, and ends with its signal or its engine", async () => {
    const { cursor } = engine.createTicket({ to: "human:alex" });
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const events of engine.follow({ after: cursor, signal: stop.signal })) {
        seen.push(...events.map((event) => event.type));
        if (seen.length >= 4) stop.abort();
      }
    })();
    engine.ack(engine.createTicket({ to: "human:alex" }).id);
    store.open({ world }).createTicket({ to: "human:alex" });
    await following;
    expect(seen).toEqual(["ticket.create", "ticket.state_change", "ticket.ack", "ticket.create"]);
    const rest: number[] = [];
    const ended = (async () => {
      for await (const events of engine.follow()) {
        rest.push(...events.map((event) => event.seq));
        setImmediate(() => engine.dispose());
      }
    })();
    await ended;
    expect(rest).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("waiting", () => {
  it("[ENGINE-WAIT-1] ends at its timeout with the ticket as it is, and with its signal's reason", async () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    expect((await engine.waitFor(id, { timeout: 1 })).state).toBe("PENDING");
    const stop = new AbortController();
    const waiting = engine.waitFor(id, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(engine.waitFor(id, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
    await expect(engine.waitFor("tk_nosuchticketanywhere")).rejects.toMatchObject({ code: "ticket_not_found" });
  });

  it("[ENGINE-WAIT-1] ends when the ticket does, at once if it has, and for everybody who waits", async () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    const waiting = [engine.waitFor(id), engine.waitFor(id, { timeout: 60_000 }), store.open({ world }).waitFor(id)];
    engine.reject(id, "no");
    for (const ticket of await Promise.all(waiting))
      expect(ticket).toMatchObject({ state: "REJECTED", resolution: { comment: "no" } });
    expect((await engine.waitFor(id)).state).toBe("REJECTED");
  });

  it("[ENGINE-WAIT-1, LEASE-DUE-1] ends with a lease that runs out while nobody else is there", async () => {
    engine = store.open();
    const { id } = engine.createTicket({ to: "human:alex", ttl_seconds: 1 });
    expect((await engine.waitFor(id, { timeout: 10_000 })).state).toBe("EXPIRED");
  });

  it("[ENGINE-WAIT-1] is told when its engine is disposed, and a timeout beyond every timer waits", async () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    const waiting = [engine.waitFor(id, { timeout: 2 ** 40 }), engine.waitFor(id)];
    const settled = Promise.allSettled(waiting);
    await new Promise((resolve) => setTimeout(resolve, 20));
    engine.dispose();
    for (const outcome of await settled)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "store_unusable" } });
    expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("store_unusable");
  });

  it("[ENGINE-WAIT-1] of a shared transaction reports each call's own error, and keeps the others", async () => {
    const { id } = engine.createTicket({ to: "human:alex" });
    const outcomes = await Promise.allSettled([
      engine.later(() => engine.approve(id, undefined, { by: "human:alex" })),
      engine.later(() => engine.reject(id, undefined, { by: "human:alex" })),
      engine.later(() => engine.createTicket({ to: "human:sam" }).state),
    ]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: { state: "APPROVED" } },
      { status: "rejected", reason: { code: "already_decided", fields: { actor: { id: "human:alex" } } } },
      { status: "fulfilled", value: "PENDING" },
    ]);
    expect(engine.getEvents({ ticket: id }).at(-1)?.type).toBe("intent.invalid");
  });

  it("[ENGINE-WAIT-1] of a shared transaction leaves nobody without an answer when a call breaks it", async () => {
    const broken = () => {
      throw new TypeError("a bug");
    };
    const outcomes = await Promise.allSettled([
      engine.later(() => engine.createTicket({ to: "human:alex" })),
      engine.later(broken),
      engine.later(() => engine.createTicket({ to: "human:alex" })),
    ]);
    expect(outcomes[1]).toMatchObject({ status: "rejected", reason: { message: "a bug" } });
    expect(engine.listAll()).toHaveLength(outcomes.filter((outcome) => outcome.status === "fulfilled").length);
  });
});
