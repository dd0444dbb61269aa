// Ctrl or Cmd with plus, minus and zero make the page larger, smaller, and as it was. The app does it and remembers it.
import { invoke } from "@tauri-apps/api/core";

const directions: Record<string, number> = { "+": 1, "=": 1, "-": -1, "0": 0 };

export function watchZoomKeys(): void {
  addEventListener("keydown", (event) => {
    const direction = directions[event.key];
    if (direction === undefined || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    void invoke("zoom", { direction });
  });
}
