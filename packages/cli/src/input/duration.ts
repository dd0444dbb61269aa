// Durations as people type them: 45s, 10m, 1h30m, 2d, or plain seconds.
import { HapError, quote } from "@hap/protocol";

const unitSeconds = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** Seconds of a duration; `name` is the option or argument that it was given as. */
export function parseDuration(text: string, name: string): number {
  const typed = text.trim().toLowerCase();
  if (/^[0-9]{1,15}$/.test(typed)) return Number(typed);
  const parts = /^(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?$/.exec(typed);
  if (parts === null || typed === "") {
    throw new HapError(
      "invalid_input",
      `${name} is ${quote(text)}; give a time such as 45s, 10m, 1h30m or 2d, or a number of seconds.`,
      { field: name },
    );
  }
  const [, days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (
    (days ?? 0) * unitSeconds.d + (hours ?? 0) * unitSeconds.h + (minutes ?? 0) * unitSeconds.m + (seconds ?? 0) * unitSeconds.s
  );
}
