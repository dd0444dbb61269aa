// Short words about what just happened, with a way back where there is one.
import { signal } from "@preact/signals";

export type Toast = { id: number; text: string; tone: "calm" | "bad"; action?: { label: string; run: () => void } };

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6_000;
let last = 0;

/** Say something for a few seconds; returns how to take it back. */
export function say(text: string, more: Partial<Pick<Toast, "tone" | "action">> & { ms?: number } = {}): () => void {
  const { ms = SHOWN_MS, ...rest } = more;
  const toast: Toast = { id: ++last, text, tone: "calm", ...rest };
  toasts.value = [...toasts.value, toast];
  const gone = () => {
    toasts.value = toasts.value.filter(({ id }) => id !== toast.id);
  };
  setTimeout(gone, ms);
  return gone;
}
