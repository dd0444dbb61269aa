// Something that is fetched once and again when it changed.
import { useCallback, useEffect, useState } from "preact/hooks";
import { signedOut, wordsOf } from "../state/session.ts";

type Fetched<T> = { value: T | null; failure: string | null; reload: () => void };

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
  return { value, failure, reload };
}
