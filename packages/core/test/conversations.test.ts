// Conversations (D26): who joined, which question is found again, which words wait, and that the log tells it all.
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HapEngine } from "../src/index.ts";
import { refusal } from "./refusal.ts";
import { type TestWorld, testStore, testWorld } from "./test-world.ts";

const HOUR = 3_600_000;
let store: ReturnType<typeof testStore>;
let world: TestWorld;
let engine: HapEngine;
let agent: string;

beforeEach(() => {
  store = testStore();
  world = testWorld();
  engine = store.open({ world });
  agent = engine.joinAgent({ agent_runtime: " Claude-Code ", project_dir: "/srv/app", agent_terminal: "zsh" }).agent;
});
afterEach(() => {
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  store.remove();
});

const question = (prompt: string, more = {}) => ({
  from: agent,
  to: "human:alex",
  kind: "cue",
  summary: prompt,
  ask: { type: "text", prompt },
  lease: { ttl_seconds: 86_400, on_timeout: "cancel" },
  ...more,
});

describe("an agent", () => {
  it("[CUEME-PRINT-1] joins under a name that can be said aloud, with a runtime in its plain form", () => {
    const card = engine.getAgent(agent);
    expect(card).toMatchObject({
      agent_runtime: "claude_code",
      project_dir: "/srv/app",
      agent_terminal: "zsh",
      waiting: 0,
      queued: 0,
    });
    expect(agent).toMatch(/^agent:[a-z]{8,12}$/);
    for (const wrong of ["", "  ", "a/b", "é", "x".repeat(65)])
      expect(refusal(() => engine.joinAgent({ agent_runtime: wrong })).code).toBe("invalid_input");
  });

  it("[CUEME-USAGE-1] that never joined is told to", () => {
    const error = refusal(() => engine.seenAgent("agent:nobody"));
    expect(error.code).toBe("agent_unknown");
    expect(error.message).toContain("cueme join");
    for (const act of [
      () => engine.leaveAgent("agent:nobody", "gone"),
      () => engine.queueMessage("agent:nobody", { text: "x" }, "alex"),
    ])
      expect(refusal(act).code).toBe("agent_unknown");
  });

  it("[CUEME-LOG-1] leaves signs of life at most once a minute, and no text in the log", () => {
    engine.seenAgent(agent);
    world.advance(59_000);
    engine.seenAgent(agent);
    world.advance(1000);
    expect(engine.seenAgent(agent).seen_at).toBe("2026-01-31T10:01:00.000Z");
    const types = engine.getEvents().map(({ type }) => type);
    expect(types).toEqual(["log.genesis", "directory.add", "agent.join", "agent.seen"]);
    expect(JSON.stringify(engine.getEvents())).not.toMatch(/zsh|srv/);
    expect(JSON.stringify(engine.getResolvedEvents())).toMatch(/zsh.*|\/srv\/app/);
    expect(engine.getEvents({ agent }).map(({ type }) => type)).toEqual(["agent.join", "agent.seen"]);
  });

  it("[QUESTION-EXIT-1] that leaves withdraws what it asked, with the reason, and comes back with a sign of life", () => {
    const { id } = engine.cue(question("Which region?"));
    engine.leaveAgent(agent, "The agent exited with code 3.");
    expect(engine.getTicket(id)).toMatchObject({
      state: "CANCELED",
      resolution: { actor: { kind: "agent", id: agent }, comment: "The agent exited with code 3." },
    });
    expect(engine.getAgent(agent).left_at).not.toBeNull();
    expect(engine.listAgents({ present: true })).toEqual([]);
    expect(engine.seenAgent(agent).left_at).toBeNull();
  });
});

