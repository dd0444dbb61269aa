// Push as far as a browser without its maker's service can go: the page asks the push manager, which is ours at that one
// boundary; the server calls a real push service; what arrives there is handed to the real service worker.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePushKeys, readPushKeys } from "@hap/server";
import type { BrowserContext, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { openPushService, type Pushed, type PushedBrowser } from "../../server/test/push-service.ts";
import { person, until, useWorld } from "./page.ts";
import { command } from "./tickets.ts";

const newWorld = useWorld();
let service: Awaited<ReturnType<typeof openPushService>>;

beforeAll(async () => {
  needProgram("openssl");
  service = await openPushService();
});
afterAll(() => service.close());

/** The push manager of a browser whose maker is our own push service. It keeps its subscription as a real one does. */
function pushManagerOf(browser: PushedBrowser): (context: BrowserContext) => Promise<void> {
  return async (context) => {
    await context.grantPermissions(["notifications"]);
    await context.addInitScript((given) => {
      const kept = () => localStorage.getItem("test.subscription");
      const made = (key: string) => ({
        ...given,
        options: {
          applicationServerKey: Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
            .buffer,
        },
        toJSON: () => given,
        unsubscribe: async () => {
          localStorage.removeItem("test.subscription");
          return true;
        },
      });
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (kept() === null ? null : made(kept() as string)),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem("test.subscription", applicationServerKey);
          return made(applicationServerKey);
        },
      });
    }, browser.subscription);
  };
}

/** Hand a message to the page's service worker, as the browser does when its push service sends one. */
async function deliver(page: Page, origin: string, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(origin) && !isDeleted);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
}

/** The service worker of the pages, once there is one. */
async function workerOf(context: BrowserContext): Promise<Worker> {
  await until(() => context.serviceWorkers().length > 0, "the page has its worker");
  return context.serviceWorkers().at(-1) as Worker;
}

/** What the browser shows. Asked from the worker: a page might be in view before the push was heard, and silence it. */
const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path as string }));
  });

/** Wait until the service worker has heard a push and looked for pages in view. */
async function heard(page: Page, deliverOne: () => Promise<void>): Promise<void> {
  const worker = await workerOf(page.context());
  await worker.evaluate(() =>
    addEventListener("push", () => {
      Object.assign(globalThis, { heard: true });
    }),
  );
  await deliverOne();
  await until(() => worker.evaluate(() => "heard" in globalThis), "the worker heard it");
  // Its own question was asked before this one, and is answered before it.
  await worker.evaluate(() =>
    (globalThis as unknown as { clients: { matchAll: () => Promise<unknown> } }).clients.matchAll().then(() => null),
  );
}

test("[PUSH-PAGE-1] push is switched on in the settings, calls when no page is in view, leads to the ticket, and is switched off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-push-page-"));
  const file = join(folder, "keys.json");
  makePushKeys(file, "mailto:ops@example.org");
  const { engine, open, url } = await newWorld({ pushKeys: readPushKeys({ fallback: file, env: {} }), allowPrivatePush: true });
  rmSync(folder, { recursive: true });
  const browser = service.browser();
  const page = await open("/settings", { before: pushManagerOf(browser) });
  const box = page.getByLabel("Call me in this browser when a ticket waits");
  expect(await box.isChecked()).toBe(false);
  await box.click();
  await page.getByText("You are called in 1 browser.").waitFor();
  expect(engine.countPushSubscriptions(person)).toBe(1);
  // It is still on after loading the page anew, and the server is told again.
  await page.reload();
  await page.getByText("You are called in 1 browser.").waitFor();
  expect(await box.isChecked()).toBe(true);

  const { id } = command(engine, "ls -la /srv/secret");
  await until(() => service.got.length === 1, "the push service got a message");
  const message = JSON.stringify(browser.read((service.got[0] as Pushed).body));
  // Somebody who has the page before them is not called; who is elsewhere is, and is led to the ticket.
  await page.bringToFront();
  await heard(page, () => deliver(page, url, message));
  const other = { ...JSON.parse(message), ticket_id: "tk_elsewhere", code: "where1" };
  const elsewhere = await page.context().newPage();
  const worker = await workerOf(page.context());
  await page.close();
  await deliver(elsewhere, url, JSON.stringify(other));
  await until(async () => (await shown(worker)).length > 0, "a notification is shown");
  const about = expect.stringMatching(/^helper, (routine|notable|critical)$/);
  expect(await shown(worker)).toEqual([
    { title: "Ticket where1 waits for you", body: about, tag: "tk_elsewhere", path: "/tickets/tk_elsewhere" },
  ]);
  expect(JSON.stringify([message, await shown(worker)])).not.toContain("secret");
  expect(JSON.parse(message)).toMatchObject({ ticket_id: id });

  await elsewhere.goto(`${url}/settings`);
  await elsewhere.getByText("You are called in 1 browser.").waitFor();
  await elsewhere.getByLabel("Call me in this browser when a ticket waits").click();
  await until(() => engine.countPushSubscriptions(person) === 0, "it is switched off");
});

test("[PUSH-PAGE-1] the settings say why push is not available", async () => {
  const { open } = await newWorld();
  const page = await open("/settings");
  await page.getByText("Not available: this server has no keys for Web Push.").waitFor();
  expect(await page.getByLabel("Call me in this browser when a ticket waits").count()).toBe(0);
});
