// The pictures of a recording: the emulator reads it once, and a page only has to show text and its colours.
import { isDeepStrictEqual } from "node:util";
import { Screen, type StyledText } from "../terminal/screen.ts";
import { DEFAULT_SIZE } from "../terminal/terminal-options.ts";
import { readCast } from "./read-trial.ts";

/** What the screen showed from a time on. */
export type Frame = { at: number } & StyledText;

/** Pictures closer together than this are one. */
const CLOSEST_SECONDS = 0.02;
const MOST_FRAMES = 400;

/** The frames of a recording; of a long one, evenly many. */
export async function renderFrames(cast: string): Promise<Frame[]> {
  const screen = new Screen(DEFAULT_SIZE);
  const frames: Frame[] = [];
  for (const { at, text } of readCast(cast)) {
    await screen.write(text);
    const shown = screen.styled();
    const last = frames.at(-1);
    if (last !== undefined && at - last.at < CLOSEST_SECONDS) frames[frames.length - 1] = { at: last.at, ...shown };
    else if (last === undefined || !isDeepStrictEqual({ at: last.at, ...shown }, last)) frames.push({ at, ...shown });
  }
  screen.dispose();
  const every = Math.ceil(frames.length / MOST_FRAMES);
  return frames.filter((_, index) => index % every === 0 || index === frames.length - 1);
}
