// A phone paired by a QR code: one link, one use, a sign-in of its own that can be ended from the desk (D44).
import { describe, expect, test } from "vitest";
import { person, signInByCode, until, useWorld } from "./page.ts";

describe("pairing", () => {
  const world = useWorld();

  test("[PAIR-LINK-1] the desk shows a code, the phone is signed in by it once, and the desk ends it", async () => {
    const made = await world();
    const { engine, open, url } = made;
    const desk = await open("/settings");
    await signInByCode(desk, made);
    await desk.goto(`${url}/settings`);
    const before = engine.listSignIns(person, "").length;
    await desk.getByRole("button", { name: "Pair a phone" }).click();
    await desk.getByText("Only this machine can reach").waitFor();
    await desk.getByLabel("Name of the device").fill("Alex's phone");
    const answered = desk.waitForResponse((response) => response.url().endsWith("/v1/pairings"));
    await desk.getByRole("button", { name: "Show the code" }).click();
    const { secret } = (await (await answered).json()) as { secret: string };
    await desk.getByRole("img", { name: "QR code of the pairing link" }).waitFor();
    const phone = await desk
      .context()
      .browser()
      ?.newContext({ viewport: { width: 390, height: 844 } });
    if (phone === undefined) throw new Error("there is no browser");
    const page = await phone.newPage();
    await page.goto(`${url}/#pair=${secret}`);
    await page.getByText("This device is paired.").waitFor();
    expect(page.url()).not.toContain(secret);
    await desk.getByRole("button", { name: "Done" }).click();
    await desk.getByText("Alex's phone").waitFor();
    // The link works once.
    const again = await phone.browser()?.newContext();
    const other = await again?.newPage();
    await other?.goto(`${url}/#pair=${secret}`);
    await other?.getByText("Sign in to your inbox").waitFor();
    await desk.getByRole("listitem").filter({ hasText: "Alex's phone" }).getByRole("button", { name: "End" }).click();
    await until(() => engine.listSignIns(person, "").length === before, "the phone's sign-in has ended");
    await page.goto(`${url}/settings`);
    await page.getByText("Sign in to your inbox").waitFor();
    await again?.close();
    await phone.close();
  });

  test("[PAIR-LINK-1] a token cannot pair a device: a program can hold one", async () => {
    const { engine, url } = await world();
    const { secret } = engine.signIn(person, "token", "code");
    const response = await fetch(`${url}/v1/pairings`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Phone" }),
    });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { code: string }).code).toBe("page_needed");
  });
});
