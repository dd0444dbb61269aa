// `cueme` as a black box (D26): what it prints where, how it ends, and that no answer is lost or heard twice.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectPerson, type PersonClient } from "@hap/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { envelope, World } from "./world.ts";

const world = new World();
let alex: PersonClient;
beforeAll(async () => {
  alex = await connectPerson({ dbPath: world.dbPath, person: "human:alex" });
});
afterAll(async () => {
  expect(await alex.verify()).toMatchObject({ ok: true });
  await alex.close();
});

/** The next question of an agent that waits for Alex. */
async function asked(agent: string) {
  for (;;) {
    const [ticket] = (await alex.list({ from: `agent:${agent}`, state: "open" })).tickets;
    if (ticket !== undefined) return ticket;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("wrong usage", () => {
  it("[CUEME-USAGE-1] exits with 2, says what is right on standard error, and prints nothing else", async () => {
    const id = await world.join();
    const prompt = envelope("Go on?");
    const wrong: [string[], string, string | undefined][] = [
      [[], "cueme join", undefined],
      [["nothing"], "no command", undefined],
      [["join"], "Name the runtime", undefined],
      [["join", "  "], "Name the runtime", undefined],
      [["join", "a/b"], "agent_runtime", undefined],
      [["join", "a", "b"], "Name the runtime", undefined],
      [["recall"], "some words", undefined],
      [["cue"], "standard input", undefined],
      [["cue", id], "the dash is needed", prompt],
      [["cue", id, "words"], "the dash is needed", prompt],
      [["cue", "nobodyhere", "-"], "cueme join", prompt],
      [["pause", "nobodyhere"], "cueme join", undefined],
      [["pause", id, "a", "b"], "one prompt", undefined],
      [["cue", id, "-", "--timeout", "soon"], "45s", prompt],
      [["cue", id, "-", "--wrong"], "--wrong", prompt],
      [["protocol", "--lang", "fr"], "en and zh", undefined],
      [["init", "unheard_of"], "--file", undefined],
    ];
    const ran = await Promise.all(wrong.map(([args, , input]) => world.cueme(args, input === undefined ? {} : { input })));
    for (const [at, { code, out, err }] of ran.entries()) {
      expect({ args: wrong[at]?.[0], code, out }).toEqual({ args: wrong[at]?.[0], code: 2, out: "" });
      expect(err).toContain(wrong[at]?.[1]);
    }
  });

  it("[CUEME-ENVELOPE-1] is every envelope but the right one", async () => {
    const id = await world.join();
    const wrong: [string | Buffer, string][] = [
      ["", "<cueme_prompt> is missing"],
      ['{"prompt":"Go on?"}', "JSON envelope is not supported"],
      ["Go on?", "outside of the blocks"],
      [`${envelope("Go on?")}thanks`, "line 4 is outside"],
      ["<cueme_prompt>Go on?</cueme_prompt>", "outside of the blocks"],
      ["<cueme_prompt>\nGo on?\n", "never closed"],
      ["<cueme_prompt>\n \n\t\n</cueme_prompt>", "the prompt is empty"],
      ["<cueme_prompt>\n</cueme_prompt>", "the prompt is empty"],
      [envelope("a") + envelope("b"), "a second <cueme_prompt>"],
      [envelope("Go on?", [1]), "JSON object"],
      [`${envelope("Go on?")}<cueme_payload>\n{\n</cueme_payload>`, "cueme_payload"],
      [envelope("Go on?", {}), '{"type":"choice"'],
      [envelope("Go on?", { type: "text" }), '{"type":"confirm"'],
      [envelope("Go on?", { type: "choice" }), '"options"'],
      [envelope("Go on?", { type: "choice", options: [] }), "at least one option"],
      [envelope("Go on?", { type: "choice", options: ["a"], allow_multiple: "no" }), "allow_multiple"],
      [envelope("Go on?", { type: "form", fields: [{ kind: "text" }] }), "fields.0.label"],
      [Buffer.from([0x3c, 0xff, 0xfe, 0x80]), "not UTF-8"],
      [envelope("x".repeat(10_000_000)), "Shorten the prompt"],
      [envelope("x".repeat(100_001)), "at most 100000 characters"],
    ];
    const ran = await Promise.all(wrong.map(([input]) => world.cueme(["cue", id, "-"], { input })));
    for (const [at, { code, out, err }] of ran.entries()) {
      expect({ at, code, out }).toEqual({ at, code: 2, out: "" });
      expect(err).toContain(wrong[at]?.[1]);
    }
    expect((await alex.list({ from: `agent:${id}` })).tickets).toEqual([]);
  });
});

describe("join and recall", () => {
  it("[CUEME-PRINT-1] print lines by which an agent knows itself", async () => {
    const { code, out, err } = await world.cueme(["join", " Claude-Code "]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^agent_id=[a-z]{8,12}\nproject_dir=.*work\nagent_terminal=zsh\nagent_runtime=claude_code\n$/);
    const json = JSON.parse((await world.cueme(["join", "codex", "--json"])).out);
    expect(json).toMatchObject({ agent_runtime: "codex", project_dir: expect.stringContaining("work") });
  });

  it("[CUEME-RECALL-1] find a conversation by what was asked, and say when nothing fits", async () => {
    const id = await world.join("kiro");
    const { ended } = world.start("cueme", ["cue", id, "-"], { input: envelope("Zebra 数据库迁移完成") });
    await alex.answer((await asked(id)).id, "ok");
    expect((await ended).out).toBe("ok\n");
    expect((await world.cueme(["recall", "zebra"])).out).toContain(`agent_id=${id}\n`);
    expect((await world.cueme(["recall", "数据库"])).out).toContain(`agent_id=${id}\n`);
    const nothing = await world.cueme(["recall", "qwertzuiop"]);
    expect(nothing).toMatchObject({ code: 4, out: "" });
    expect(nothing.err).toContain("no conversation fits");
  });
});

describe("a field with options", () => {
  it("[CUEME-ANSWER-1] takes free text, and a multi-choice keeps the option beside other words", async () => {
    const id = await world.join();
    const form = { type: "form", fields: [{ label: "Env", options: ["prod", "staging"] }] };
    const asking = world.start("cueme", ["cue", id, "-"], { input: envelope("Where?", form) });
    await alex.answer((await asked(id)).id, { Env: "my laptop" });
    expect((await asking.ended).out).toBe("Env: my laptop\n");
    const choice = { type: "choice", options: ["A", "B", "C"], allow_multiple: true };
    const several = world.start("cueme", ["cue", id, "-"], { input: envelope("Which?", choice) });
    await alex.answer((await asked(id)).id, "C, something else");
    expect((await several.ended).out).toBe("C\nsomething else\n");
  });
});

describe("one question at a time", () => {
  it("[CUEME-LISTEN-1] a re-worded question takes over the one whose process was killed, and shows who listens", async () => {
    const id = await world.join();
    const first = world.start("cueme", ["cue", id, "-", "--timeout", "1s"], { input: envelope("Which part next?") });
    const old = await asked(id);
    expect((await alex.agents()).find(({ agent }) => agent === `agent:${id}`)?.listening).toBe(old.id);
    expect((await first.ended).code).toBe(14);
    expect((await alex.agents()).find(({ agent }) => agent === `agent:${id}`)?.listening).toBeNull();
    const second = world.start("cueme", ["cue", id, "-"], { input: envelope("Which part should I do next?") });
    await alex.wait(old.id);
    expect((await alex.getTicket(old.id)).state).toBe("CANCELED");
    expect(await world.hap(["chat", "open", id])).toContain("listening now");
    await alex.answer((await asked(id)).id, "the printer");
    expect((await second.ended).out).toBe("the printer\n");
  });

  it("[CUEME-UNHEARD-1] an answer given while nothing listened comes with the next cue, with its question", async () => {
    const id = await world.join();
    await world.start("cueme", ["cue", id, "-", "--timeout", "0s"], { input: envelope("Which part next?") }).ended;
    await alex.answer((await asked(id)).id, "the printer");
    const next = await world.cueme(["cue", id, "-", "--json"], { input: envelope("What now?") });
    expect(next.code, next.err).toBe(0);
    expect(JSON.parse(next.out)).toMatchObject({
      status: "queued",
      earlier: [{ question: "Which part next?", text: "the printer", by: "human:alex" }],
    });
    const confirm = world.start("cueme", ["cue", id, "-", "--timeout", "0s"], { input: envelope("A?", { type: "confirm" }) });
    await confirm.ended;
    await alex.answer((await asked(id)).id, "yes");
    const other = world.start("cueme", ["cue", id, "-"], { input: envelope("Delete it?", { type: "confirm" }) });
    await alex.answer((await asked(id)).id, "no");
    expect((await other.ended).out).toBe('Cancel (not confirmed)\n\nTo your earlier question "A?":\nConfirm (confirmed)\n');
  });
});

describe("a queue", () => {
  it("[CUEME-ARRANGE-1] is listed, edited, reordered and withdrawn by its person", async () => {
    const id = await world.join();
    for (const text of ["one", "two", "three"]) await world.hap(["chat", "queue", id, text]);
    await world.hap(["chat", "move", id, "3", "1"]);
    await world.hap(["chat", "edit", id, "2", "ONE"]);
    expect(await world.hap(["chat", "withdraw", id, "3"])).toMatch(/^1\. three .*\n2\. ONE /);
    expect(await world.hap(["chat", "queued", id])).not.toContain("two");
    expect((await world.cueme(["cue", id, "-"], { input: envelope("Next?") })).out).toBe("three\n\nONE\n");
    expect(await world.hap(["chat", "open", id])).toContain("withdrawn, never told");
  });

  it("[CUEME-WITHDRAW-1] erased words answer nothing: the agent goes on waiting", async () => {
    const id = await world.join();
    const said = JSON.parse(await world.hap(["--json", "chat", "queue", id, "hunter2"]));
    await world.hap(["chat", "erase", said.id]);
    const waiting = world.start("cueme", ["cue", id, "-"], { input: envelope("Next?") });
    await alex.answer((await asked(id)).id, "go on");
    expect((await waiting.ended).out).toBe("go on\n");
  });

  it("[CUEME-LABEL-1] and its agent have a label and a group, by which it is found", async () => {
    const id = await world.join();
    await world.hap(["chat", "label", id, "Parser", "--group", "compiler"]);
    expect(await world.hap(["chat", "list", "--group", "compiler"])).toContain("(Parser)");
    await world.hap(["chat", "queue", "parser", "hello"]);
    expect(await world.hap(["chat", "broadcast", "--group", "compiler", "commit"])).toContain(`agent:${id}: queued`);
  });
});

describe("an output that is lost", () => {
  it.each([
    ["closed", ">&-"],
    ["discarded", ">/dev/null"],
    ["full", ">/dev/full"],
    ["not writable", "1</dev/null"],
  ])("[CUEME-LOST-1] because it is %s exits with 74 and keeps the answer", async (_, redirection) => {
    const id = await world.join();
    const input = envelope("Go on?");
    const running = world.shell(`"$0" "$1" cue ${id} - ${redirection}`, input);
    await alex.answer((await asked(id)).id, "yes, slowly");
    const ran = await running.ended;
    expect(ran.code, ran.err).toBe(74);
    expect(ran.err).toContain("run the same command again");
    expect(await world.cueme(["cue", id, "-"], { input })).toMatchObject({ code: 0, out: "yes, slowly\n" });
  });
});

describe("an answer", () => {
  it.each([
    ["words", undefined, "line one\n  line two", "line one\n  line two\n", { type: "text", text: "line one\n  line two" }],
    ["a choice", { type: "choice", options: ["Continue", "Stop"] }, "2", "Stop\n", { type: "choice", choices: ["Stop"] }],
    [
      "several",
      { type: "choice", options: [{ id: "a", label: "Alpha" }, "Beta"], allow_multiple: true },
      ["a", "2"],
      "Alpha\nBeta\n",
      { type: "choice", choices: ["a", "Beta"] },
    ],
    [
      "other words",
      { type: "choice", options: ["A", "B"] },
      "neither",
      "neither\n",
      { type: "choice", choices: [], other: "neither" },
    ],
    ["a confirmation", { type: "confirm", text: "Sure?" }, true, "Confirm (confirmed)\n", { type: "confirm", confirmed: true }],
    [
      "a refusal",
      { type: "confirm", confirm_label: "Ship", cancel_label: "Hold" },
      false,
      "Hold (not confirmed)\n",
      { type: "confirm", confirmed: false },
    ],
    [
      "a form",
      {
        type: "form",
        fields: [
          { label: "Env", options: ["prod", "staging"] },
          { label: "Why", kind: "text" },
        ],
      },
      { Env: "2", Why: "test" },
      "Env: staging\nWhy: test\n",
      { type: "form", values: { Env: "staging", Why: "test" } },
    ],
  ])("[CUEME-ANSWER-1] in %s comes back as lines, or as JSON", async (_, payload, given, lines, answer) => {
    const id = await world.join();
    for (const json of [false, true]) {
      const run = world.start("cueme", ["cue", id, "-", ...(json ? ["--json"] : [])], { input: envelope("Now what?", payload) });
      const ticket = await asked(id);
      expect(ticket.ask).toMatchObject({ prompt: "Now what?" });
      await alex.answer(ticket.id, given);
      const { code, out, err } = await run.ended;
      expect({ code, err }).toEqual({ code: 0, err: "" });
      if (json)
        expect(JSON.parse(out)).toMatchObject({ status: "answered", agent_id: id, answer, by: "human:alex", messages: [] });
      else expect(out).toBe(lines);
      expect((await alex.getTicket(ticket.id)).heard_at).not.toBeNull();
    }
  });

  it("[CUEME-ENVELOPE-1] belongs to a prompt that is kept byte for byte, whatever encoding and line ends it came in", async () => {
    const id = await world.join();
    const text = "  Résumé 完成\n<cueme_prompt>\n\ttabs and </cueme_prompt> inside a line\n";
    const crlf = `\r\n  <cueme_prompt>  \r\nGo on?\r\nReally?\r\n\t</cueme_prompt>\r\n<cueme_payload>\r\n null \r\n</cueme_payload>\r\n\r\n`;
    const inputs: [string | Buffer, string][] = [
      [envelope(text), text],
      [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(envelope("with a mark"))]), "with a mark"],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(envelope("小端"), "utf16le")]), "小端"],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(envelope("大端"), "utf16le").swap16()]), "大端"],
      [crlf, "Go on?\r\nReally?"],
      [`${envelope("blank payload")}<cueme_payload>\n\n</cueme_payload>`, "blank payload"],
    ];
    for (const [input, prompt] of inputs) {
      const run = world.start("cueme", ["cue", id, "-"], { input });
      const ticket = await asked(id);
      expect(ticket.ask).toEqual({ type: "text", prompt });
      await alex.answer(ticket.id, "ok");
      expect((await run.ended).out).toBe("ok\n");
    }
  });

  it("[CUEME-ANSWER-1] can be a refusal with words, or the person's withdrawal", async () => {
    const id = await world.join();
    const refused = world.start("cueme", ["cue", id, "-"], { input: envelope("Delete it?") });
    await alex.reject((await asked(id)).id, "Never do that.");
    expect(await refused.ended).toMatchObject({ code: 0, out: expect.stringContaining("Never do that.") });
    const withdrawn = world.start("cueme", ["pause", id]);
    const ticket = await asked(id);
    expect(ticket.intent.kind).toBe("pause");
    await alex.cancel(ticket.id, "Not needed any more");
    expect(await withdrawn.ended).toMatchObject({ code: 0, out: expect.stringContaining("Not needed any more") });
  });

  it("[CUEME-PAUSE-1] to a pause may come to a default prompt, to words, or to an envelope without a payload", async () => {
    const id = await world.join();
    for (const [args, input, prompt] of [
      [[], "", "Paused. The agent goes on when you say how."],
      [["Lunch"], "", "Lunch"],
      [["-"], envelope("From standard input"), "From standard input"],
    ] as const) {
      const run = world.start("cueme", ["pause", id, ...args], { input });
      const ticket = await asked(id);
      expect(ticket.ask).toEqual({ type: "text", prompt });
      await alex.answer(ticket.id, "go");
      expect(await run.ended).toMatchObject({ code: 0, out: "go\n" });
    }
    const wrong = await world.cueme(["pause", id, "-"], { input: envelope("x", { type: "confirm" }) });
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toContain("not taken here");
  });
});

