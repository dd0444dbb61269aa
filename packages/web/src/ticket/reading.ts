// Has the whole action been in view? Each part of it (a command, a hunk of a diff) counts once all of its height was; jumping
// past a part does not count. Parts are named, so that one which is folded or redrawn keeps what was seen of it.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { type Span, uncovered, withSpan } from "./spans.ts";

export type Reading = {
  /** Names of the parts that were seen whole. */
  seen: ReadonlySignal<ReadonlySet<string>>;
  /** How many parts are left; null until every part is known. */
  left: ReadonlySignal<number | null>;
  /** Say which parts there are, once they are known. */
  expect: (owner: string, names: readonly string[]) => void;
  /** The person says that they know these parts. */
  mark: (names: readonly string[]) => void;
  /** Bring the first part that was not seen into view. */
  showNext: () => void;
};

/** Pixels of a part that may stay out of view: a border, a rounded position. */
const SLACK = 6;

/** Follow what is in view inside a box; `owners` is how many pieces of the page name their parts. */
export function useReading(owners = 1) {
  const box = useRef<HTMLElement>(null);
  const reading = useMemo(() => {
    const expected = signal<ReadonlyMap<string, readonly string[]>>(new Map());
    const seen = signal<ReadonlySet<string>>(new Set());
    const spans = new Map<string, Span[]>();
    const left = computed(() =>
      expected.value.size < owners ? null : [...expected.value.values()].flat().filter((name) => !seen.value.has(name)).length,
    );
    const add = (names: readonly string[]) => {
      if (names.some((name) => !seen.value.has(name))) seen.value = new Set([...seen.value, ...names]);
    };
    const parts = () => [...(box.current?.querySelectorAll<HTMLElement>("[data-part]") ?? [])];
    const look = () => {
      const around = box.current?.getBoundingClientRect();
      if (around === undefined || around.height === 0) return;
      const found: string[] = [];
      for (const part of parts()) {
        const name = part.dataset.part as string;
        if (seen.value.has(name)) continue;
        // A part that the browser has not drawn yet has no height of its own.
        if (part.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) === false) continue;
        const { top, bottom, height } = part.getBoundingClientRect();
        if (height === 0 || bottom <= around.top || top >= around.bottom) continue;
        const span: Span = [Math.max(0, around.top - top) / height, Math.min(height, around.bottom - top) / height];
        const all = withSpan(spans.get(name) ?? [], span);
        spans.set(name, all);
        if (uncovered(all) * height <= SLACK) found.push(name);
      }
      if (found.length > 0) add(found);
    };
    return {
      seen,
      left,
      look,
      expect: (owner: string, names: readonly string[]) => {
        expected.value = new Map([...expected.value, [owner, names]]);
      },
      mark: add,
      showNext: () => {
        const next = parts().find(({ dataset }) => !seen.value.has(dataset.part as string));
        const folded = box.current?.querySelector<HTMLElement>("[data-unseen]");
        (next ?? folded)?.scrollIntoView({ block: "start" });
      },
    };
  }, [owners]);
  useEffect(() => {
    const around = box.current;
    if (around === null) return;
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(reading.look);
    };
    soon();
    const resized = new ResizeObserver(soon);
    resized.observe(around);
    for (const child of around.children) resized.observe(child);
    const changed = new MutationObserver(soon);
    changed.observe(around, { childList: true, subtree: true });
    around.addEventListener("contentvisibilityautostatechange", soon, true);
    // At once, not with the next frame: what a fast scroll shows for one frame was shown.
    around.addEventListener("scroll", reading.look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      changed.disconnect();
      around.removeEventListener("contentvisibilityautostatechange", soon, true);
      around.removeEventListener("scroll", reading.look);
    };
  }, [reading]);
  return { box, reading: reading as Reading };
}

/** Where parts say their names; `prefix` keeps those of several tickets apart. */
export const ReadingContext = createContext<{ reading: Reading; prefix: string } | null>(null);

/** Name the parts that this piece of the page draws; null while it is still being fetched. */
export function useParts(owner: string, names: readonly string[] | null) {
  const context = useContext(ReadingContext);
  const prefix = context?.prefix ?? "";
  const key = names?.join("\n") ?? null;
  useEffect(() => {
    if (names === null) return;
    context?.reading.expect(
      prefix + owner,
      names.map((name) => prefix + name),
    );
  }, [context?.reading, prefix, owner, key]);
  return {
    partName: (name: string) => prefix + name,
    isSeen: (all: readonly string[]) => all.every((name) => context?.reading.seen.value.has(prefix + name) ?? true),
    mark: (all: readonly string[]) => context?.reading.mark(all.map((name) => prefix + name)),
  };
}
