// `hap bridge` as a black box (D27): real agents in other processes, killed bridges, and folders of messages.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectPerson, type PersonClient } from "@hap/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Running, World } from "../../cueme/test/world.ts";
import { changed, normative, plain } from "./examples.ts";

const world = new World();
const agent = join(import.meta.dirname, "fixtures/agent.mjs");
let alex: PersonClient;
let cwd = "";
let folders = 0;
beforeAll(async () => {
  alex = await connectPerson({ dbPath: world.dbPath, person: "human:alex" });
});
beforeEach(() => {
  cwd = join(world.folder, `run-${folders++}`);
  mkdirSync(cwd);
});
afterAll(async () => {
  expect(await alex.verify()).toMatchObject({ ok: true });
  await alex.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const bridge = (steps: object[], args: string[] = [], input = ""): Running =>
  world.start("hap", ["bridge", ...args, "--", process.execPath, agent, JSON.stringify(steps)], { cwd, input });

/** The open questions of this test, once there are as many. */
async function open(count = 1) {
  for (;;) {
    const { tickets } = await alex.list({ project: cwd, state: "open" });
    if (tickets.length >= count) return tickets;
    await sleep(20);
  }
}
const replies = (out: string) => [...out.matchAll(/^got (.*)$/gm)].map(([, line = ""]) => JSON.parse(line));
const ask = (value: object, more = {}) => ({ print: [`${JSON.stringify(value)}\n`], reply: true, ...more });

describe("an agent behind the bridge", () => {
  it("[QUESTION-DIALECT-1] gets each answer in its own dialect, and its output passes through untouched", async () => {
    const pretty = JSON.stringify(plain, null, 2);
    const noise = "\u001b[31mthinking\u001b[0m é完 {not json}\n";
    const steps = [{ print: [noise, ...(pretty.match(/.{1,50}/gs) ?? []), "\n"], reply: true }, ask(normative), { exit: 3 }];
    const run = bridge(steps);
    const [first] = await open();
    expect(first).toMatchObject({
      intent: { kind: "question", summary: plain.payload.data.question_text },
      ask: { type: "choice" },
    });
    await alex.answer(first?.id as string, "B", { comment: "gently" });
    const [second] = await open();
    await alex.answer(second?.id as string, "Bittersweet");
    const { code, out } = await run.ended;
    expect(code).toBe(3);
    expect(out.startsWith(noise + pretty)).toBe(true);
    expect(replies(out)).toMatchObject([
      {
        intent: "human.response",
        reply_to: plain.id,
        sender: "human",
        receiver: "SR",
        payload: { data: { choice: "B", notes: "gently" } },
      },
      {
        intent: "human.response",
        reply_to: normative.id,
        correlation_id: "corr-20251107-1",
        payload: { data: { answer: "Bittersweet" } },
      },
    ]);
    expect(replies(out)[1].payload.data).not.toHaveProperty("choice");
    for (const ticket of [first, second]) expect((await alex.getTicket(ticket?.id as string)).heard_at).not.toBeNull();
  });

  it("[QUESTION-REFUSE-1] is told what is wrong with an envelope, and may ask again", async () => {
    const steps = [
      ask(changed(plain, (copy) => Object.assign(copy.payload, { data: {} }))),
      { print: [JSON.stringify(plain).replace("[", "[,"), "\n"], reply: true },
      { print: [JSON.stringify({ ...plain, intent: "tu.open" }), "\n"] },
      ask(plain),
      ask(changed(plain, (copy) => Object.assign(copy.payload.data, { question_text: "Another?" }))),
    ];
    const run = bridge(steps);
    const [ticket] = await open();
    await alex.answer(ticket?.id as string, "A");
    const { code, out, err } = await run.ended;
    expect(code).toBe(0);
    expect(replies(out)).toMatchObject([
      {
        intent: "error",
        reply_to: plain.id,
        payload: { data: { code: "invalid_envelope", message: expect.stringContaining("question_text") } },
      },
      {
        intent: "error",
        reply_to: plain.id,
        payload: { data: { code: "invalid_envelope", message: expect.stringContaining("JSON") } },
      },
      { intent: "human.response", payload: { data: { choice: "A" } } },
      { intent: "error", payload: { data: { code: "duplicate_id" } } },
    ]);
    expect(err).toBe("");
  });

  it("[QUESTION-RUN-1] hears of a timeout as such; the default is never sent", async () => {
    const steps = [
      ask(changed(plain, (copy) => Object.assign(copy.payload.data, { default: "A", timeout_seconds: 0.3 }))),
      ask(normative),
    ];
    const { out } = await bridge(steps, ["--timeout", "1"]).ended;
    expect(replies(out)).toMatchObject([
      { intent: "error", reply_to: plain.id, payload: { data: { code: "timeout" } } },
      { intent: "error", reply_to: normative.id, payload: { data: { code: "timeout" } } },
    ]);
    const { tickets } = await alex.list({ project: cwd });
    expect(tickets.map(({ state }) => state)).toEqual(["CANCELED", "CANCELED"]);
    expect(tickets[1]?.ask).toMatchObject({ default: "A" });
  });

  it("[QUESTION-REFUSE-1] hears that its question was declined, and why", async () => {
    const run = bridge([ask(plain)]);
    await alex.reject((await open())[0]?.id as string, "Ask me tomorrow");
    expect(replies((await run.ended).out)).toMatchObject([
      { intent: "error", payload: { data: { code: "declined", message: "Ask me tomorrow" } } },
    ]);
  });

  it("[QUESTION-FAULT-1] may write bytes that are no text, and a byte order mark before a question", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x7b, 0x22, 0xc3, 0x28, 0x0a, 0x80, 0xef, 0xbb, 0xbf]);
    const run = bridge([{ hex: bytes.toString("hex") }, ask(plain)]);
    const raw: Buffer[] = [];
    run.child.stdout.on("data", (chunk: Buffer) => raw.push(chunk));
    await alex.answer((await open())[0]?.id as string, "A");
    const { code, out } = await run.ended;
    expect([code, replies(out)]).toMatchObject([0, [{ payload: { data: { choice: "A" } } }]]);
    expect(Buffer.concat(raw).subarray(0, bytes.length)).toEqual(bytes);
  });

  it("[QUESTION-FAULT-1] is told that a question of 10 MB is too long, and goes on", async () => {
    const run = bridge([{ fill: { envelope: plain, characters: 10_000_000 }, reply: true }, ask(normative)]);
    await alex.answer((await open())[0]?.id as string, "1");
    expect(replies((await run.ended).out)).toMatchObject([
      { intent: "error", reply_to: plain.id, payload: { data: { message: expect.stringContaining("1000000") } } },
      { intent: "human.response", reply_to: normative.id },
    ]);
  });

  it("[QUESTION-FAULT-1] whose question never ends is told so when its output ends", async () => {
    // One that still reads may be gone before it has: what is said then would be for nobody, and not known to be.
    const run = bridge([{ deaf: true }, { print: [JSON.stringify(plain).slice(0, -1)] }, { exit: 0 }]);
    const { code, err } = await run.ended;
    expect(code).toBe(0);
    expect(err).toMatch(/the agent reads no more/);
    expect((await alex.list({ project: cwd })).tickets).toEqual([]);
  });

  it("[QUESTION-FAULT-1] gets one answer: one that does not fit leaves the question open, a second one is refused", async () => {
    const run = bridge([ask(plain)]);
    const [ticket] = await open();
    const id = ticket?.id as string;
    await expect(alex.answer(id, ["A", "B"])).rejects.toMatchObject({ code: "invalid_answer" });
    expect((await alex.getTicket(id)).resolution).toBeNull();
    const both = await Promise.allSettled([alex.answer(id, "A"), alex.answer(id, "B")]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(replies((await run.ended).out)).toMatchObject([{ payload: { data: { choice: "A" } } }]);
    await expect(alex.answer(id, "B")).rejects.toThrow(/human:alex/);
  });

  it("[QUESTION-EXIT-1] that exits while it asks has its question withdrawn, with that reason", async () => {
    const until = join(cwd, "asked");
    const run = bridge([{ print: [JSON.stringify(plain)] }, { until }, { exit: 4 }]);
    await open();
    writeFileSync(until, "");
    expect((await run.ended).code).toBe(4);
    const { tickets } = await alex.list({ project: cwd });
    expect(tickets).toMatchObject([
      { state: "CANCELED", resolution: { actor: { kind: "agent" }, comment: "The agent exited with code 4." } },
    ]);
  });

  it("reads lines of its own input beside the replies, and gets signals", async () => {
    const run = bridge([{ reply: true }, { sleep: 60_000 }], [], '{"mine":1}\n');
    while (!run.shown().includes("got")) await sleep(20);
    run.child.kill("SIGTERM");
    expect(await run.ended).toMatchObject({ code: 143, out: 'got {"mine":1}\n' });
  });

  it("[QUESTION-REPEAT-1] that prints a question again gets the same answer again, and does not hang", async () => {
    const run = bridge([ask(plain), ask(plain), ask(plain)]);
    await alex.answer((await open())[0]?.id as string, "B");
    const got = replies((await run.ended).out);
    expect(got.map(({ payload }) => payload.data.choice)).toEqual(["B", "B", "B"]);
    expect(new Set(got.map(({ id }) => id)).size).toBe(3);
    expect((await alex.list({ project: cwd })).tickets).toHaveLength(1);
  });

  it("[QUESTION-REPEAT-1] that reports in stream-json is answered once for its several reports", async () => {
    const text = `I need to know.\n${JSON.stringify(plain)}`;
    const frame = `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } })}\n`;
    const result = `${JSON.stringify({ type: "result", result: text })}\n`;
    const run = bridge([{ print: [frame, result], reply: true }, ask(normative)]);
    await alex.answer((await open())[0]?.id as string, "A");
    await alex.answer((await open())[0]?.id as string, "1");
    expect(replies((await run.ended).out).map(({ reply_to }) => reply_to)).toEqual([plain.id, normative.id]);
  });

  it("[QUESTION-STRICT-1] under --strict hears the original's codes", async () => {
    const run = bridge(
      [ask(plain), ask(normative), ask(changed(normative, (copy) => Object.assign(copy.payload.data, { question: "Other?" })))],
      ["--strict"],
    );
    await alex.answer((await open())[0]?.id as string, "1");
    expect(replies((await run.ended).out)).toMatchObject([
      {
        intent: "error",
        reply_to: plain.id,
        payload: {
          type: "none",
          data: {
            code: "validation_error",
            details: { validation_errors: expect.arrayContaining([expect.stringContaining("protocol")]) },
          },
        },
      },
      { intent: "human.response", reply_to: normative.id },
      { intent: "error", payload: { type: "none", data: { code: "conflict", details: { reason: "duplicate_id" } } } },
    ]);
  });

  it("[QUESTION-END-1] that reads its input to the end gets its end", async () => {
    const cat = world.start("hap", ["bridge", "--", "cat"], { cwd, input: "one\ntwo" });
    expect(await cat.ended).toMatchObject({ code: 0, out: "one\ntwo\n" });
    const empty = world.start("hap", ["bridge", "--", "cat"], { cwd });
    expect(await empty.ended).toMatchObject({ code: 0, out: "" });
    const script = "let all=''; process.stdin.on('data', (d) => { all += d }).on('end', () => console.log(all.length))";
    const node = world.start("hap", ["bridge", "--", process.execPath, "-e", script], { cwd, input: "12345\n" });
    expect(await node.ended).toMatchObject({ code: 0, out: "6\n" });
  });

  it("must be one that can be started", async () => {
    const run = await world.start("hap", ["bridge", "--", "no-such-program-here"], { cwd }).ended;
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining("no such program") });
    expect(await world.start("hap", ["bridge"], { cwd }).ended).toMatchObject({ code: 2, out: "" });
    expect(await world.hap(["bridge", "protocol"])).toContain("two to four options");
  });
});

