// The tier of a ticket (D11): what the runtime itself recognises counts, not only the number that rests on claims.
import type { Tier } from "./constants.ts";

/** Every effect that a classifier may name, and the least tier that it alone makes. */
export const EFFECT_TIERS = {
  read_inside: "routine",
  write_inside: "routine",
  delete_inside: "notable",
  read_outside: "notable",
  write_outside: "notable",
  network: "notable",
  process_control: "notable",
  gate_files: "critical",
  delete_outside: "critical",
  destroy_data: "critical",
  privilege: "critical",
  credentials: "critical",
  send_data: "critical",
  irreversible_vcs: "critical",
  production: "critical",
  opaque: "critical",
  unseen_interpreter: "critical",
  unknown: "notable",
} as const satisfies Record<string, Tier>;
export type Effect = keyof typeof EFFECT_TIERS;

/** True for an effect that this version knows. */
export function isEffect(effect: string): effect is Effect {
  return Object.hasOwn(EFFECT_TIERS, effect);
}

/** Tier from risk and effects. An effect that this version does not know counts as notable. */
export function computeTier(risk: number, effects: readonly string[]): Tier {
  const tiers = effects.map((effect): Tier => (isEffect(effect) ? EFFECT_TIERS[effect] : "notable"));
  if (risk >= 0.7 || tiers.includes("critical")) return "critical";
  if (risk >= 0.3 || tiers.includes("notable")) return "notable";
  return "routine";
}
