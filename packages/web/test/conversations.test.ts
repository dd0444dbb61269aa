// The page's conversations in Chromium: answering where it was asked, files, queued words, labels and groups, who listens.
import type { AskInput } from "@hap/protocol";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violationsInBoth } from "./axe.ts";
import { person, until, useWorld, type World } from "./page.ts";

const newWorld = useWorld();

const ask = (engine: World["engine"], from: string, question: AskInput) =>
  engine.cue({ from, to: person, kind: "cue", summary: "Asked", details: {}, ask: question }).id;

async function talk({ engine, open }: World, options: Parameters<World["open"]>[1] = {}) {
  const { agent } = engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/src/app" });
  const page = await open(`/conversations/${encodeURIComponent(agent)}`, options);
  await page.getByPlaceholder("Write a reply").waitFor();
  return { agent, page };
}

const answered = (engine: World["engine"], id: string) =>
  until(() => engine.getTicket(id).state === "ANSWERED", `${id} is answered`);
const answerOf = (engine: World["engine"], id: string) => engine.getTicket(id).resolution;

test("[WEB-TALK-2] options and confirmations are buttons: one tap answers, and typed words go along", async () => {
  const world = await newWorld();
  const { engine } = world;
  const { agent, page } = await talk(world);
  const options = ["Printer", "Command line", "Stop"].map((label) => ({ key: label, label }));
  const first = ask(engine, agent, { type: "choice", prompt: "Which part next?", options, allow_other: true });
  await page.getByRole("button", { name: "Command line" }).click();
  await answered(engine, first);
  expect(answerOf(engine, first)?.answer).toEqual({ type: "choice", choices: ["Command line"] });
  const second = ask(engine, agent, { type: "confirm", prompt: "Ship it?", confirm_label: "Ship", cancel_label: "Hold" });
  await page.getByText("Text and files go along with the answer").waitFor();
  await page.getByPlaceholder("Write a reply").fill("after lunch");
  await page.getByRole("button", { name: "Hold" }).click();
  await answered(engine, second);
  expect(answerOf(engine, second)).toMatchObject({ answer: { confirmed: false }, comment: "after lunch" });
  expect(await page.getByPlaceholder("Write a reply").inputValue()).toBe("");
  // Words of one's own answer a choice, too.
  const third = ask(engine, agent, { type: "choice", prompt: "And then?", options, allow_other: true });
  await page.getByRole("button", { name: "Printer" }).waitFor();
  await page.getByPlaceholder("Write a reply").fill("Take a rest");
  await page.keyboard.press("Enter");
  await answered(engine, third);
  expect(answerOf(engine, third)?.answer).toEqual({ type: "choice", choices: [], other: "Take a rest" });
});

test("[WEB-TALK-2] of several options, those that were chosen stay beside words of one's own", async () => {
  const world = await newWorld();
  const { engine } = world;
  const { agent, page } = await talk(world);
  const options = ["A", "B", "C"].map((label) => ({ key: label, label }));
  const id = ask(engine, agent, { type: "choice", prompt: "Which?", options, allow_multiple: true, allow_other: true });
  const send = page.getByRole("button", { name: "Send choice" });
  await send.waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "C", exact: true }).click();
  expect(await page.getByRole("button", { name: "C", exact: true }).getAttribute("aria-pressed")).toBe("true");
  await page.getByPlaceholder("Write a reply").fill("something else");
  await page.keyboard.press("Enter");
  await answered(engine, id);
  expect(answerOf(engine, id)?.answer).toEqual({ type: "choice", choices: ["C"], other: "something else" });
});

