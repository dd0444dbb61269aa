// Colours: only on a terminal, never under NO_COLOR; FORCE_COLOR asks for them elsewhere.
import { riskWord, type Tier } from "@hap/protocol";
import picocolors from "picocolors";

/** The colours in use; each leaves text as it is when colours are off. */
export type Paint = ReturnType<typeof picocolors.createColors>;

export function makePaint(env: NodeJS.ProcessEnv, isTerminal: boolean): Paint {
  return picocolors.createColors(wantsColour(env, isTerminal));
}

function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTerminal && env.TERM !== "dumb";
}

/** Green below 0.3, amber below 0.7, red from there. */
export function paintRisk(paint: Paint, risk: number, text: string): string {
  return { low: paint.green, medium: paint.yellow, high: paint.red }[riskWord(risk)](text);
}

/** The scale of severity: critical red and bold, notable amber, routine plain. */
export function paintTier(paint: Paint, tier: Tier, text: string): string {
  return tier === "critical" ? paint.bold(paint.red(text)) : tier === "notable" ? paint.yellow(text) : text;
}
