import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { person, readToEnd, until, useWorld } from "./page.ts";
import { command, smallChange } from "./tickets.ts";

const newWorld = useWorld();

/** A hardware-like authenticator that verifies its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("[WEB-STEP-2] a passkey is enrolled with a code, signs a critical yes, signs in, and is revoked", async () => {
  const { engine, open, url } = await newWorld();
  const page = await open("/settings");
  await addAuthenticator(page);
  await page.getByLabel("Name of the new passkey").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "A code from your terminal" });
  await dialog.waitFor();
  await dialog.getByLabel("Code").fill(engine.issueCode({ purpose: "enrol", person }).code);
  await dialog.getByRole("button", { name: "Add the passkey" }).click();
  await page.locator(".thing", { hasText: "Laptop" }).waitFor();

  const { id, tier } = command(engine, "sudo systemctl restart app");
  expect(tier).toBe("critical");
  await page.locator(".place", { hasText: "Inbox" }).click();
  await page.locator(`[data-ticket="${id}"] .row-link`).click();
  await page.waitForSelector(".decide-bar");
  await readToEnd(page);
  await page.getByRole("button", { name: "Approve" }).click();
  const needed = page.getByRole("dialog", { name: "Approve: Run sudo systemctl restart app" });
  await needed.waitFor();
  const phrase = needed.locator(".phrase");
  if ((await phrase.count()) > 0) {
    await needed.getByRole("textbox").fill(await phrase.innerText());
    await needed.getByRole("button", { name: "Approve" }).click();
  }
  await page.getByRole("button", { name: "Use my passkey" }).click();
  await until(() => engine.getTicket(id).state === "APPROVED", "it is approved");
  expect(["key", "passkey"]).toContain(engine.getTicket(id).resolution?.assurance);
  expect(JSON.stringify(engine.history(id))).toContain('"authenticator_data"');
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });

  await page.goto(`${url}/settings`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForSelector(".shell");
  await page.goto(`${url}/settings`);
  const thing = page.locator(".thing", { hasText: "Laptop" });
  await thing.getByRole("button", { name: "Revoke" }).click();
  await thing.getByRole("button", { name: "Really revoke" }).click();
  await thing.waitFor({ state: "detached" });
}, 120_000);

test("[WEB-TALK-1] a conversation is a timeline; a reply answers what waits, else it is left for the next question", async () => {
  const { engine, open } = await newWorld();
  const { agent } = engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/src/app" });
  const page = await open("/conversations");
  const whole: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/conversation?limit=100")) whole.push(request.url());
  });
  await page.locator(".agent", { hasText: "claude_code" }).click();
  await page.getByText("No messages yet.").waitFor();
  const { id } = engine.cue({
    from: agent,
    to: person,
    kind: "cue",
    summary: "Ask",
    details: {},
    ask: { type: "text", prompt: "Shall I **go on**?" },
  });
  await page.locator(".said-asked strong", { hasText: "go on" }).waitFor();
  expect(whole, "only what is new was fetched").toHaveLength(1);
  await page.getByText("is waiting for this answer").waitFor();
  await page.getByPlaceholder("Write a reply").fill("Yes, go on");
  await page.keyboard.press("Enter");
  await until(() => engine.getTicket(id).state === "ANSWERED", "it is answered");
  await page.locator(".said-answered", { hasText: "Yes, go on" }).waitFor();
  await page.getByText("reads this with its next question").waitFor();
  await page
    .getByLabel("Files to send")
    .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
  await page.getByPlaceholder("Write a reply").fill("And read this");
  await page.getByRole("button", { name: "Queue" }).click();
  await page.locator(".queued", { hasText: "note.txt" }).waitFor();
  expect(engine.queuedMessages(agent).map(({ text }) => text)).toEqual(["And read this"]);
});

test("[WEB-INSIGHT-1, INSIGHT-FACES-1, VERIFY-LAST-1] insights count latency, timeouts, risk, load and refusals, and verify the log", async () => {
  const { engine, open } = await newWorld();
  for (const name of ["a", "b", "c"]) engine.approve(smallChange(engine, name).id, undefined, { by: person });
  const critical = command(engine, "sudo reboot").id;
  expect(() => engine.approve(critical, undefined, { by: person })).toThrow();
  const page = await open("/insights");
  const row = page.locator("tr", { hasText: "normal" });
  await row.waitFor();
  expect(await row.locator("td").first().innerText()).toBe("3");
  expect(await page.locator(".share-legend").innerText()).toContain("decided by a person 3");
  expect(await page.locator("section", { hasText: "Asks by agent" }).last().innerText()).toContain("4 in its busiest hour");
  expect(await page.locator("section", { hasText: "Decided without asking you" }).last().innerText()).toContain(
    "decided by rules",
  );
  expect(await page.locator("section", { hasText: "Load per person" }).last().innerText()).toContain("3 decided");
  expect(await page.locator("section", { hasText: "Security events" }).last().innerText()).toContain("confirmation needed");
  await page.locator(".fact", { hasText: "Last verified" }).waitFor();
  await page.getByRole("button", { name: "Verify now" }).click();
  await page.getByText("events verified just now").waitFor();
  await page.reload();
  await page.getByText("events verified").waitFor();
});

test("[WEB-RULES-1] a rule is tried on the last tickets before it can be saved, and saving takes the phrase", async () => {
  const { engine, open, home } = await newWorld();
  engine.approve(command(engine, "npm test").id, undefined, { by: person });
  engine.reject(command(engine, "npm test").id, undefined, { by: person });
  command(engine, "make");
  const page = await open("/settings");
  const save = page.getByRole("button", { name: "Save and confirm" });
  await save.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Try it on my last 200 tickets" }).click();
  const preview = page.locator(".preview");
  await preview.waitFor();
  expect(await preview.innerText()).toContain("it would have allowed 2, denied 0 and asked about 1");
  expect(await preview.innerText()).toContain("1 of these differ from what a person decided");
  await save.click();
  const dialog = page.getByRole("dialog", { name: "Confirm the policy" });
  await dialog.getByRole("textbox").fill(await dialog.locator(".phrase").innerText());
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("The policy is in force.").waitFor();
  expect(JSON.parse(readFileSync(join(home, ".hap", "policy.json"), "utf8"))).toMatchObject({ version: 1 });
  expect(engine.userPolicyStatus().trusted).toBe(true);
  expect(engine.checkPolicy({ kind: "run_command", details: { command: "npm test" } }).verdict.verdict).toBe("allow");
});

test("[WEB-SETTINGS-1] an owner makes a key that is shown once, and sees the people", async () => {
  const { engine, open } = await newWorld();
  smallChange(engine, "For Sam", { to: "human:sam" });
  const page = await open("/settings");
  await page.getByLabel("Agent").fill("agent:ci");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy the new key" });
  const secret = await dialog.locator("pre").innerText();
  expect(engine.checkKey(secret.trim()).agent).toBe("agent:ci");
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.locator(".thing", { hasText: "agent:ci" }).waitFor();
  await page.locator(".thing", { hasText: "sam" }).waitFor();
  expect(await page.locator("body").innerText()).not.toContain(secret.trim());
});

test("[RIGHTS-EXPORT-1, RIGHTS-DELETE-1, RIGHTS-FACES-1] one downloads one's data in the settings, and deletes oneself with a phrase", async () => {
  const { engine, open } = await newWorld();
  const { id } = smallChange(engine, "Ask Sam about it", { to: "human:sam" });
  engine.approve(id, "zebracomment", { by: "human:sam" });
  const page = await open("/settings", { as: "human:sam" });
  const card = page.locator("section.card", { hasText: "Your data" });
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Download my data" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("human-sam.json");
  expect(JSON.parse(readFileSync(await saved.path(), "utf8"))).toMatchObject({ person: "human:sam" });
  await card.getByRole("button", { name: "Review deletion" }).click();
  const remove = card.getByRole("button", { name: "Delete me" });
  await remove.waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await card.getByLabel("Erase").check();
  await remove.click();
  const dialog = page.getByRole("dialog", { name: "Delete me" });
  await dialog.getByRole("textbox").fill(await dialog.locator(".phrase").innerText());
  await dialog.getByRole("button", { name: "Delete me" }).click();
  await until(() => engine.people().every(({ person: name }) => name !== "human:sam"), "sam is deleted");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  const other = await open(`/tickets/${id}`);
  await other.getByText("Approved by erased person.").waitFor();
  expect(await other.locator("body").innerText()).not.toMatch(/[0-9a-hjkmnp-tv-z]{26}/);
});
