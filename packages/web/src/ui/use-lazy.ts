// A part of the page that is fetched when it is first needed.
import { useEffect, useState } from "preact/hooks";

type Loaded<T> = { status: "loading" } | { status: "ready"; part: T } | { status: "failed" };

/** Fetch a part; `load` must be the same function each time. */
export function useLazy<T>(load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: "loading" });
  useEffect(() => {
    let here = true;
    load().then(
      (part) => here && setLoaded({ status: "ready", part }),
      () => here && setLoaded({ status: "failed" }),
    );
    return () => {
      here = false;
    };
  }, [load]);
  return loaded;
}