test("[WEB-TALK-2] a form is filled in where it was asked, and what does not fit is said beside it", async () => {
  const world = await newWorld();
  const { engine } = world;
  const { agent, page } = await talk(world);
  const id = ask(engine, agent, {
    type: "form",
    prompt: "Where to?",
    fields: [
      {
        key: "env",
        label: "Env",
        kind: "choice",
        options: ["prod", "staging"].map((key) => ({ key, label: key })),
        allow_other: true,
      },
      { key: "port", label: "Port", kind: "number" },
    ],
  });
  await page.getByLabel("staging").check();
  await page.getByLabel("Port").fill("many");
  await page.getByRole("button", { name: "Send answers" }).click();
  await page.getByRole("alert").waitFor();
  expect(engine.getTicket(id).resolution).toBeNull();
  await page.getByLabel("Port").fill("8080");
  await page.getByRole("button", { name: "Send answers" }).click();
  await answered(engine, id);
  expect(answerOf(engine, id)?.answer).toEqual({ type: "form", values: { env: "staging", port: 8080 } });
});

/** Paste a file as a browser does. */
async function paste(page: Page, name: string, type: string, bytes: readonly number[]): Promise<void> {
  await page.getByPlaceholder("Write a reply").evaluate(
    (box, file) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { name, type, bytes: [...bytes] },
  );
}

test("[WEB-TALK-3] files and pasted images go with an answer, with their type, and can be taken out before", async () => {
  const world = await newWorld();
  const { engine } = world;
  const { agent, page } = await talk(world);
  const id = ask(engine, agent, {
    type: "choice",
    prompt: "Which?",
    options: [
      { key: "A", label: "A" },
      { key: "B", label: "B" },
    ],
  });
  await page.getByRole("button", { name: "B", exact: true }).waitFor();
  await paste(page, "image.png", "image/png", [137, 80, 78, 71]);
  await page.getByLabel("Files to send").setInputFiles([
    { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
    { name: "wrong.txt", mimeType: "text/plain", buffer: Buffer.from("no") },
  ]);
  await page.getByRole("button", { name: "Remove wrong.txt" }).click();
  await page.getByRole("button", { name: "B", exact: true }).click();
  await answered(engine, id);
  const [message] = engine.queuedMessages(agent);
  expect(message?.attachments).toMatchObject([
    { name: expect.stringMatching(/^pasted-\d{14}-1\.png$/), media_type: "image/png", size: 4 },
    { name: "note.txt", media_type: "text/plain", size: 5 },
  ]);
  expect(await page.locator(".file-chips").count()).toBe(0);
  // A second answer must not send them again.
  const next = ask(engine, agent, { type: "confirm", prompt: "Go on?" });
  await page.getByRole("button", { name: "Confirm" }).click();
  await answered(engine, next);
  expect(engine.queuedMessages(agent)).toHaveLength(1);
});

test("[WEB-TALK-4] queued words are listed in their order, edited, moved and withdrawn until they are read", async () => {
  const world = await newWorld();
  const { engine } = world;
  const { agent, page } = await talk(world);
  for (const words of ["first", "second", "third"]) {
    await page.getByPlaceholder("Write a reply").fill(words);
    await page.getByRole("button", { name: "Queue" }).click();
    await page.locator(".queued", { hasText: words }).waitFor();
  }
  const texts = () => engine.queuedMessages(agent).map(({ text }) => text);
  const row = (words: string) => page.locator(".queued", { hasText: words });
  await row("third").getByRole("button", { name: "Move up" }).click();
  await until(() => texts().join() === "first,third,second", "it was moved");
  await until(async () => (await page.locator(".queued-words").allInnerTexts()).join() === "first,third,second", "and is shown");
  expect(await row("first").getByRole("button", { name: "Move up" }).isDisabled()).toBe(true);
  await row("third").getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("New text").fill("third, really");
  await page.getByRole("button", { name: "Save" }).click();
  await until(() => texts().join("|") === "first|third, really|second", "it was edited");
  await row("first").getByRole("button", { name: "Withdraw" }).click();
  await until(() => texts().join("|") === "third, really|second", "it was withdrawn");
  await page.locator(".said-message", { hasText: "withdrawn, never read" }).first().waitFor();
  // Words of another person are shown and cannot be changed.
  engine.queueMessage(agent, { text: "from Sam" }, "human:sam");
  await row("from Sam").waitFor();
  expect(await row("from Sam").getByRole("button").count()).toBe(0);
  // Once they were read they are in the timeline.
  engine.takeMessages(
    agent,
    engine.queuedMessages(agent).map(({ id }) => id),
    null,
  );
  await page.locator(".said-message", { hasText: "third, really" }).filter({ hasText: "was read" }).waitFor();
  await page.locator(".queue").waitFor({ state: "detached" });
});

test("[WEB-TALK-5] an agent has a label and a group of the person's own, and the list is by group", async () => {
  const world = await newWorld();
  const { engine } = world;
  engine.joinAgent({ agent_runtime: "codex" });
  const { agent, page } = await talk(world);
  await page.getByRole("button", { name: "Edit label and group" }).click();
  await page.getByLabel("Label", { exact: true }).fill("Parser");
  await page.getByLabel("Group", { exact: true }).fill("compiler");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".agent-group", { hasText: "compiler" }).waitFor();
  expect(engine.getAgent(agent)).toMatchObject({ name: "Parser", group: "compiler" });
  expect(await page.locator(".agent-group").allInnerTexts()).toEqual(["compiler", "No group"]);
  expect(await page.locator(".agent", { hasText: "Parser" }).innerText()).toContain(agent.replace("agent:", ""));
  await page.locator(".talk-name", { hasText: "Parser" }).waitFor();
});

