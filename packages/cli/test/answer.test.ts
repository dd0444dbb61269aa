// Questions: every kind, answered by value, by a structured answer, and at a terminal.
import { describe, expect, test } from "vitest";
import { World } from "./hap.ts";

const world = new World();
const ask = (question: object) => world.create(["--ask", JSON.stringify(question)]);
const region = {
  type: "choice",
  prompt: "Which region?",
  options: [
    { key: "eu", label: "Frankfurt" },
    { key: "us", label: "Virginia" },
  ],
};
const colours = { type: "choice", options: ["red", "green", "dark blue"], allow_multiple: true };
const form = {
  type: "form",
  fields: [
    { key: "name", label: "Name" },
    { key: "size", label: "Size", kind: "number" },
    { key: "fast", label: "Fast", kind: "boolean" },
    { key: "zone", label: "Zone", options: ["a", "b"], required: false },
  ],
};

type Case = { what: string; question: object; args: string[]; answer: object };
const answered: Case[] = [
  { what: "an option's key", question: region, args: ["us"], answer: { type: "choice", choices: ["us"] } },
  { what: "an option's label", question: region, args: ["frankfurt"], answer: { type: "choice", choices: ["eu"] } },
  { what: "an option's number", question: region, args: ["2"], answer: { type: "choice", choices: ["us"] } },
  { what: "several options, with commas", question: colours, args: ["red,3"], answer: { type: "choice", choices: ["1", "3"] } },
  {
    what: "several options, one a word",
    question: colours,
    args: ["red", "green"],
    answer: { type: "choice", choices: ["1", "2"] },
  },
  { what: "a label of two words", question: colours, args: ["dark", "blue"], answer: { type: "choice", choices: ["3"] } },
  {
    what: "words of one's own",
    question: { ...region, allow_other: true },
    args: ["the", "moon"],
    answer: { type: "choice", choices: [], other: "the moon" },
  },
  { what: "yes", question: { type: "confirm" }, args: ["yes"], answer: { type: "confirm", confirmed: true } },
  { what: "no", question: { type: "confirm" }, args: ["no"], answer: { type: "confirm", confirmed: false } },
  { what: "free text", question: { type: "text" }, args: ["as", "you", "like"], answer: { type: "text", text: "as you like" } },
  {
    what: "a structured choice",
    question: colours,
    args: ["--answer", '{"type":"choice","choices":["2"]}'],
    answer: { type: "choice", choices: ["2"] },
  },
  {
    what: "a structured form",
    question: form,
    args: ["--answer", '{"name":"x","size":"3","fast":"yes"}'],
    answer: { type: "form", values: { name: "x", size: 3, fast: true } },
  },
];

describe("[ASK-CLI-1] hap answer", () => {
  test.for(answered)("takes $what", async ({ question, args, answer }) => {
    const { id } = await ask(question);
    const ticket = await world.json(["answer", id, ...args]);
    expect(ticket).toMatchObject({ state: "ANSWERED", resolution: { outcome: "answered", answer } });
  });

  test("[ASK-VALID-1] what does not fit is refused with what would, and the ticket stays open", async () => {
    for (const [question, args, says] of [
      [region, ["mars"], /"mars" is none of eu \(Frankfurt\), us \(Virginia\)/],
      [region, ["us", "--answer", '"us"'], /once/],
      [{ type: "confirm" }, ["maybe"], /yes \(Confirm\) or no \(Cancel\)/],
      [{ type: "text", max_length: 3 }, ["four"], /4 characters, at most 3/],
      [form, ["--answer", '{"name":"x","fast":true}'], /Size is missing/],
      [form, ["--answer", "nonsense"], /--answer is not JSON/],
    ] as const) {
      const { id } = await ask(question);
      const ran = await world.run(["answer", id, ...args]);
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(says);
      expect((await world.json(["show", id])).state).toBe("DELIVERED");
    }
  });

  test("without a value and without a terminal it shows an example", async () => {
    const { id } = await ask(region);
    const ran = await world.run(["answer", id]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain('{"type":"choice","choices":["eu"]} or one of eu (Frankfurt), us (Virginia)');
  });

  test("[ASK-TYPE-1] a question is not approved, but may be rejected", async () => {
    const { id } = await ask(region);
    const ran = await world.run(["approve", id, "--json"]);
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect((await world.json(["reject", id])).state).toBe("REJECTED");
  });
});

describe("[ASK-CLI-1] at a terminal", () => {
  const DOWN = "\u001b[B";

  test("it prompts for a choice, with what was suggested preselected", async () => {
    const { id } = await ask({ ...region, default: "us" });
    const { screen, code } = await world.atTerminal(["answer", id], { replies: [{ expect: "Virginia", send: "\r" }] });
    expect(code).toBe(0);
    expect(screen).toMatch(
      /agent:local asks: Refactor auth middleware[\s\S]*Which region\?[\s\S]*Ticket answered\.[\s\S]*Answer: Virginia/,
    );
  });

  test("it prompts for text and for yes or no, where Enter alone says no", async () => {
    const text = await ask({ type: "text", prompt: "What \u202Ename?" });
    const named = await world.atTerminal(["answer", text.id, "--json"], {
      apart: false,
      replies: [{ expect: "name\\?", send: "Ada\r" }],
    });
    expect(named.screen).toContain("What <U+202E>name?");
    expect((await world.json(["show", text.id])).resolution?.answer).toEqual({ type: "text", text: "Ada" });
    const confirm = await ask({ type: "confirm", prompt: "Sure?" });
    await world.atTerminal(["answer", confirm.id], { replies: [{ expect: "Sure\\?", send: "\r" }] });
    expect((await world.json(["show", confirm.id])).resolution?.answer).toEqual({ type: "confirm", confirmed: false });
  });

  test("it prompts for every field of a form", async () => {
    const { id } = await ask(form);
    const { code } = await world.atTerminal(["answer", id], {
      replies: [
        { expect: "Name", send: "db\r" },
        { expect: "Size", send: "3\r" },
        { expect: "Fast", send: "y" },
        { expect: "Zone", send: `${DOWN}\r` },
      ],
    });
    expect(code).toBe(0);
    const values = { name: "db", size: 3, fast: true, zone: "2" };
    expect((await world.json(["show", id])).resolution?.answer).toEqual({ type: "form", values });
  });

  test("Ctrl-C leaves everything as it is", async () => {
    const { id } = await ask(region);
    const { code, screen } = await world.atTerminal(["answer", id], { replies: [{ expect: "Frankfurt", send: "\u0003" }] });
    expect(code).toBe(130);
    expect(screen).toContain("Nothing was recorded.");
    expect((await world.json(["show", id])).resolution).toBeNull();
  });
});
