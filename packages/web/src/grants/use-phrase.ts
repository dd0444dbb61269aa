// A phrase that is asked for in the middle of something: the dialog that is open, and what waits for its end.
import { useSignal } from "@preact/signals";

type Asked = { phrase: string; answer: (typed: string | null) => void };

/** `ask` resolves with what was typed, or with null when the person went back. */
export function usePhrase() {
  const asked = useSignal<Asked | null>(null);
  const answer = (typed: string | null) => {
    asked.value?.answer(typed);
    asked.value = null;
  };
  const ask = (phrase: string) =>
    new Promise<string | null>((resolve) => {
      asked.value = { phrase, answer: resolve };
    });
  return { asked: asked.value, ask, answer };
}
