// Calling a person who is not looking: the title's count, a notification, a sound. Never while the page is in view, and
// never with what the action would do: others may see the screen.
import type { Ticket } from "@hap/protocol";
import { effect } from "@preact/signals";
import { arrivals } from "./inbox/tickets.ts";
import { waiting } from "./inbox/totals.ts";
import { at, go, ticketPath } from "./router.ts";
import { host } from "./state/host.ts";
import { preferences } from "./state/preferences.ts";
import { plainKind, shortName } from "./ui/format.ts";
import { t } from "./words/words.ts";

/** True while the person has the page before them. */
const inView = () => document.visibilityState === "visible" && document.hasFocus();

/** Keep the title's count, and call when something arrives. */
export function watchNotice(): void {
  effect(() => {
    const count = waiting.value;
    document.title = count === 0 ? "HAP" : `(${count}) HAP`;
  });
  let told = 0;
  effect(() => {
    const all = arrivals.value;
    const fresh = all.filter(({ seq }) => seq > told);
    told = Math.max(told, ...all.map(({ seq }) => seq));
    if (fresh.length === 0 || inView()) return;
    if (preferences.value.sound) ring();
    // The desktop app notifies by itself, whatever its page is doing.
    if (preferences.value.notify && !preferences.value.push && host() === null) notify(fresh);
  });
}

function notify(fresh: readonly Ticket[]): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const first = fresh[0] as Ticket;
  const title =
    fresh.length === 1 ? t("notice.title", { from: shortName(first.from) }) : t("notice.many", { count: fresh.length });
  const what = first.ask.type === "approval" ? t("notice.action", { kind: plainKind(first.intent.kind) }) : t("notice.question");
  const notification = new Notification(title, { body: what, tag: "hap", icon: "/icon-192.png" });
  notification.onclick = () => {
    window.focus();
    go(fresh.length === 1 ? ticketPath(first.id) : at("/"));
    notification.close();
  };
}

/** Two soft tones. */
export function ring(): void {
  const audio = new AudioContext();
  for (const [at, pitch] of [
    [0, 659],
    [0.16, 880],
  ] as const) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, audio.currentTime + at);
    loudness.gain.linearRampToValueAtTime(0.12, audio.currentTime + at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.35);
    tone.connect(loudness).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + 0.4);
  }
  setTimeout(() => void audio.close(), 1000);
}
