// What effects mean, in the words that every list, page and terminal shows them in, worst first.
import { TIERS, type Tier } from "./constants.ts";
import { compareCodePoints } from "./key-order.ts";
import { EFFECT_TIERS, type Effect, isEffect } from "./tier.ts";

const words: Record<Effect, string> = {
  read_inside: "reads project files",
  write_inside: "changes project files",
  delete_inside: "deletes project files",
  read_outside: "reads outside the project",
  write_outside: "writes outside the project",
  network: "uses the network",
  process_control: "stops other programs",
  gate_files: "changes the gate's own files",
  delete_outside: "deletes outside the project",
  destroy_data: "destroys data for good",
  privilege: "uses elevated privileges",
  credentials: "touches credentials",
  send_data: "can send data out",
  irreversible_vcs: "overwrites version history",
  production: "reaches production",
  opaque: "hides part of what it does",
  unseen_interpreter: "runs code that is not shown",
  unknown: "could not be analysed",
};

/** The words for an effect, to follow the name of an action. */
export function effectWords(effect: string): string {
  return isEffect(effect) ? words[effect] : `has the effect ${effect}`;
}

/** The least tier that an effect makes. */
export function tierOfEffect(effect: string): Tier {
  return isEffect(effect) ? EFFECT_TIERS[effect] : "notable";
}

/** Effects in the order in which a person needs them: worst first, then by name. */
export function worstFirst(effects: readonly string[]): string[] {
  const rank = (effect: string) => TIERS.indexOf(tierOfEffect(effect));
  return [...effects].sort((a, b) => rank(b) - rank(a) || compareCodePoints(a, b));
}
