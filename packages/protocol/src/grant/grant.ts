// Grants and denials (D43): a person's answer to calls that come later, bounded in scope, time and number. The log holds each as
// `grant.create`, every use as `grant.use`, and its end as `grant.end`.
import * as z from "zod";
import {
  type AssuranceLevel,
  type GRANT_ENDS,
  GRANT_LIMITS,
  type GRANT_STATES,
  GRANT_VERDICTS,
  type Tier,
} from "../constants.ts";
import { once } from "../once.ts";
import { askerIdSchema, ticketIdSchema, tokenSchema, words } from "../schema/primitives.ts";
import { isEffect } from "../tier.ts";
import { readCommandPattern } from "./command-pattern.ts";

const tokens = () => z.array(tokenSchema()).min(1).max(GRANT_LIMITS.patterns);
const patterns = () => z.array(words(GRANT_LIMITS.patternChars, 1)).min(1).max(GRANT_LIMITS.patterns);

const commandPattern = () =>
  words(GRANT_LIMITS.patternChars, 1).refine(isCommandPattern, {
    error: "must begin with a program's name, and close its quotes, such as npm install *",
  });

/** A pattern names its program; one for every program would be no narrowing. */
function isCommandPattern(text: string): boolean {
  const program = readCommandPattern(text)?.words[0];
  return program?.is === "text" && /^[A-Za-z0-9_.+-]+$/.test(program.text);
}

const rate = () =>
  z.object({ uses: z.int().min(1).max(GRANT_LIMITS.uses), seconds: z.int().min(1).max(GRANT_LIMITS.rateSeconds) });

/** What a person says to make a grant or a denial. */
export const grantInputSchema = once(() =>
  z.strictObject({
    verdict: z.enum(GRANT_VERDICTS).default("allow"),
    /** One agent; a denial may leave it out, and is about every agent then. */
    agent: askerIdSchema().nullish(),
    session: tokenSchema().nullish(),
    /** The project's folder. */
    project: words(4096, 1).nullish(),
    kinds: tokens().nullish(),
    commands: z.array(commandPattern()).min(1).max(GRANT_LIMITS.patterns).nullish(),
    paths: patterns().nullish(),
    hosts: patterns().nullish(),
    environments: tokens().nullish(),
    effects: z
      .array(z.string().refine(isEffect, { error: "must be an effect that HAP knows, such as network" }))
      .max(GRANT_LIMITS.patterns)
      .nullish(),
    /** How long; null for no end. */
    seconds: z.int().min(1).max(GRANT_LIMITS.seconds).nullable(),
    uses: z.int().min(1).max(GRANT_LIMITS.uses).nullish(),
    rate: rate().nullish(),
    /** The ticket that it was proposed from. */
    ticket_id: ticketIdSchema().nullish(),
  }),
);
export type GrantInput = z.input<ReturnType<typeof grantInputSchema>>;
export type ParsedGrantInput = z.output<ReturnType<typeof grantInputSchema>>;

/** What a caller's own disk and shell say about a call, which the engine cannot see. It only ever narrows. */
export type SeenCall = {
  /** Effects that were found there, and not by the engine. */
  effects?: readonly string[];
  /** The real paths of files that the call changes. */
  paths?: readonly string[];
  /** False when a program of the command lies where an agent could have put it, or the shell is not known. */
  trusted?: boolean;
  /** A use for the same call at most so many milliseconds ago counts for this one too: the host asks twice about one call. */
  repeat_ms?: number;
};

/** A use as the agent that made it is told. */
export type GrantUse = {
  grant_id: string;
  verdict: (typeof GRANT_VERDICTS)[number];
  by: string;
  /** Uses that are left; null without a limit. */
  left: number | null;
  ends_at: string | null;
  words: string;
};

/** A grant as it is shown. */
export type GrantView = {
  id: string;
  verdict: (typeof GRANT_VERDICTS)[number];
  person: string;
  agent: string | null;
  session: string | null;
  project: string | null;
  kinds: string[] | null;
  /** Null where there are none, or where they were erased: an erased grant covers nothing. */
  commands: string[] | null;
  paths: string[] | null;
  hosts: string[] | null;
  environments: string[] | null;
  effects: string[] | null;
  created_at: string;
  ends_at: string | null;
  uses: number | null;
  rate: { uses: number; seconds: number } | null;
  /** How often it was used, and how often it still may be. */
  used: number;
  left: number | null;
  last_used_at: string | null;
  state: (typeof GRANT_STATES)[number];
  ended_at: string | null;
  ended_because: (typeof GRANT_ENDS)[number] | null;
  ended_by: string | null;
  ticket_id: string | null;
  /** How well it is known that the person made it (D3), and whether they typed the phrase. */
  assurance: AssuranceLevel;
  confirmed: boolean;
  /** One sentence that says what it does. */
  words: string;
};

/** One use in the journal. Texts are null where they were erased. */
export type GrantUseView = {
  at: string;
  event_id: string;
  call_hash: string;
  agent: string;
  kind: string;
  tier: Tier;
  effects: string[];
  commands: string[][] | null;
  paths: string[] | null;
  hosts: string[] | null;
};

/** What a grant would have decided among the newest tickets. */
export type GrantPreview = {
  /** How many tickets were looked at. */
  tickets: number;
  /** Those that it would have answered, newest first. */
  matches: {
    id: string;
    summary: string;
    from: string;
    kind: string;
    created_at: string;
    tier: Tier;
    /** How it really ended, and by whom; null while it is open. */
    outcome: string | null;
    by: string | null;
  }[];
  /** Of these: how many a person approved, rejected, or left to end otherwise. */
  approved: number;
  rejected: number;
  other: number;
};

/** What a grant needs from its person before it counts; null for a denial. */
export type GrantNeeds = "signature" | "phrase" | null;

/** A grant for what a ticket asks: the narrowest first, then wider ones. */
export type GrantProposal = { input: GrantInput; words: string; wider: { input: GrantInput; words: string }[] };
