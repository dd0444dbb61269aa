// Keeps the page's own files, so that it opens at once and without a network says so itself. Tickets, answers and
// everything else that the server tells are never kept: they are asked for each time. And it calls the person when a push
// comes and no page is in view, in words that the page left here.
const KEPT = "hap-page-1";
const WORDS = "hap-words";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== KEPT && name !== WORDS) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(freshPage(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(keptFile(request));
});

/** The page as it is now; without a network, as it was. */
async function freshPage(request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok && response.headers.get("content-type")?.startsWith("text/html")) {
      // Every place of the page is the same file; the files of older ones are of no use any more.
      const before = await (await kept.match("/"))?.text();
      if (before !== undefined && before !== (await response.clone().text())) await caches.delete(KEPT);
      await (await caches.open(KEPT)).put("/", response.clone());
    }
    return response;
  } catch (error) {
    const page = await kept.match("/");
    if (page !== undefined) return page;
    throw error;
  }
}

/** Files under /assets/ have their content in their name and never change. */
async function keptFile(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request);
  if (found !== undefined) return found;
  const response = await fetch(request);
  if (response.ok) await kept.put(request, response.clone());
  return response;
}

self.addEventListener("push", (event) => event.waitUntil(call(event.data)));

/** Say that a ticket waits; somebody who has the page before them sees it there. */
async function call(data) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some(({ focused, visibilityState }) => focused && visibilityState === "visible")) return;
  const { ticket_id: id, why, base = "", ...facts } = data.json();
  const words = await (await (await caches.open(WORDS)).match("/push-words"))?.json();
  const fill = (text) => text.replaceAll(/\{(\w+)\}/g, (_, name) => String(facts[name]).replace(/^agent:/, ""));
  // What a routine ticket says it does is in the message where its person allowed that; only then it can be decided from here.
  const routine = facts.tier === "routine" && facts.approval === true && typeof facts.summary === "string" && words !== undefined;
  const about = words === undefined ? "" : fill(words.about);
  await self.registration.showNotification(words === undefined ? "HAP" : fill(words[why] ?? words.new), {
    body: typeof facts.summary === "string" ? `${facts.summary}\n${about}` : about,
    actions: routine
      ? [
          { action: "approve", title: words.approve },
          { action: "reject", title: words.reject },
        ]
      : [],
    icon: "/icon-192.png",
    // One notification a ticket: its last minute replaces its arrival, and calls again.
    tag: id,
    renotify: true,
    data: { id, base, path: `${base}/tickets/${encodeURIComponent(id)}`, failed: words === undefined ? "" : fill(words.failed) },
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { data } = event.notification;
  event.waitUntil(event.action === "" ? show(data.path) : decide(event.action, data));
});

/** Open the ticket, in a page that is there already if one is. */
async function show(path) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page === undefined) return self.clients.openWindow(path);
  await page.focus();
  await page.navigate(path);
}

/** Decide a routine ticket by a button of its notification, as the person who is signed in here. */
async function decide(decision, { id, base, path, failed }) {
  const post = (to, body) =>
    fetch(`${base}/v1/tickets/${encodeURIComponent(id)}/${to}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  try {
    await post("deliver", {});
    if ((await post("intents", { decision })).ok) return;
  } catch {
    // Without a network it is said as any other failure.
  }
  await self.registration.showNotification("HAP", {
    body: failed,
    icon: "/icon-192.png",
    tag: id,
    data: { id, base, path, failed },
  });
}
