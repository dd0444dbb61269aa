// Single keys. They are quiet while somebody types, while a dialog is open, and with a modifier held.
import { useLayoutEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Run what a key stands for while the component is there. */
export function useKeys(keys: Keys): void {
  // With what is drawn, not after it: a key means what the page shows.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (isTyping(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      const run = keys[event.key];
      if (run === undefined || (event.repeat && !["j", "k", "ArrowDown", "ArrowUp"].includes(event.key))) return;
      event.preventDefault();
      run(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