describe("the same question of the same agent", () => {
  it("[CUEME-ATTACH-1] is one ticket while it is open, and until its answer was heard", () => {
    const first = engine.cue(question("Go on?"));
    expect(engine.cue(question("Go on?")).id).toBe(first.id);
    engine.answer(first.id, "yes, but slowly");
    world.advance(23 * HOUR);
    expect(engine.cue(question("Go on?"))).toMatchObject({ id: first.id, state: "ANSWERED" });
    engine.heard(first.id, agent);
    const second = engine.cue(question("Go on?"));
    expect(second.id).not.toBe(first.id);
    expect(second.state).toBe("PENDING");
  });

  it("[CUEME-ATTACH-1] is a new ticket when it is asked otherwise, by another, or a day later", () => {
    const { id } = engine.cue(question("Go on?"));
    const other = engine.joinAgent({ agent_runtime: "codex", project_dir: "/srv/app" }).agent;
    const different = [
      question("Go on? "),
      question("Go on?", { kind: "pause" }),
      question("Go on?", { from: other }),
      question("Go on?", { ask: { type: "confirm", prompt: "Go on?" } }),
    ];
    for (const input of different) expect(engine.cue(input).id).not.toBe(id);
    engine.answer(id, "yes");
    world.advance(24 * HOUR + 1);
    expect(engine.cue(question("Go on?")).id).not.toBe(id);
  });

  it("[CUEME-ATTACH-1] hears a refusal too, but takes nothing from a timer", () => {
    const { id } = engine.cue(question("Delete it?"));
    engine.reject(id, "Never.");
    expect(engine.cue(question("Delete it?"))).toMatchObject({ id, state: "REJECTED" });
    const short = engine.cue(question("Still there?", { lease: { ttl_seconds: 60, on_timeout: "cancel" } }));
    world.advance(61_000);
    expect(engine.cue(question("Still there?", { lease: { ttl_seconds: 60, on_timeout: "cancel" } })).id).not.toBe(short.id);
  });
});

describe("words that wait", () => {
  it("[CUEME-QUEUE-1] are told in order, and once", () => {
    const [first, second] = ["Then run the tests", "And commit"].map(
      (text) => engine.queueMessage(agent, { text }, "human:alex").id,
    );
    expect(engine.getAgent(agent).queued).toBe(2);
    const { id } = engine.cue(question("Done. What next?"));
    expect(engine.queuedMessages(agent).map(({ text, from }) => `${from}: ${text}`)).toEqual([
      "human:alex: Then run the tests",
      "human:alex: And commit",
    ]);
    const ids = [first as string, second as string];
    expect(engine.takeMessages(agent, ids, id)).toMatchObject({ state: "CANCELED", heard_at: expect.any(String) });
    expect(engine.takeMessages(agent, ids, id)).toMatchObject({ state: "CANCELED" });
    expect(engine.queuedMessages(agent)).toEqual([]);
    expect(engine.getEvents().filter(({ type }) => type === "message.take")).toHaveLength(1);
    expect(engine.conversation(agent).messages.map(({ taken_by }) => taken_by)).toEqual([id, id]);
  });

  it("[CUEME-QUEUE-1] do not end a question that was answered meanwhile, nor another agent's", () => {
    const { id } = engine.cue(question("Done. What next?"));
    const message = engine.queueMessage(agent, { text: "Wait" }, "human:alex");
    engine.answer(id, "Go on");
    expect(engine.takeMessages(agent, [message.id], id)).toMatchObject({ state: "ANSWERED", heard_at: null });
    const other = engine.joinAgent({ agent_runtime: "codex" }).agent;
    const open = engine.cue(question("Next?"));
    const kept = engine.queueMessage(agent, { text: "Mine" }, "human:alex");
    expect(engine.takeMessages(other, [kept.id], null)).toBeNull();
    expect(engine.queuedMessages(agent)).toHaveLength(1);
    expect(engine.getTicket(open.id).state).toBe("PENDING");
  });

  it("[CUEME-FILE-1] carry files, byte for byte, within their limits", () => {
    const data = Uint8Array.from({ length: 1_500_000 }, (_, at) => (at * 31) % 256);
    const sent = engine.queueMessage(agent, { attachments: [{ name: "shot.png", media_type: "image/png", data }] }, "human:alex");
    expect(sent).toMatchObject({ text: null, attachments: [{ name: "shot.png", media_type: "image/png", size: 1_500_000 }] });
    expect(Buffer.from(engine.attachment(sent.id, 0)).equals(Buffer.from(data))).toBe(true);
    const file = { name: "x", data: new Uint8Array(1) };
    expect(refusal(() => engine.queueMessage(agent, {}, "human:alex")).code).toBe("invalid_input");
    for (const attachments of [Array(9).fill(file), [{ name: "x", data: new Uint8Array(8_000_001) }]])
      expect(refusal(() => engine.queueMessage(agent, { attachments }, "human:alex")).code).toBe("too_large");
  });

  it("[CUEME-ERASE-1] can be erased with their files, and so can what an agent said of itself", () => {
    const sent = engine.queueMessage(
      agent,
      { text: "the key is hunter2", attachments: [{ name: "k", data: Buffer.from("hunter2") }] },
      "alex",
    );
    expect(refusal(() => engine.eraseConversation({ message: sent.id }, "human:sam")).code).toBe("not_addressee");
    expect(engine.eraseConversation({ message: sent.id }, "human:alex", "leaked")).toHaveLength(3);
    expect(engine.conversation(agent).messages).toMatchObject([{ text: null, attachments: [] }]);
    expect(refusal(() => engine.attachment(sent.id, 0)).code).toBe("content_erased");
    expect(refusal(() => engine.eraseConversation({ message: sent.id }, "human:alex")).code).toBe("content_erased");
    engine.eraseConversation({ agent }, "human:alex");
    expect(engine.getAgent(agent).agent_terminal).toBeNull();
  });
});

