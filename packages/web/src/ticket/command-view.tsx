// A command, whole, with the parts marked that its risks come from.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { CodeView } from "./code-view.tsx";
import { type Cause, findParts } from "./marked-parts.ts";
import { SafeText } from "./safe-text.tsx";

/** What the findings of this ticket are about. */
export const CausesContext = createContext<readonly Cause[]>([]);

export function CommandView({ text }: { text: string }) {
  const spans = findParts(text, useContext(CausesContext));
  if (spans.length === 0) return <CodeView text={text} language="bash" />;
  const pieces = spans.flatMap((span, at) => {
    const before = text.slice(spans[at - 1]?.to ?? 0, span.from);
    return [
      <SafeText text={before} key={`before ${span.from}`} />,
      <mark class={`cause-mark cause-${span.tier}`} title={span.title} key={span.from}>
        <SafeText text={text.slice(span.from, span.to)} />
      </mark>,
    ];
  });
  return (
    <pre class="code command">
      {pieces}
      <SafeText text={text.slice(spans.at(-1)?.to ?? 0)} />
    </pre>
  );
}
