// Which call a delta belongs to. Servers number calls wrongly, name them again, or not at all (docs/yume-providers.md);
// where a delta could begin a call or go on with one, it begins one only when the call before it is whole.
import { areWhole } from "../call-arguments.ts";
import type { OpenCall, TurnCollector } from "../turn-collector.ts";

/** A delta of a call, already tolerant: what was missing is null. */
export type CallDelta = { index: number | null; id: string | null; name: string | null; json: string };

type Known = { call: OpenCall; index: number | null; ids: Set<string>; name: string | null };

export class ChatCalls {
  readonly #collector: TurnCollector;
  readonly #known: Known[] = [];

  constructor(collector: TurnCollector) {
    this.#collector = collector;
  }

  take(delta: CallDelta): void {
    const known = this.#find(delta) ?? this.#open(delta);
    if (delta.id !== null) known.ids.add(delta.id);
    known.name ??= delta.name;
    this.#collector.addToCall(known.call, { id: delta.id, name: delta.name, json: delta.json });
  }

  /** The call that the delta goes on with, or null when it begins one. */
  #find(delta: CallDelta): Known | null {
    const last = this.#known.at(-1) ?? null;
    const sameId = delta.id === null ? undefined : this.#known.findLast(({ ids }) => ids.has(delta.id ?? ""));
    if (sameId !== undefined) return beginsAnew(sameId, delta) ? null : sameId;
    const sameIndex = delta.index === null ? undefined : this.#known.findLast(({ index }) => index === delta.index);
    const candidate = delta.index === null ? last : sameIndex;
    if (candidate === undefined || candidate === null) {
      // An index nobody knows, without id and name: the number changed in mid-call.
      return delta.id === null && delta.name === null ? last : null;
    }
    if (delta.name === null) return candidate;
    if (delta.id !== null && candidate.ids.size > 0) {
      // Another id and a name under the same number: another call, unless the one before it is still being written.
      return candidate.name === delta.name && isHalf(candidate) && goesOn(delta) ? candidate : null;
    }
    if (candidate.name !== null && candidate.name !== delta.name) return null;
    return beginsAnew(candidate, delta) ? null : candidate;
  }

  #open({ index }: CallDelta): Known {
    const known: Known = { call: this.#collector.openCall(), index, ids: new Set(), name: null };
    this.#known.push(known);
    return known;
  }
}

const beginsAnew = ({ call }: Known, { name, json }: CallDelta) =>
  name !== null && json.trimStart().startsWith("{") && areWhole(call.json);

/** Text that can stand in the middle of arguments, and not at their beginning. */
const goesOn = ({ json }: CallDelta) => json !== "" && !json.trimStart().startsWith("{");

const isHalf = ({ call }: Known) => call.json !== "" && !areWhole(call.json);
