// The program around the page, where it is no browser: the desktop app. It brings the way to the engine, and does what an app
// does better than a page: notifications, the tray, links. In a browser there is none.
import type { Transport } from "@hap/sdk/page";
import type { Signal } from "@preact/signals";

/** How far the app has verified the log's hash chain, which it does by itself. */
export type ChainState =
  | { status: "checking"; events: number }
  | { status: "verified"; events: number; head: string }
  | { status: "broken"; violation: { seq: number; message: string } };

export const NOTIFY_FROM = ["critical", "high", "normal", "low"] as const;

/** What the person chose for the app on this machine; the app keeps it. */
export type AppSettings = {
  notify_from: (typeof NOTIFY_FROM)[number];
  paused: boolean;
  shortcut: string;
  zoom: number;
  keep_in_tray: boolean;
  /** Null where the system does not say. */
  autostart: boolean | null;
  shortcut_problem: string | null;
};

export type Host = {
  transport: Transport;
  chain: Signal<ChainState | null>;
  /** Why the app cannot read the store, or null. */
  problem: Signal<string | null>;
  settings: () => Promise<AppSettings>;
  changeSettings: (to: AppSettings) => Promise<AppSettings>;
};

let current: Host | null = null;

/** The app around this page, or null in a browser. */
export const host = (): Host | null => current;

/** Say once, before anything is shown, that there is one. */
export function setHost(found: Host): void {
  current = found;
}
