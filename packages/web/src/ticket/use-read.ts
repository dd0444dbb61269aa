// Has all of it been in view? True once its end was reached after everything had been drawn, and from then on.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** `parts` is how many pieces say that they are drawn. */
export function useRead(parts = 1) {
  const box = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(0);
  const [read, setRead] = useState(false);
  const onDrawn = useCallback(() => setDrawn((before) => before + 1), []);
  useEffect(() => {
    const { current: around } = box;
    const { current: mark } = end;
    if (drawn < parts || read || around === null || mark === null) return;
    const look = () => {
      // Reached or passed: whoever jumps to the very end has it behind them.
      if (mark.getBoundingClientRect().top <= around.getBoundingClientRect().bottom) setRead(true);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(around);
    around.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      around.removeEventListener("scroll", look);
    };
  }, [drawn, parts, read]);
  return { read, box, end, onDrawn };
}
