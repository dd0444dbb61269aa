// How long to wait, as people write it.
import { HapError, quote } from "@hap/protocol";

/** Milliseconds of 45, 45s, 9m or 1h30m. */
export function parseDuration(text: string): number {
  const parts = /^(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s?)?$/.exec(text.trim().toLowerCase());
  const [, hours, minutes, seconds] = parts ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined)
    throw new HapError("invalid_input", `--timeout is ${quote(text)}; give a time such as 45s, 9m or 1h30m.`, {
      field: "--timeout",
    });
  return (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
}
