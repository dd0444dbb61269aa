// Markdown drawn from data. Links are words with their address beside them; they lead nowhere by themselves.
import { showInvisible } from "@hap/protocol";
import { useMemo } from "preact/hooks";
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
        <div class="md-table">
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
        </div>
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