describe("a queue that its person changes", () => {
  const queue = (text: string, by = "human:alex") => engine.queueMessage(agent, { text }, by).id;
  const texts = () => engine.queuedMessages(agent).map(({ text }) => text);

  it("[CUEME-WITHDRAW-1] withdrawn words are told to nobody, and cannot be taken any more", () => {
    const { id } = engine.cue(question("What next?"));
    const [first, second] = [queue("Delete it"), queue("Keep it")];
    expect(engine.changeQueue(agent, { withdraw: first }, "human:alex").map(({ text }) => text)).toEqual(["Keep it"]);
    engine.takeMessages(agent, [first], null);
    expect(engine.conversation(agent).messages.find((message) => message.id === first)).toMatchObject({
      taken_at: null,
      withdrawn_at: expect.any(String),
    });
    expect(refusal(() => engine.changeQueue(agent, { withdraw: first }, "human:alex")).code).toBe("message_told");
    expect(refusal(() => engine.changeQueue(agent, { withdraw: second }, "human:sam")).code).toBe("not_addressee");
    expect(refusal(() => engine.changeQueue(agent, { withdraw: "msg_none" }, "human:alex")).code).toBe("message_unknown");
    expect(engine.getAgent(agent)).toMatchObject({ queued: 1, waiting: 1 });
    expect(engine.getTicket(id).state).toBe("PENDING");
  });

  it("[CUEME-WITHDRAW-1] erased words never answer with silence", () => {
    const secret = queue("the key is hunter2");
    engine.eraseConversation({ message: secret }, "human:alex");
    expect(engine.queuedMessages(agent)).toEqual([]);
    expect(engine.getAgent(agent).queued).toBe(0);
  });

  it("[CUEME-ARRANGE-1] is edited and reordered in place, each person's own words only", () => {
    const one = queue("one");
    const sams = queue("sam's", "human:sam");
    const two = queue("two");
    const three = queue("three");
    engine.changeQueue(agent, { order: [three, one, two] }, "human:alex");
    expect(texts()).toEqual(["three", "sam's", "one", "two"]);
    engine.changeQueue(agent, { edit: one, text: "ONE" }, "human:alex");
    expect(texts()).toEqual(["three", "sam's", "ONE", "two"]);
    expect(refusal(() => engine.changeQueue(agent, { order: [sams] }, "human:alex")).code).toBe("not_addressee");
    expect(refusal(() => engine.changeQueue(agent, { order: [two, two] }, "human:alex")).code).toBe("invalid_input");
    expect(refusal(() => engine.changeQueue(agent, { edit: two, text: " " }, "human:alex")).code).toBe("invalid_input");
  });
});

describe("the question that is listened to", () => {
  it("[CUEME-LISTEN-1] is one an agent, is shown, and takes over those that nothing listens to any more", () => {
    const first = engine.cue(question("Which part next?"));
    expect(engine.getAgent(agent).listening).toBe(first.id);
    const second = engine.cue(question("Which part should I do next?"));
    expect(engine.getTicket(first.id).state).toBe("PENDING");
    world.advance(20_000);
    engine.listen(second.id, agent, true);
    world.advance(20_000);
    engine.listen(second.id, agent, true);
    expect(engine.getTicket(first.id)).toMatchObject({
      state: "CANCELED",
      resolution: { actor: { kind: "agent" }, comment: expect.stringContaining(second.id) },
    });
    expect(engine.getAgent(agent)).toMatchObject({ listening: second.id, waiting: 1 });
    engine.listen(second.id, agent, false);
    expect(engine.getAgent(agent).listening).toBeNull();
    const third = engine.cue(question("And now?"));
    expect(engine.getTicket(second.id).state).toBe("CANCELED");
    engine.answer(third.id, "rest");
    expect(engine.getAgent(agent).listening).toBeNull();
  });

  it("[CUEME-LISTEN-1] leaves other agents' questions alone, and those with ids of their own", () => {
    const other = engine.joinAgent({ agent_runtime: "codex" }).agent;
    const theirs = engine.cue(question("Mine?", { from: other }));
    const bridged = engine.createTicket({ ...question("q1"), kind: "question" });
    world.advance(60_000);
    engine.cue(question("Next?"));
    expect([theirs.id, bridged.id].map((id) => engine.getTicket(id).state)).toEqual(["PENDING", "PENDING"]);
  });

  it("[CUEME-UNHEARD-1] comes with the answers to earlier questions that nobody heard", () => {
    const first = engine.cue(question("Which part next?"));
    engine.answer(first.id, "the printer");
    engine.cue(question("What shall I do?"));
    expect(engine.unheard(agent).map(({ id }) => id)).toEqual([first.id]);
    engine.heard(first.id, agent);
    expect(engine.unheard(agent)).toEqual([]);
  });
});

