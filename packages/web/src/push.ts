// Being called in this browser when no page is open (Web Push): whether it can be, and switching it on and off.
import { prefer, preferences } from "./state/preferences.ts";
import { server } from "./state/session.ts";
import { t } from "./words/words.ts";

/** `unsupported`: by this browser. `insecure`: the page came without TLS. `unconfigured`: the server has no keys. */
export type PushState = { status: "unsupported" | "insecure" | "unconfigured" | "refused" | "off" | "on"; browsers: number };

const offered = () => server("pushState", {});

/** How it stands here. A browser whose subscription the server has lost is named to it again. */
export async function readPush(): Promise<PushState> {
  const { public_key: key, browsers } = await offered();
  const say = (status: PushState["status"], count = browsers) => ({ status, browsers: count });
  if (key === null) return say("unconfigured");
  if (!isSecureContext) return say("insecure");
  if (!("serviceWorker" in navigator && "PushManager" in window)) return say("unsupported");
  if (Notification.permission === "denied") return say("refused");
  const subscription = await current();
  const on = subscription !== null && sameKey(subscription, key);
  prefer({ push: on });
  return on ? say("on", await tellServer(subscription)) : say("off");
}

/** Ask the browser, then tell the server where it is to be called. */
export async function switchPushOn(summary = preferences.value.pushSummary): Promise<void> {
  prefer({ pushSummary: summary });
  const { public_key: key } = await offered();
  if (key === null) return;
  if ((await Notification.requestPermission()) !== "granted") return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  // A subscription for other keys cannot be used with these.
  if (old !== null && !sameKey(old, key)) await old.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await tellServer(made);
  await keepWords();
  prefer({ push: true });
}

/** Call this browser no more. */
export async function switchPushOff(): Promise<void> {
  prefer({ push: false });
  const subscription = await current();
  if (subscription === null) return;
  const { endpoint } = subscription;
  await server("unsubscribePush", { endpoint });
  await subscription.unsubscribe();
}

async function current(): Promise<PushSubscription | null> {
  if (!("serviceWorker" in navigator && "PushManager" in window)) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

async function tellServer(subscription: PushSubscription): Promise<number> {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  const { pushSummary: summary } = preferences.value;
  return (await server("subscribePush", { endpoint, keys: { p256dh, auth }, summary })).browsers;
}

/** The service worker speaks when no page does, so the page leaves it the words. */
async function keepWords(): Promise<void> {
  const words = {
    new: t("push.new", { code: "{code}" }),
    last_minute: t("push.lastMinute", { code: "{code}" }),
    about: t("push.about", { from: "{from}", tier: "{tier}" }),
    approve: t("common.approve"),
    reject: t("common.reject"),
    failed: t("push.failed", { code: "{code}" }),
  };
  await (await caches.open("hap-words")).put("/push-words", new Response(JSON.stringify(words)));
}

function sameKey({ options: { applicationServerKey: key } }: PushSubscription, wanted: string): boolean {
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === wanted;
}
