// Words for times and names, as people say them.
import { isErasedPerson } from "@hap/protocol";
import { locale } from "../words/language.ts";
import { t } from "../words/words.ts";

/** A countdown: `4:05`, `1:02:03`, `2 d 3 h`. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const two = (value: number) => String(value).padStart(2, "0");
  if (days > 0) return t("time.daysAndHours", { days, hours });
  if (hours > 0) return `${hours}:${two(minutes)}:${two(whole % 60)}`;
  return `${minutes}:${two(whole % 60)}`;
}

/** A stretch of time, rounded: `just now`, `5 min`, `2 h`, `3 d`. */
export function span(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return t("time.now");
  if (minutes < 60) return t("time.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t("time.hours", { count: hours }) : t("time.days", { count: Math.floor(hours / 24) });
}

/** How long ago something was, in a sentence. */
export function ago(ms: number): string {
  return ms < 60_000 ? t("time.justNow") : t("time.ago", { span: span(ms) });
}

/** A number of seconds as a length of time: `90 s`, `5 min`, `2 h`. */
export function length(seconds: number): string {
  if (seconds < 120) return t("time.seconds", { count: Math.round(seconds) });
  if (seconds < 7200) return t("time.minutes", { count: Math.round(seconds / 60) });
  return seconds < 172_800
    ? t("time.hours", { count: Math.round(seconds / 3600) })
    : t("time.days", { count: Math.round(seconds / 86_400) });
}

const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const clockTimes = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });

/** A moment in the person's own way of writing it. */
export const moment = (iso: string) => moments.format(new Date(iso));
/** The day of a moment. */
export const day = (iso: string) => days.format(new Date(iso));
/** The time of day. */
export const clockTime = (ms: number) => clockTimes.format(new Date(ms));

/** When something was used last. */
export const usedWords = (iso: string | null) => (iso === null ? t("common.neverUsed") : t("common.used", { at: moment(iso) }));

/** `agent:code-helper` -> `code-helper`, for places where it is plain what it names. A deleted person has no name. */
export const shortName = (id: string) => (isErasedPerson(id) ? t("common.erasedPerson") : id.slice(id.indexOf(":") + 1));

/** `modify_file` -> `modify file`. */
export const plainKind = (kind: string) => kind.replaceAll("_", " ");

/** The last part of a path. */
export const baseName = (folder: string) => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;
