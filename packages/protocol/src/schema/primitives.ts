// The small shapes that every message is made of, with words for when they do not fit.
import * as z from "zod";
import { ASSURANCE_LEVELS, LIMITS, TRUST_CLASSES } from "../constants.ts";
import { ID_PATTERNS } from "../identifiers.ts";
import { once } from "../once.ts";

const shaped = (pattern: RegExp, words: string) => z.string({ error: words }).regex(pattern, { error: words });

export const ticketIdSchema = once(() => shaped(ID_PATTERNS.ticket, "must be tk_ and 3 or more of a-z and 0-9"));
export const eventIdSchema = once(() => shaped(ID_PATTERNS.event, "must be evt_ and 26 base32 characters"));
export const humanIdSchema = once(() => shaped(ID_PATTERNS.human, "must be human:NAME, NAME of a-z, 0-9, _ and - (up to 64)"));
/** A person as the log names them (D19): a handle that says nothing about who it is. */
export const handleSchema = once(() => shaped(ID_PATTERNS.handle, "must be human: and 26 base32 characters"));
export const runtimeIdSchema = once(() => shaped(ID_PATTERNS.runtime, "must be rt_ and 26 base32 characters"));
export const projectIdSchema = once(() => shaped(ID_PATTERNS.project, "must be prj_ and 26 base32 characters"));
export const messageIdSchema = once(() => shaped(ID_PATTERNS.message, "must be msg_ and 26 base32 characters"));
export const keyIdSchema = once(() => shaped(ID_PATTERNS.key, "must be key_ and 26 base32 characters"));
export const webhookIdSchema = once(() => shaped(ID_PATTERNS.webhook, "must be whk_ and 26 base32 characters"));
export const grantIdSchema = once(() => shaped(ID_PATTERNS.grant, "must be gr_ and 26 base32 characters"));
/** Where an agent runs: `claude_code`, `codex`, `terminal`. */
export const agentRuntimeSchema = once(() => shaped(ID_PATTERNS.agentRuntime, "must be 1 to 64 of a-z, 0-9 and _"));
export const askerIdSchema = once(() =>
  shaped(ID_PATTERNS.asker, "must be agent:NAME or system:NAME, NAME of a-z, 0-9, _ and - (up to 64)"),
);
export const nonceSchema = once(() => shaped(ID_PATTERNS.nonce, "must be n_ and 32 hexadecimal digits"));
export const hashSchema = once(() => shaped(ID_PATTERNS.hash, "must be sha256: and 64 lower-case hexadecimal digits"));

/** A token stays in the payload (D19); it must not look like a person, whom faces would resolve. */
export const tokenSchema = once(() =>
  shaped(ID_PATTERNS.token, "must be 1 to 64 of a-z, 0-9, _ . : and -, starting with a letter or digit").refine(
    (token) => !token.startsWith("human:"),
    { error: "must not name a person" },
  ),
);

/** What found a ticket's effects, and in which version: `shell/1`. */
export const classifierSchema = once(() => shaped(/^[a-z0-9][a-z0-9_.:/-]{0,63}$/, "must be 1 to 64 of a-z, 0-9, _ . : / and -"));

/** RFC 3339 with milliseconds in UTC, as this runtime writes it. */
export const timeSchema = once(() =>
  shaped(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/, "must be a time such as 2026-01-31T10:01:05Z")
    .refine(isRealTime, { error: "must be a time that exists" })
    .meta({ format: "date-time" }),
);

/** JavaScript reads 30 February as 2 March; such a time is refused. */
function isRealTime(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** A salted digest in place of a text (D19). */
export const refSchema = once(() => shaped(/^(text|json):sha256:[0-9a-f]{64}$/, "must be a content reference"));

export const riskSchema = once(() =>
  z
    .number({ error: "must be a number from 0 to 1" })
    .min(0, { error: "must be a number from 0 to 1" })
    .max(1, { error: "must be a number from 0 to 1" }),
);

const ttlWords = `must be a whole number of seconds from 1 to ${LIMITS.ttlSecondsMax} (7 days)`;
export const ttlSchema = once(() =>
  z.int({ error: ttlWords }).min(1, { error: ttlWords }).max(LIMITS.ttlSecondsMax, { error: ttlWords }),
);

export const assuranceSchema = once(() => z.enum(ASSURANCE_LEVELS));
export const trustSchema = once(() => z.enum(TRUST_CLASSES));

/** One of a list, with words that name the list. */
export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` });
}

/** Words of a person or an agent: whole characters, no NUL, at most `max` of them. */
export function words(max: number, min = 0) {
  const size = min > 0 ? `must be ${min} to ${max} characters` : `must be at most ${max} characters`;
  return z
    .string({ error: "must be text" })
    .refine((text) => text.isWellFormed(), { error: "must not hold half of a surrogate pair" })
    .refine((text) => !text.includes("\0"), { error: "must not hold NUL" })
    .refine((text) => lengthWithin(text, min, max), { error: size })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/** Bytes of a signature or a credential. The alphabet has no colon, so that none can pass for a reference or a person. */
export const base64urlSchema = once(() =>
  shaped(/^[A-Za-z0-9_-]{1,8192}$/, "must be base64url without padding, at most 8192 characters").meta({
    contentEncoding: "base64url",
  }),
);

function lengthWithin(text: string, min: number, max: number): boolean {
  if (text.trim().length < min) return false;
  if (text.length <= max) return true;
  return text.length <= max * 2 && [...text].length <= max;
}
