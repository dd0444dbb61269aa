// What the person chose for this browser: how it looks and how it calls. Kept here, told to nobody.
import { UNDO_SECONDS } from "@hap/protocol";
import { effect, signal } from "@preact/signals";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export type Grouping = "priority" | "agent" | "project" | "session";

type Preferences = {
  theme: Theme;
  sound: boolean;
  notify: boolean;
  /** The browser is called by push, so the page need not call as well. */
  push: boolean;
  /** A push may hold the ticket's summary. */
  pushSummary: boolean;
  grouping: Grouping;
  density: "comfortable" | "compact";
  diffLayout: "unified" | "split";
  showWhitespace: boolean;
  /** For how long a yes can be undone, by severity. */
  undoSeconds: { routine: number; notable: number };
};

const NAME = "hap.preferences";
const defaults: Preferences = {
  theme: "system",
  sound: false,
  notify: true,
  push: false,
  pushSummary: false,
  grouping: "priority",
  density: "comfortable",
  diffLayout: "unified",
  showWhitespace: false,
  undoSeconds: { ...UNDO_SECONDS },
};

export const preferences = signal<Preferences>({ ...defaults, ...read() });

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}

/** Change some of them. */
export function prefer(changes: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...changes };
  localStorage.setItem(NAME, JSON.stringify(preferences.value));
}

/** Keep the page's colours as they are preferred. */
export function watchTheme(): void {
  effect(() => {
    const { theme } = preferences.value;
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  });
}