test("[WEB-TALK-6] the question that the agent waits for says so, and a question shows no risk and no hash", async () => {
  const world = await newWorld();
  const { engine, url } = world;
  const { agent, page } = await talk(world);
  const id = ask(engine, agent, { type: "text", prompt: "Shall I go on?" });
  const bubble = page.locator(".open-question", { hasText: "Shall I go on?" });
  await bubble.getByText("Listening now").waitFor();
  await page.locator(".agent .listening").waitFor();
  expect(await bubble.innerText()).not.toMatch(/risk|sha256|tk_|0\.\d/i);
  engine.listen(id, agent, false);
  await page.goto(`${url}/conversations/${encodeURIComponent(agent)}`);
  await bubble.waitFor();
  expect(await page.getByText("Listening now").count()).toBe(0);
});

test("[WEB-TALK-7] everything of it fits and is accessible, on a desk and on a phone, light and dark", async () => {
  const world = await newWorld();
  const { engine, url } = world;
  const { agent, page } = await talk(world, { hasTouch: true });
  engine.labelAgent(agent, { name: "Parser of the whole compiler", group: "compiler" }, person);
  const old = ask(engine, agent, { type: "text", prompt: "The parser is done, **14 tests** pass. Which part next?" });
  engine.answer(old, "The printer, please", { by: person });
  engine.queueMessage(agent, { text: "then run the tests" }, person);
  engine.queueMessage(agent, { text: "and a very long line about what to do after that, which has to wrap somewhere" }, person);
  const labels = ["Printer", "Command line, with completions for three shells and a manual page", "Stop"];
  const options = labels.map((label) => ({ key: label.slice(0, 20), label }));
  ask(engine, agent, { type: "choice", prompt: "Which part next?", options, allow_other: true });
  await page.getByRole("button", { name: "Printer", exact: true }).waitFor();
  await page.locator(".queued").nth(1).waitFor();
  await page.getByLabel("Files to send").setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: Buffer.from("x") });
  await page.locator(".file-chip").first().waitFor();
  const check = async () => {
    for (const width of [360, 820, 1280]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await violationsInBoth(page), String(width)).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(sideways, String(width)).toBe(0);
    }
  };
  await check();
  await page.getByRole("button", { name: "Edit label and group" }).click();
  await page.getByRole("dialog").waitFor();
  await check();
  await page.goto(`${url}/conversations`);
  await page.locator(".agent-group").waitFor();
  await check();
});