describe("a label", () => {
  it("[CUEME-LABEL-1] and a group are people's words for an agent: changed, taken away, erased", () => {
    expect(engine.labelAgent(agent, { name: "Parser", group: "compiler" }, "human:alex")).toMatchObject({
      name: "Parser",
      group: "compiler",
    });
    expect(JSON.stringify(engine.getEvents())).not.toContain("Parser");
    engine.eraseConversation({ agent }, "human:alex");
    expect(engine.getAgent(agent)).toMatchObject({ name: null, group: null, agent_terminal: null });
    expect(engine.labelAgent(agent, { name: null, group: "g" }, "human:sam")).toMatchObject({ name: null, group: "g" });
  });
});

describe("recall", () => {
  it("[CUEME-RECALL-1] finds an agent by what it asked, where it runs and what it is, in any script", () => {
    const join = (agent_runtime: string, project_dir: string) => engine.joinAgent({ agent_runtime, project_dir }).agent;
    const cursor = join("cursor", "/home/li/支付网关");
    const codex = join("codex", "/srv/billing");
    engine.cue(question("Migrated the users table, continue?", { from: codex }));
    engine.cue(question("数据库迁移已经完成，要继续部署吗？", { from: cursor }));
    engine.cue(question("Refactored the parser"));
    const best = (hints: string) => engine.recallAgents(hints)[0]?.agent;
    expect(best("users table migration")).toBe(codex);
    expect(best("billing")).toBe(codex);
    expect(best("the PARSER")).toBe(agent);
    expect(best("数据库迁移")).toBe(cursor);
    expect(best("支付")).toBe(cursor);
    expect(best("cursor")).toBe(cursor);
    expect(best(codex.slice(6))).toBe(codex);
    expect(engine.recallAgents("Qwertz 不存在的")).toEqual([]);
  });
});

describe("verification", () => {
  it.each([
    [
      "an agent that the log does not know",
      "INSERT INTO agents SELECT 'agent:forged', seq, agent_runtime, project, terminal, label, joined_at, seen_at, left_at, 0, NULL, NULL FROM agents",
    ],
    ["an agent that changed", "UPDATE agents SET agent_runtime='other'"],
    ["words put into a person's mouth", "UPDATE messages SET agent='agent:other'"],
    ["words that were never told", "UPDATE messages SET taken_at='2026-01-31T10:00:00.000Z'"],
    ["words that are gone", "DELETE FROM messages"],
  ])("[CUEME-LOG-1] notices %s", (_, sql) => {
    engine.queueMessage(agent, { text: "Go on" }, "human:alex");
    const forged = testStore();
    forged.open().dispose();
    engine.dispose();
    const database = new DatabaseSync(store.path);
    database.exec(`VACUUM INTO '${forged.path}.copy'`);
    database.close();
    const changed = new DatabaseSync(`${forged.path}.copy`);
    changed.exec(sql);
    changed.close();
    expect(forged.open({ dbPath: `${forged.path}.copy` }).verifyEventLog()).toMatchObject({ ok: false });
    forged.remove();
    engine = store.open({ world });
  });

  it("[CUEME-LOG-1] rebuilds agents and words from the log alone", () => {
    engine.queueMessage(agent, { text: "Go on" }, "human:alex");
    const told = engine.queueMessage(agent, { text: "Stop" }, "human:alex");
    engine.takeMessages(agent, [told.id], null);
    engine.leaveAgent(agent, "done");
    const before = [engine.listAgents(), engine.conversation(agent)];
    engine.dispose();
    const database = new DatabaseSync(store.path);
    database.exec("UPDATE config SET value='0' WHERE key='fold_version'; DELETE FROM agents; DELETE FROM messages");
    database.close();
    engine = store.open({ world });
    expect([engine.listAgents(), engine.conversation(agent)]).toEqual(before);
  });
});
