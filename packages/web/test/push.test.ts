// Push as far as a browser without its maker's service can go: the page asks the push manager, which is ours at that one
// boundary; the server calls a real push service; what arrives there is handed to the real service worker.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePushKeys, readPushKeys } from "@hap/server";
import type { BrowserContext, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { openPushService, type PushedBrowser } from "../../server/test/push-service.ts";
import { person, until, useWorld } from "./page.ts";
import { command, smallChange } from "./tickets.ts";

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

/** A server with push keys, and a page in a browser that is called, in its settings. */
async function calledWorld() {
  const folder = mkdtempSync(join(tmpdir(), "hap-push-page-"));
  const file = join(folder, "keys.json");
  makePushKeys(file, "mailto:ops@example.org");
  const world = await newWorld({ pushKeys: readPushKeys({ fallback: file, env: {} }), allowPrivatePush: true });
  rmSync(folder, { recursive: true });
  const browser = service.browser();
  const page = await world.open("/settings", { before: pushManagerOf(browser) });
  const box = page.getByLabel("Notify me in this browser when a ticket waits");
  expect(await box.isChecked()).toBe(false);
  await box.click();
  await page.getByText("Notifications are on in 1 browser.").waitFor();
  return { ...world, browser, page, box };
}

/** What the push service was given for a browser. */
const messagesTo = (browser: PushedBrowser) =>
  service.got.filter(({ path }) => browser.endpoint.endsWith(path)).map(({ body }) => browser.read(body));

/** Press a button of the notification that is shown, as the browser does; resolves when the worker has done its part. */
const press = (worker: Worker, action: string) =>
  worker.evaluate(async (pressed) => {
    type Scope = { registration: ServiceWorkerRegistration; NotificationEvent: new (type: string, init: object) => Event };
    const scope = globalThis as unknown as Scope;
    const [notification] = await scope.registration.getNotifications();
    const event = new scope.NotificationEvent("notificationclick", { notification, action: pressed });
    // Only the browser's own events can be waited for; this one is ours.
    let work: Promise<unknown> = Promise.resolve();
    Object.defineProperty(event, "waitUntil", { value: (promise: Promise<unknown>) => (work = promise) });
    dispatchEvent(event);
    await work;
  }, action);

test("[PUSH-SUMMARY-1] a routine ticket is decided by the buttons of its notification; others have none, and a refusal is said", async () => {
  const { engine, url, page, browser } = await calledWorld();
  const told = page.waitForResponse((response) => response.request().method() === "POST" && response.ok());
  await page.getByLabel("Show a ticket's summary in notifications, and decide routine tickets there").click();
  await told;
  const routine = ["Fix a typo", "Sort imports"].map((summary) => smallChange(engine, summary).id);
  const notable = command(engine, "npm install left-pad").id;
  const critical = command(engine, "sudo reboot").id;
  const ids = [...routine, notable, critical];
  await until(() => ids.every((id) => messagesTo(browser).some((one) => one.ticket_id === id)), "each ticket is called out");
  const messageFor = (id: string) => messagesTo(browser).findLast((one) => one.ticket_id === id);
  expect(messageFor(routine[0] as string)).toMatchObject({ summary: "Fix a typo", tier: "routine" });
  const elsewhere = await page.context().newPage();
  const worker = await workerOf(page.context());
  await page.close();
  const call = async (message: object | undefined) => {
    await worker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      for (const old of await registration.getNotifications()) old.close();
    });
    await deliver(elsewhere, url, JSON.stringify(message));
    await until(async () => (await shown(worker)).length === 1, "a notification is shown");
    return worker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const [one] = (await registration.getNotifications()) as (Notification & {
        actions: { action: string; title: string }[];
      })[];
      return one?.actions.map(({ action, title }) => `${action}: ${title}`);
    });
  };
  expect(await call(messageFor(routine[0] as string))).toEqual(["approve: Approve", "reject: Reject"]);
  await press(worker, "approve");
  expect(engine.getTicket(routine[0] as string)).toMatchObject({ state: "APPROVED", resolution: { actor: { id: person } } });
  await call(messageFor(routine[1] as string));
  await press(worker, "reject");
  expect(engine.getTicket(routine[1] as string).state).toBe("REJECTED");
  expect(await call(messageFor(notable))).toEqual([]);
  // A message that lies about its ticket gets no further than its server: a critical yes needs its confirmation.
  expect(await call({ ...messageFor(critical), tier: "routine", approval: true })).toHaveLength(2);
  await press(worker, "approve");
  expect(engine.getTicket(critical).resolution).toBeNull();
  expect((await shown(worker))[0]?.body).toMatch(/^Ticket \w+ was not decided\. Open it to see why\.$/);
});

test("[PUSH-PAGE-1] push is switched on in the settings, calls when no page is in view, leads to the ticket, and is switched off", async () => {
  const { engine, url, page, browser, box } = await calledWorld();
  expect(engine.countPushSubscriptions(person)).toBe(1);
  // It is still on after a reload, and the server is told again.
  await page.reload();
  await page.getByText("Notifications are on in 1 browser.").waitFor();
  expect(await box.isChecked()).toBe(true);

  const { id } = command(engine, "ls -la /srv/secret");
  await until(() => messagesTo(browser).length === 1, "the push service got a message");
  const message = JSON.stringify(messagesTo(browser)[0]);
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
  await elsewhere.getByText("Notifications are on in 1 browser.").waitFor();
  await elsewhere.getByLabel("Notify me in this browser when a ticket waits").click();
  await until(() => engine.countPushSubscriptions(person) === 0, "it is switched off");
});

test("[PUSH-PAGE-1] the settings say why push is not available", async () => {
  const { open } = await newWorld();
  const page = await open("/settings");
  await page.getByText("Not available: this server has no keys for Web Push.").waitFor();
  expect(await page.getByLabel("Notify me in this browser when a ticket waits").count()).toBe(0);
});
