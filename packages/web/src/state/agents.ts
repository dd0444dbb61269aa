// What agents are called: the name that people gave one (`hap chat label`), else the name in its id; and a colour for each.
import { signal } from "@preact/signals";
import { shortName } from "../ui/format.ts";
import { me, signedOut } from "./session.ts";

const names = signal<ReadonlyMap<string, string>>(new Map());

/** Read the names; an agent that is not known keeps its id's. */
export async function loadAgentNames(): Promise<void> {
  try {
    const cards = await me().agents();
    names.value = new Map(cards.flatMap(({ agent, name }) => (name === null ? [] : [[agent, name] as const])));
  } catch (error) {
    // Names are a convenience: without them ids are shown.
    signedOut(error);
  }
}

/** What an agent, or a person, is called. */
export const agentName = (id: string): string => names.value.get(id) ?? shortName(id);

/** One of eight colours, always the same for an id. */
export function agentColour(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 8191;
  return sum % 8;
}