describe("a run", () => {
  it("[QUESTION-RUN-1] that was killed is gone on with: the question is found again, and answered once", async () => {
    const steps = [ask(plain)];
    const first = bridge(steps);
    const [ticket] = await open();
    first.child.kill("SIGKILL");
    await first.ended;
    await alex.answer(ticket?.id as string, "B");
    const { out } = await bridge(steps).ended;
    expect(replies(out)).toMatchObject([{ payload: { data: { choice: "B" } } }]);
    expect((await alex.list({ project: cwd })).tickets).toHaveLength(1);
    // That run came to its end, so the same id in the next one is a new question.
    const next = bridge(steps);
    const [fresh] = await open();
    expect(fresh?.id).not.toBe(ticket?.id);
    await alex.answer(fresh?.id as string, "A");
    expect(replies((await next.ended).out)).toMatchObject([{ payload: { data: { choice: "A" } } }]);
    expect(replies((await bridge(steps, ["--resume"]).ended).out)).toMatchObject([{ payload: { data: { choice: "A" } } }]);
  });

  it("[QUESTION-RUN-1] does not take the questions of another that goes on beside it", async () => {
    const steps = [ask(plain)];
    const both = [bridge(steps), bridge(steps)];
    for (const ticket of await open(2)) await alex.answer(ticket.id, "A");
    const outs = await Promise.all(both.map((run) => run.ended));
    expect(outs.flatMap(({ out }) => replies(out))).toHaveLength(2);
  });
});

