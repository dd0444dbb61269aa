// Which commands wait for a person: from a tier on, or from a risk on (D11).
import type { Tier } from "@hap/protocol";
import { TermError } from "../term-error.ts";

export type GateRule = (found: { tier: Tier; risk: number }) => boolean;

/** `critical`, `notable` (and what is graver), or `risk>=0.5`. */
export function parseGateRule(text: string): GateRule {
  if (text === "critical") return ({ tier }) => tier === "critical";
  if (text === "notable") return ({ tier }) => tier !== "routine";
  const [, least] = /^risk>=(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(text.replaceAll(" ", "")) ?? [];
  if (least !== undefined) return ({ risk }) => risk >= Number(least);
  throw new TermError(
    "usage",
    `--gate must be critical, notable, or risk>= with a number from 0 to 1, such as risk>=0.5; it is ${text}.`,
  );
}
