// What a connection remembers must never hide what another one has written; and what clients share must not outlive them.
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { SqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { raw } from "./raw-store.ts";
import { refusal } from "./refusal.ts";
import { testStore } from "./test-world.ts";
import { typedYes } from "./typed-yes.ts";

let store: ReturnType<typeof testStore>;
beforeEach(() => {
  store = testStore();
});
afterEach(() => store.remove());

describe("two connections to one file", () => {
  let here: HapEngine;
  let there: HapEngine;
  beforeEach(() => {
    here = store.open({ humanId: "human:alex" });
    there = store.open({ humanId: "human:alex" });
  });

  it("[STORE-MIRROR-1] see each other's changes at once: states, texts, names, counts and the head", () => {
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here];
      const { id } = writer.createTicket({ to: `human:p${round}`, summary: `Round ${round}` });
      expect(reader.getTicket(id)).toMatchObject({
        state: "PENDING",
        to: `human:p${round}`,
        intent: { summary: `Round ${round}` },
      });
      const acked = reader.ack(id, "looking", { by: `human:p${round}` });
      expect(writer.getTicket(id)).toEqual(acked);
      writer.approve(id, `yes ${round}`, { by: `human:p${round}` });
      expect(reader.getTicket(id).resolution?.comment).toBe(`yes ${round}`);
      expect(reader.head()).toEqual(writer.head());
      expect(refusal(() => reader.reject(id, undefined, { by: `human:p${round}` })).code).toBe("already_decided");
    }
    expect(here.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[STORE-MIRROR-1, CONTENT-ERASE-1] show a text that another one erased as erased", () => {
    const { id } = here.createTicket({ to: "human:alex", summary: "A secret" });
    expect(there.getTicket(id).intent.summary).toBe("A secret");
    here.erase({ ticket: id, by: "human:alex" });
    expect([there, here].map((engine) => engine.getTicket(id).intent.summary)).not.toContain("A secret");
  });

  it("[STORE-MIRROR-1, VERIFY-READONLY-1] write nothing once another one has found a violation", () => {
    here.createTicket({ to: "human:alex" });
    there.createTicket({ to: "human:alex" });
    raw(store.path, (database) => database.exec("INSERT INTO config VALUES ('violation', 'Somebody was here.')"));
    for (const engine of [here, there])
      expect(refusal(() => engine.createTicket({ to: "human:alex" })).code).toBe("integrity_violation");
  });

  it("[STORE-MIRROR-1, KEY-LIFE-1] refuse a key, and end a sign-in, that another one has just ended", () => {
    const { key, id } = here.createKey({ agent: "agent:ci", scopes: ["create"] }, "human:alex");
    const { secret } = here.signIn("human:alex", "token", "code");
    for (const engine of [here, there]) {
      expect(engine.checkKey(key).agent).toBe("agent:ci");
      expect(engine.signedIn(secret)?.person).toBe("human:alex");
    }
    here.revokeKey(id, "human:alex");
    here.signOut({ secret });
    for (const engine of [there, here]) {
      expect(refusal(() => engine.checkKey(key)).code).toBe("key_invalid");
      expect(engine.signedIn(secret)).toBeNull();
    }
  });

  it("[STORE-MIRROR-1] believe the file, not what they remember, in a command that begins inside a look", () => {
    const file = new SqliteStore({ path: store.path });
    const { id } = here.createTicket({ to: "human:alex" });
    const states = file.glance(() => {
      const first = file.ticketById(id)?.state;
      there.cancel(id);
      return [first, file.write((tx) => tx.ticketById(id)?.state)];
    });
    file.close();
    expect(states).toEqual(["PENDING", "CANCELED"]);
  });
});

describe("a ticket that was given out", () => {
  it("[STORE-MIRROR-1] is the caller's own: what is done to it reaches nobody else", () => {
    const engine = store.open();
    const { id } = engine.createTicket({ to: "human:alex", kind: "run_command", details: { command: "sudo reboot", list: [1] } });
    const given = engine.getTicket(id);
    const before = structuredClone(given);
    const spoil = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const part of Object.values(value)) spoil(part);
      for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = "spoilt";
    };
    spoil(given);
    expect(engine.getTicket(id)).toEqual(before);
    spoil(engine.approve(id, "go on", typedYes(engine, id)));
    expect(engine.getTicket(id)).toMatchObject({ state: "APPROVED", effects: before.effects, resolution: { comment: "go on" } });
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });
});

describe("engines that share a store", () => {
  const shared = (humanId: string) => store.open({ shared: true, humanId });

  it("[STORE-SHARED-1] commit together what they are asked for in one turn, each in its own name", async () => {
    const [alex, sam] = [shared("human:alex"), shared("human:sam")];
    const [mine, theirs] = await Promise.all([
      alex.later(() => alex.createTicket({})),
      sam.later(() => sam.createTicket({})),
      alex.later(() => alex.createTicket({ summary: "" })).catch(() => null),
    ]);
    expect([mine.to, theirs.to]).toEqual(["human:alex", "human:sam"]);
    expect(alex.approve(mine.id).resolution?.actor.id).toBe("human:alex");
    expect(refusal(() => sam.approve(theirs.id, undefined, { by: "human:alex" })).code).toBe("not_addressee");
    expect(sam.verifyEventLog()).toMatchObject({ ok: true });
  });

  it("[STORE-SHARED-1] end apart: one that is disposed works no more, and tells those who wait; the other goes on", async () => {
    const [alex, sam] = [shared("human:alex"), shared("human:sam")];
    const { id } = alex.createTicket({});
    const gone = alex.waitFor(id).catch((error) => error.code);
    const stays = sam.waitFor(id);
    alex.dispose();
    expect(await gone).toBe("store_unusable");
    for (const call of [() => alex.getTicket(id), () => alex.createTicket({}), () => alex.list()])
      expect(refusal(call).code).toBe("store_unusable");
    await expect(alex.waitFor(id)).rejects.toMatchObject({ code: "store_unusable" });
    sam.approve(id, undefined, { by: "human:alex" });
    expect(await stays).toMatchObject({ state: "APPROVED" });
    sam.dispose();
    expect(refusal(() => sam.getTicket(id)).code).toBe("store_unusable");
    expect(shared("human:kim").getTicket(id).state).toBe("APPROVED");
  });

  it("[STORE-SHARED-1] open another store when the file of the first was replaced", () => {
    const { id } = shared("human:alex").createTicket({});
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${store.path}${suffix}`);
    expect(refusal(() => shared("human:alex").getTicket(id)).code).toBe("ticket_not_found");
  });
});