describe("a folder of messages", () => {
  it("[QUESTION-FOLDER-1] is served: answered once, also after a kill, and other messages stay", async () => {
    const [inbox, outbox, processed] = ["inbox", "outbox", "processed"].map((name) => join(cwd, name)) as [
      string,
      string,
      string,
    ];
    const put = (name: string, text: string) => {
      writeFileSync(join(cwd, name), text);
      renameSync(join(cwd, name), join(inbox, name));
    };
    const start = () => world.start("hap", ["bridge", "--dir", "."], { cwd });
    const first = start();
    while (!readdirSync(cwd).includes("processed")) await sleep(20);
    put("other.json", `\ufeff${JSON.stringify({ ...plain, intent: "tu.open" })}`);
    put("q1.json", `\ufeff${JSON.stringify(plain, null, 2)}`);
    const [ticket] = await open();
    first.child.kill("SIGKILL");
    await first.ended;
    await alex.answer(ticket?.id as string, "B");
    const second = start();
    while (readdirSync(outbox).length === 0) await sleep(20);
    put("q2.json", "{ not json");
    while (readdirSync(outbox).length === 1) await sleep(20);
    while (readdirSync(processed).length < 2) await sleep(20);
    second.child.kill("SIGTERM");
    expect((await second.ended).code).toBe(0);
    expect(readdirSync(inbox)).toEqual(["other.json"]);
    expect(readdirSync(processed).sort()).toEqual(["q1.json", "q2.json"]);
    const sent = readdirSync(outbox).map((name) => JSON.parse(readFileSync(join(outbox, name), "utf8")));
    expect(sent.map(({ intent }) => intent).sort()).toEqual(["error", "human.response"]);
    expect(sent.find(({ intent }) => intent === "human.response")).toMatchObject({
      reply_to: plain.id,
      payload: { data: { choice: "B" } },
    });
  });
});
