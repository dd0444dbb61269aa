// One clock for every countdown on the page.
import { signal } from "@preact/signals";

/** Now in milliseconds, moved on once a second. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, 1000);
