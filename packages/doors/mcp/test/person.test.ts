// What goes to the person (D4): questions as forms, approvals by a link or by words, and no decision by the agent's own hand.
import { describe, expect, test } from "vitest";
import { type Asked, connectHost, type Elicited, type HostOptions, type Result, type Revision } from "./hosts.ts";
import { McpWorld } from "./world.ts";

const revisions: Revision[] = ["2025-11-25", "2026-07-28"];
const command = { summary: "Clean the build folder", kind: "run_command", details: { command: "make clean" } };
const idOf = (result: Result) => result.structuredContent?.ticket_id as string;
const textOf = (result: Result) => result.content.map(({ text }) => text).join("\n");

/** A host whose user answers every form and link in the same way, and the list of what they were shown. */
function answering(elicited: Elicited | ((asked: Asked) => Promise<Elicited>), modes: HostOptions["elicitation"]) {
  const asked: Asked[] = [];
  const onElicit = async (shown: Asked) => {
    asked.push(shown);
    return typeof elicited === "function" ? elicited(shown) : elicited;
  };
  return { asked, options: { elicitation: modes ?? {}, onElicit } };
}

describe.each(revisions)("a host of revision %s", (revision) => {
  test("[DECIDE-MCP-1] cannot approve, reject or acknowledge: the person is told what to type", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const id = idOf(await host.call("hap_create_ticket", command));
    for (const verb of ["approve", "reject", "ack"]) {
      const passed = await host.call(`hap_${verb}_ticket`, { ticket_id: id });
      expect(passed.structuredContent).toMatchObject({ status: "open" });
      expect(textOf(passed)).toContain(
        `Agents do not decide. Tell human:alex to type this at a terminal of their own: hap ${verb} ${id.slice(-6)}`,
      );
    }
    expect((await (await world.person).getTicket(id)).state).toBe("PENDING");
  });

  test("[DECIDE-MCP-1] passes an approval on by a link to the person's own page only, whatever its user enters", async () => {
    const world = new McpWorld({ HAP_REVIEW_URL: "https://hap.example" });
    const { asked, options } = answering({ action: "accept" }, { form: {}, url: {} });
    const host = await connectHost(revision, world, options);
    const id = idOf(await host.call("hap_create_ticket", command));
    const passed = await host.call("hap_approve_ticket", { ticket_id: id, comment: "It is safe" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ mode: "url", url: `https://hap.example/tickets/${id}` });
    expect(passed.structuredContent).toMatchObject({ status: "open" });
    const person = await world.person;
    expect((await person.getTicket(id)).state).toBe("PENDING");
    expect(JSON.stringify(await person.history(id))).toContain("It is safe");
  });

  test("[DECIDE-MCP-1] never shows words of step-up for a critical ticket", async () => {
    const world = new McpWorld();
    const host = await connectHost(revision, world);
    const opened = await host.call("hap_create_ticket", { ...command, details: { command: "rm -rf ~" }, environment: "prod" });
    expect(opened.structuredContent).toMatchObject({ tier: "critical" });
    const passed = await host.call("hap_approve_ticket", { ticket_id: idOf(opened) });
    expect(textOf(passed)).not.toMatch(/approve prod|phrase|type '/i);
  });

  test("[MCP-ELICIT-1] answers a question in a form, and the answer is told as relayed", async () => {
    const world = new McpWorld();
    const { asked, options } = answering({ action: "accept", content: { answer: "eu" } }, { form: {} });
    const host = await connectHost(revision, world, options);
    const answered = await host.call("hap_ask", {
      question: "Which region?",
      type: "choice",
      options: [
        { key: "eu", label: "Europe" },
        { key: "us", label: "United States" },
      ],
    });
    expect(asked[0]?.message).toBe("agent:ci asks: Which region?");
    expect(asked[0]?.requestedSchema?.properties.answer).toMatchObject({
      oneOf: [{ const: "eu", title: "Europe" }, { const: "us" }],
    });
    expect(answered.structuredContent).toMatchObject({
      status: "answered",
      relayed: true,
      answer: { type: "choice", choices: ["eu"] },
    });
    expect(textOf(answered)).toContain("nothing proves that a person gave it");
    const ticket = await (await world.person).getTicket(idOf(answered));
    expect(ticket.resolution).toMatchObject({ assurance: "none", actor: { kind: "agent", id: "agent:ci" } });
  });

  test.each([
    [{ question: "Name it", type: "text" }, { answer: "Ada" }, { type: "text", text: "Ada" }],
    [{ question: "Go on?", type: "confirm", cancel_label: "Stop" }, { answer: "no" }, { type: "confirm", confirmed: false }],
    [
      { question: "Which?", options: ["a", "b"], allow_multiple: true, allow_other: true },
      { answer: ["2"], other: "c" },
      { type: "choice", choices: ["2"], other: "c" },
    ],
    [
      {
        question: "Fill in",
        fields: [
          { label: "Port", kind: "number" },
          { label: "Fast", kind: "boolean" },
        ],
      },
      { Port: 8080, Fast: true },
      { type: "form", values: { Port: 8080, Fast: true } },
    ],
  ])("[MCP-ELICIT-1] takes every kind of answer from a form: %o", async (question, content, answer) => {
    const { options } = answering({ action: "accept", content: content as Elicited["content"] & object }, { form: {} });
    const host = await connectHost(revision, new McpWorld(), options);
    expect((await host.call("hap_ask", question)).structuredContent).toMatchObject({ status: "answered", answer });
  });

  test("[MCP-ELICIT-2] leaves a question open when the form is declined or does not fit, and when it asks for the inbox", async () => {
    const world = new McpWorld();
    const declining = answering({ action: "decline" }, { form: {} });
    const host = await connectHost(revision, world, declining.options);
    const declined = await host.call("hap_ask", { question: "Which?", options: ["a", "b"] });
    expect(declined.structuredContent).toMatchObject({ status: "open" });
    expect(textOf(declined)).toContain("the question stays in the inbox");
    expect((await host.call("hap_ask", { question: "And now?", via: "inbox" })).structuredContent).toMatchObject({
      status: "open",
    });
    expect(declining.asked).toHaveLength(1);
    const wrong = answering({ action: "accept", content: { answer: "z" } }, { form: {} });
    const careless = await connectHost(revision, world, wrong.options);
    const refused = await careless.call("hap_ask", { question: "Which?", options: ["a", "b"] });
    expect(refused.structuredContent).toMatchObject({ status: "open" });
    expect(textOf(refused)).toContain("What was entered was not taken: The answer does not fit");
  });

  test("[MCP-ELICIT-3] a form that comes back after the person answered elsewhere changes nothing", async () => {
    const world = new McpWorld();
    const person = await world.person;
    const { options } = answering(
      async () => {
        const [ticket] = (await person.inbox()).tickets;
        await person.answer(ticket?.id ?? "", "Inbox");
        return { action: "accept", content: { answer: "Form" } };
      },
      { form: {} },
    );
    const host = await connectHost(revision, world, options);
    const answered = await host.call("hap_ask", { question: "Who was first?" });
    expect(answered.structuredContent).toMatchObject({ status: "answered", relayed: false, answer: { text: "Inbox" } });
    expect(textOf(answered)).toContain("It was answered elsewhere meanwhile.");
  });
});

test("[MCP-WAIT-1] a host of revision 2025-11-25 is not held by a form that nobody fills in", async () => {
  const { options } = answering(() => new Promise(() => {}), { form: {} });
  const host = await connectHost("2025-11-25", new McpWorld(), options);
  const unanswered = await host.call("hap_ask", { question: "Anybody?", wait_seconds: 0.5 });
  expect(unanswered.structuredContent).toMatchObject({ status: "open", ticket_id: expect.stringMatching(/^tk_/) });
});
