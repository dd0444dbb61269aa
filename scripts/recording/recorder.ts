// Keeps what the panes showed and when. Time is the recording's own: real waits are shortened, pauses for the reader are added.
import { rowPicture, THEMES, type Theme } from "../../packages/cli/test/screen-picture.ts";
import type { Pane } from "./pane.ts";

export type ThemeName = keyof typeof THEMES;
/** One state of a pane: its rows as pictures by theme, from `at` milliseconds on. */
export type PaneFrame = { at: number; rows: Record<ThemeName, string[]> };

/** Nobody wants to watch a machine think for longer. */
const LONGEST_WAIT_MS = 450;
/** Claude Code's spinner: a new letter is not a new state. */
const SPINNER = /^[·✢✳✶✻✽*] .+…/;

export class Recorder {
  readonly tracks: PaneFrame[][] = [];
  /** What is going on, for the reader, from `at` on. */
  readonly captions: { at: number; text: string }[] = [];
  readonly #panes: Pane[] = [];
  readonly #seen: string[] = [];
  /** First line shown of a pane, where a reader has scrolled up. */
  readonly #pinned = new Map<number, number>();
  #clock = 0;
  #last = performance.now();
  #longest = LONGEST_WAIT_MS;

  /** Record a pane; `changed` of the pane calls `capture` with the number that this returns. */
  add(pane: Pane): number {
    this.#panes.push(pane);
    this.tracks.push([]);
    return this.#panes.length - 1;
  }

  get now(): number {
    return this.#clock;
  }

  /** A pane has changed. */
  capture(track: number): void {
    const pane = this.#panes[track];
    if (pane === undefined) return;
    const words =
      pane
        .lines()
        .filter((line) => !SPINNER.test(line))
        .join("\n") + String(this.#pinned.get(track) ?? "");
    if (words === this.#seen[track]) return;
    this.#seen[track] = words;
    const now = performance.now();
    this.#clock += Math.min(now - this.#last, this.#longest);
    this.#last = now;
    this.#push(track, pane);
  }

  #push(track: number, pane: Pane): void {
    const frames = this.tracks[track] as PaneFrame[];
    // Changes within a blink are one frame.
    const last = frames.at(-1);
    const at = last !== undefined && this.#clock - last.at < 60 ? (frames.pop() as PaneFrame).at : this.#clock;
    const rows = {
      dark: picture(pane, this.#pinned.get(track), THEMES.dark),
      light: picture(pane, this.#pinned.get(track), THEMES.light),
    };
    frames.push({ at, rows });
  }

  caption(text: string): void {
    this.captions.push({ at: this.#clock, text });
  }

  /** Let the reader read. */
  hold(ms: number): void {
    this.#clock += ms;
    this.#last = performance.now();
  }

  /** Show a pane from this line of its buffer on; null: where it is. */
  pin(track: number, line: number | null): void {
    if (line === null) this.#pinned.delete(track);
    else this.#pinned.set(track, line);
    this.capture(track);
  }

  /** Type into a pane as a person would. */
  async type(track: number, keys: string): Promise<void> {
    this.#longest = 24;
    for (const key of keys) {
      this.#panes[track]?.write(key);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#longest = LONGEST_WAIT_MS;
    this.hold(250);
  }
}

function picture(pane: Pane, pinned: number | undefined, theme: Theme): string[] {
  const first = pinned ?? pane.terminal.buffer.active.baseY;
  const rows = Array.from({ length: pane.terminal.rows }, (_, row) => rowPicture(pane.terminal, first + row, theme, 0));
  // Signs that few fonts have.
  return rows.map((row) => row.replaceAll("⎿", "└").replaceAll("⏸", "‖").replaceAll("⏵", "›"));
}
