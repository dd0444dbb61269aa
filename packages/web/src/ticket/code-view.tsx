// A command or a file's content, whole, with colours when they have arrived.
import { hasInvisible } from "@hap/protocol";
import { useEffect, useState } from "preact/hooks";
import type { Token } from "../diff/highlight.ts";
import { SafeText } from "./safe-text.tsx";

/** Without line numbers it is a command: lines that belong together. */
export function CodeView({ text, language, numbers = false }: { text: string; language: string | null; numbers?: boolean }) {
  const [tokens, setTokens] = useState<Token[][] | null>(null);
  useEffect(() => {
    let here = true;
    setTokens(null);
    if (language === null || hasInvisible(text)) return;
    import("../diff/highlight.ts")
      .then(({ highlight }) => highlight(text, language))
      // Without colours everything is still there.
      .then(
        (found) => here && setTokens(found),
        () => {},
      );
    return () => {
      here = false;
    };
  }, [text, language]);
  const lines = text.split("\n");
  return (
    <pre class={numbers ? "code numbered" : "code"}>
      {lines.map((line, at) => (
        <span class="code-line" key={at}>
          {tokens?.[at] === undefined ? (
            <SafeText text={line} />
          ) : (
            tokens[at].map((token, place) => (
              <span class={token.tone === null ? undefined : `tone-${token.tone}`} key={place}>
                <SafeText text={token.text} />
              </span>
            ))
          )}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
