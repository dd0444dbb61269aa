// Single keys. They are quiet while somebody types, while a dialog is open, and with a modifier held.
import { actionOfKey, type KeyAction } from "@hap/protocol";
import { useLayoutEffect } from "preact/hooks";

/** What each action of the keymap does here. `key` is the key's name: "1" to "9" for an option. */
export type Keys = Partial<Record<KeyAction, (key: string) => void>>;

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: "down",
  ArrowUp: "up",
  Enter: "enter",
  Escape: "escape",
};

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Run the actions of the keymap while the component is there. */
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
      const name = NAMES[event.key] ?? event.key;
      const action = actionOfKey(name);
      const run = action === null ? undefined : keys[action];
      if (run === undefined || (event.repeat && action !== "next" && action !== "previous")) return;
      event.preventDefault();
      run(name);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
