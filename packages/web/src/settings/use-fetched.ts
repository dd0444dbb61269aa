// Something that is fetched once, and again when it changed or was changed here.
import { useCallback, useEffect, useState } from "preact/hooks";
import { sayFailure } from "../state/say-failure.ts";
import { signedOut, wordsOf } from "../state/session.ts";

type Fetched<T> = {
  value: T | null;
  failure: string | null;
  reload: () => void;
  /** Do something to it, then fetch it anew; a failure is said. */
  change: (work: () => Promise<unknown>) => Promise<void>;
};

/** Fetch; `load` must be the same function each time. */
export function useFetched<T>(load: () => Promise<T>): Fetched<T> {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const reload = useCallback(() => {
    load().then(
      (found) => {
        setValue(found);
        setFailure(null);
      },
      (error) => !signedOut(error) && setFailure(wordsOf(error)),
    );
  }, [load]);
  useEffect(reload, [reload]);
  const change = async (work: () => Promise<unknown>) => {
    try {
      await work();
      reload();
    } catch (error) {
      sayFailure(error);
    }
  };
  return { value, failure, reload, change };
}