describe("a wait", () => {
  it("[CUEME-TIMEOUT-1] that is over leaves the question open, says how to go on, and is gone on with", async () => {
    const id = await world.join();
    const input = envelope("Are you there?");
    const over = await world.cueme(["cue", id, "-", "--timeout", "0s"], { input });
    expect(over).toMatchObject({ code: 14, out: expect.stringContaining("same command again") });
    expect(JSON.parse((await world.cueme(["cue", id, "-", "--timeout", "0", "--json"], { input })).out).status).toBe("open");
    const again = world.start("cueme", ["cue", id, "-", "--timeout", "1m"], { input });
    const { tickets } = await alex.list({ from: `agent:${id}` });
    expect(tickets).toHaveLength(1);
    await alex.answer(tickets[0]?.id as string, "Here");
    expect(await again.ended).toMatchObject({ code: 0, out: "Here\n" });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("[CUEME-ATTACH-1] that %s ends exits with %i, and loses nothing", async (signal, code) => {
    const id = await world.join();
    const input = envelope("Shall I?");
    const first = world.start("cueme", ["cue", id, "-"], { input });
    const ticket = await asked(id);
    first.child.kill(signal);
    expect(await first.ended).toMatchObject({ code, out: "", err: expect.stringContaining("attaches") });
    await alex.answer(ticket.id, "Do");
    expect(await world.cueme(["cue", id, "-"], { input })).toMatchObject({ code: 0, out: "Do\n" });
    const next = world.start("cueme", ["cue", id, "-"], { input });
    expect((await asked(id)).id).not.toBe(ticket.id);
    next.child.kill();
    await next.ended;
  });

  it("[CUEME-ATTACH-1] that is killed before all of the answer was taken is told again", async () => {
    const id = await world.join();
    const input = envelope("How, in detail?");
    const run = world.start("cueme", ["cue", id, "-"], { input });
    // More than a pipe holds, and nobody takes it: the write cannot end.
    run.child.stdout.pause();
    const words = `${"all of it ".repeat(90_000)}to the end`;
    const ticket = await asked(id);
    await alex.answer(ticket.id, words);
    await expect.poll(() => run.child.stdout.readableLength, { timeout: 45_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await alex.getTicket(ticket.id)).heard_at).toBeNull();
    run.child.kill("SIGKILL");
    run.child.stdout.resume();
    await run.ended;
    expect((await alex.getTicket(ticket.id)).heard_at).toBeNull();
    expect(await world.cueme(["cue", id, "-"], { input })).toMatchObject({ code: 0, out: `${words}\n` });
    expect((await alex.getTicket(ticket.id)).heard_at).not.toBeNull();
  });

  it("[CUEME-ATTACH-1] gets one answer: a second is refused, and one that fits nothing leaves the question open", async () => {
    const id = await world.join();
    const payload = { type: "form", fields: [{ label: "Env", options: ["prod", "staging"] }] };
    const run = world.start("cueme", ["cue", id, "-"], { input: envelope("Where?", payload) });
    const ticket = await asked(id);
    await expect(alex.answer(ticket.id, { Place: "moon" })).rejects.toMatchObject({ code: "invalid_answer" });
    expect((await alex.getTicket(ticket.id)).resolution).toBeNull();
    const both = await Promise.allSettled([alex.answer(ticket.id, { Env: "prod" }), alex.answer(ticket.id, { Env: "staging" })]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await run.ended).out).toBe("Env: prod\n");
  });

  it("[CUEME-ATTACH-1] whose reader is gone does not count as heard", async () => {
    const id = await world.join();
    const input = envelope("Anyone?");
    const run = world.start("cueme", ["cue", id, "-"], { input });
    run.child.stdout.destroy();
    const ticket = await asked(id);
    await alex.answer(ticket.id, "Yes");
    expect((await run.ended).code).toBe(74);
    expect((await alex.getTicket(ticket.id)).heard_at).toBeNull();
    expect((await world.cueme(["cue", id, "-"], { input })).out).toBe("Yes\n");
  });
});

describe("words that were queued", () => {
  it("[CUEME-QUEUE-1] take the place of an answer in words, once, with their files", async () => {
    const id = await world.join();
    await alex.queue(`agent:${id}`, { text: "Then run the tests" });
    const data = Buffer.from([0, 1, 2, 255]);
    await alex.queue(`agent:${id}`, { attachments: [{ name: "../../shot 1.png", media_type: "image/png", data }] });
    const { code, out } = await world.cueme(["cue", id, "-"], { input: envelope("Done. Next?") });
    expect(code).toBe(0);
    const [, path = ""] = /^Then run the tests\n\nAttachment: (.*) \(image\/png, 4 bytes\)\n$/.exec(out) ?? [];
    expect(readFileSync(path)).toEqual(data);
    expect(path).toContain(join(world.folder, "attachments"));
    expect((await alex.conversation(`agent:${id}`)).messages.every(({ taken_at }) => taken_at !== null)).toBe(true);
    const next = await world.cueme(["cue", id, "-", "--timeout", "0"], { input: envelope("Done. Next?") });
    expect(next.code).toBe(14);
  });

  it("[CUEME-QUEUE-1] never confirm anything: they come with the answer to a structured question", async () => {
    const id = await world.join();
    await alex.queue(`agent:${id}`, { text: "By the way" });
    const run = world.start("cueme", ["cue", id, "-", "--json"], { input: envelope("Deploy?", { type: "confirm" }) });
    await alex.answer((await asked(id)).id, false);
    expect(JSON.parse((await run.ended).out)).toMatchObject({ answer: { confirmed: false }, messages: [{ text: "By the way" }] });
    expect((await alex.agents()).find(({ agent }) => agent === `agent:${id}`)?.queued).toBe(0);
  });
});

describe("the rules", () => {
  it("[CUEME-RULES-1] are printed in English and Chinese, with every duty", async () => {
    const english = (await world.cueme(["protocol"])).out;
    const chinese = (await world.cueme(["protocol", "--lang", "zh"])).out;
    for (const text of [english, chinese])
      for (const duty of [
        "cueme cue",
        "cueme pause",
        "cueme join",
        "cueme recall",
        "TOOLS_UNAVAILABLE",
        "<cueme_prompt>",
        "<cueme_payload>",
      ])
        expect(text).toContain(duty);
    for (const duty of [
      "before every final reply",
      "MUST NOT run it in the background",
      "MUST NOT say that you called",
      "use the id that you have",
    ])
      expect(english).toContain(duty);
    for (const duty of ["阶段性总结之前", "前台", "不得声称", "直接使用已有的 id"]) expect(chinese).toContain(duty);
  });

  it("[CUEME-INIT-1] go into a runtime's file between markers, are renewed there, and come out again", async () => {
    const cwd = join(world.folder, "project");
    mkdirSync(cwd);
    const file = join(cwd, "CLAUDE.md");
    const before = "# Mine\n\nKeep this.\n";
    writeFileSync(file, before);
    expect((await world.cueme(["init", "claude_code"], { cwd })).out).toContain("CLAUDE.md");
    const written = readFileSync(file, "utf8");
    expect(written.startsWith(before)).toBe(true);
    expect((await world.cueme(["init", "claude_code"], { cwd })).out).toContain("up to date");
    expect(readFileSync(file, "utf8")).toBe(written);
    await world.cueme(["init", "claude_code", "--lang", "zh"], { cwd });
    expect(readFileSync(file, "utf8")).toContain("必须遵守");
    expect(readFileSync(file, "utf8").match(/cueme:begin/g)).toHaveLength(1);
    await world.cueme(["init", "claude_code", "--remove"], { cwd });
    expect(readFileSync(file, "utf8")).toBe(before);
    await world.cueme(["init", "cursor"], { cwd });
    expect(readFileSync(join(cwd, ".cursor/rules/cueme.mdc"), "utf8")).toContain("alwaysApply: true");
    expect((await world.cueme(["init", "cursor", "--remove"], { cwd })).out).toContain("Removed");
    writeFileSync(file, "<!-- cueme:end -->\n");
    expect(await world.cueme(["init", "claude_code"], { cwd })).toMatchObject({ code: 2, out: "" });
    expect(readFileSync(file, "utf8")).toBe("<!-- cueme:end -->\n");
  });
});
