// Times as people say them.

const DAY = 86_400;
const HOUR = 3600;
const MINUTE = 60;

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? "" : "s"}`;

/** An age in a table: 12s, 5m, 3h, 2d. */
export function shortAge(seconds: number): string {
  const age = Math.max(0, Math.floor(seconds));
  if (age < MINUTE) return `${age}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`;
}

/** A moment against now: just now, 5 minutes ago. */
export function ago(seconds: number): string {
  const age = Math.max(0, Math.floor(seconds));
  if (age < 1) return "just now";
  if (age < MINUTE) return `${count(age, "second")} ago`;
  if (age < HOUR) return `${count(Math.floor(age / MINUTE), "minute")} ago`;
  if (age < DAY) return `${count(Math.floor(age / HOUR), "hour")} ago`;
  return `${count(Math.floor(age / DAY), "day")} ago`;
}

/** A span, rounded down so that nobody is promised more: 45 seconds, 55 minutes, 3 hours 20 minutes, 2 days 4 hours. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 2 * MINUTE) return count(whole, "second");
  if (whole < 2 * HOUR) return count(Math.floor(whole / MINUTE), "minute");
  if (whole < 2 * DAY) return two(whole, HOUR, "hour", MINUTE, "minute");
  return two(whole, DAY, "day", HOUR, "hour");
}

function two(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  return count(Math.floor(seconds / large), largeName) + (rest === 0 ? "" : ` ${count(rest, smallName)}`);
}

/** A moment in the reader's own time zone: 2025-10-29 10:01:05. */
export function moment(iso: string): string {
  const at = new Date(iso);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Seconds from a moment to now; negative for one that lies ahead. */
export function secondsSince(iso: string, nowMs: number): number {
  return (nowMs - new Date(iso).getTime()) / 1000;
}
