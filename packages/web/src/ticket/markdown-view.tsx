// Markdown drawn from data. Links are words with their address beside them; they lead nowhere by themselves.
import { showInvisible } from "@hap/protocol";
import { useMemo } from "preact/hooks";
import { me } from "../state/session.ts";
import { AgentName } from "../ui/agent-name.tsx";
import { shortName } from "../ui/format.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { type Inline, type MarkdownBlock, readMarkdown } from "./markdown.ts";
import { SafeText } from "./safe-text.tsx";

export function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div class="markdown">
      {blocks.map((block, at) => (
        <BlockView block={block} key={at} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: MarkdownBlock }) {
  switch (block.type) {
    case "heading":
      return (
        <p class={`md-heading md-heading-${Math.min(block.level, 4)}`}>
          <InlineView inline={block.inline} />
        </p>
      );
    case "paragraph":
      return (
        <p>
          <InlineView inline={block.inline} />
        </p>
      );
    case "quote":
      return (
        <blockquote>
          <InlineView inline={block.inline} />
        </blockquote>
      );
    case "code":
      return (
        <pre class="code">
          <SafeText text={block.text} />
        </pre>
      );
    case "table":
      return (
        <ScrollRegion class="md-table" label={t("ticket.markdown.table")}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at} scope="col">
                    <InlineView inline={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>
                      <InlineView inline={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      );
    case "rule":
      return <hr />;
    case "list": {
      const items = block.items.map((inline, at) => (
        <li key={at}>
          <InlineView inline={inline} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function InlineView({ inline }: { inline: readonly Inline[] }) {
  return (
    <>
      {inline.map((part, at) => (
        <Part part={part} key={at} />
      ))}
    </>
  );
}

/** Somebody's id as the name that people know them by; the id itself is one hover away. */
function Mention({ id }: { id: string }) {
  if (id.startsWith("agent:")) return <AgentName id={id} />;
  return (
    <span class="mention" title={id} translate={id === me().person}>
      {id === me().person ? t("ticket.mention.you", { name: shortName(id) }) : shortName(id)}
    </span>
  );
}

function Part({ part }: { part: Inline }) {
  const words = <SafeText text={part.text} />;
  switch (part.type) {
    case "text":
      return words;
    case "code":
      return <code>{words}</code>;
    case "strong":
      return <strong>{words}</strong>;
    case "emphasis":
      return <em>{words}</em>;
    case "mention":
      return <Mention id={part.text} />;
    case "image":
      if (part.drawn) return <img class="md-image" src={part.href} alt={showInvisible(part.text)} />;
      return (
        <span class="md-link">
          {words} (<SafeText text={t("ticket.image.notLoaded", { address: part.href })} />)
        </span>
      );
    case "link":
      return (
        <span class="md-link">
          {words} (<SafeText text={part.href} />)
        </span>
      );
  }
}
