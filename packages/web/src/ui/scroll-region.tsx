// A part of the page that scrolls by itself: it has a name, and Tab reaches it, so that its keys scroll it without a mouse.
import type { ComponentChildren, Ref } from "preact";

type Props = { class: string; label: string; box?: Ref<HTMLElement>; children: ComponentChildren };

export function ScrollRegion({ class: name, label, box = null, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class={name} ref={box} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
