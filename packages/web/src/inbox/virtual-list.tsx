// A list of any length that draws only what is in view.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { offsetsOf, windowOf } from "./window.ts";

export type Item = { key: string; height: number; draw: () => ComponentChildren };
type Props = {
  items: readonly Item[];
  label: string;
  /** The item to keep in view. */
  focus: string | null;
  onEnd: () => void;
  children?: ComponentChildren;
};

/** Closer to the end than this, the next page is asked for. */
const NEAR_END = 800;

export function VirtualList({ items, label, focus, onEnd, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 800 });
  const offsets = useMemo(() => offsetsOf(items.map(({ height }) => height)), [items]);
  const total = offsets.at(-1) as number;

  useLayoutEffect(() => {
    const box = ref.current as HTMLDivElement;
    const measure = () => setPlace({ top: box.scrollTop, height: box.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    box.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", measure);
    };
  }, []);

  useEffect(() => {
    if (place.top + place.height > total - NEAR_END) onEnd();
  }, [place.top, place.height, total, onEnd]);

  useLayoutEffect(() => {
    const index = items.findIndex(({ key }) => key === focus);
    const box = ref.current as HTMLDivElement;
    if (index === -1) return;
    const [top, bottom] = [offsets[index] as number, offsets[index + 1] as number];
    if (top < box.scrollTop + 40) box.scrollTop = Math.max(0, top - 60);
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 24;
  }, [focus]);

  const [first, end] = windowOf(offsets, place.top, place.height);
  return (
    <ScrollRegion class="scroll" box={ref} label={label}>
      <ul class="virtual" style={{ height: `${total}px` }}>
        {items.slice(first, end).map((item, at) => (
          <li class="virtual-item" key={item.key} style={{ top: `${offsets[first + at]}px`, height: `${item.height}px` }}>
            {item.draw()}
          </li>
        ))}
      </ul>
      {children}
    </ScrollRegion>
  );
}
