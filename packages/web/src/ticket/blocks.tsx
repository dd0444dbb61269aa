// The blocks of `present()`, in their order, whole (D23). What an agent wrote carries its mark.
import type { Block } from "@hap/protocol";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { languageOf } from "../diff/languages.ts";
import { Icon } from "../ui/icons.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { t } from "../words/words.ts";
import { CodeView } from "./code-view.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { SafeText } from "./safe-text.tsx";

type FactBlock = Extract<Block, { type: "fact" }>;
type OtherBlock = Exclude<Block, FactBlock>;
type Part = { type: "facts"; facts: FactBlock[] } | { type: "block"; block: OtherBlock };

/** Facts that follow each other are one table. */
function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.type !== "fact") parts.push({ type: "block", block });
    else if (last?.type === "facts") last.facts.push(block);
    else parts.push({ type: "facts", facts: [block] });
  }
  return parts;
}

type Props = {
  blocks: readonly Block[];
  /** Every block is drawn: nothing is still being fetched. */
  onDrawn: () => void;
  /** Where a question is answered. */
  answer: ComponentChildren;
};

export function Blocks({ blocks, onDrawn, answer }: Props) {
  const file = blocks.find((block) => block.type === "fact" && block.label === "File") as FactBlock | undefined;
  const waits = blocks.some(({ type }) => type === "diff");
  useEffect(() => {
    if (!waits) onDrawn();
  }, [waits, onDrawn]);
  return (
    // What is shown here is what is signed, so it stays in the words of the protocol.
    <div class="blocks" translate={false}>
      {partsOf(blocks).map((part, at) =>
        part.type === "facts" ? (
          <Facts facts={part.facts} key={at} />
        ) : (
          <BlockView block={part.block} path={file?.value ?? ""} onDrawn={onDrawn} answer={answer} key={at} />
        ),
      )}
    </div>
  );
}

function Facts({ facts }: { facts: readonly FactBlock[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value, origin }) => (
        <div class={`fact from-${origin}`} key={label}>
          <dt>{label}</dt>
          <dd>
            <SafeText text={value} />
            {origin === "agent" && (
              <span class="claimed" title={t("ticket.blocks.theAgentSaidSo")}>
                {t("ticket.blocks.agent")}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Agent({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="block agent-block" aria-label={t("ticket.blocks.labelTheAgentSWords", { label })}>
      <h2 class="block-label">
        {label} <span class="claimed">{t("ticket.blocks.agentSWords")}</span>
      </h2>
      {children}
    </section>
  );
}

function BlockView({ block, path, onDrawn, answer }: { block: OtherBlock; path: string } & Pick<Props, "onDrawn" | "answer">) {
  switch (block.type) {
    case "plain":
      return (
        <p class="block plain">
          <SafeText text={block.text} />
        </p>
      );
    case "warning":
      return (
        <p class="block warning">
          <Icon name="warning" />
          <span>
            <SafeText text={block.text} />
          </span>
        </p>
      );
    case "text":
      return (
        <Agent label={block.label}>
          <p class="agent-text">
            <SafeText text={block.text} />
          </p>
        </Agent>
      );
    case "command":
      return (
        <Agent label={block.label}>
          <CodeView text={block.text} language="bash" />
        </Agent>
      );
    case "content":
      return (
        <Agent label={block.label}>
          <CodeView text={block.text} language={languageOf(path)} numbers />
        </Agent>
      );
    case "json":
      return (
        <Agent label={block.label}>
          <CodeView text={indented(block.text)} language="json" />
        </Agent>
      );
    case "diff":
      return (
        <Agent label={block.label}>
          <Diff text={block.text} onDrawn={onDrawn} />
        </Agent>
      );
    case "question":
      return (
        <Agent label={t("ticket.blocks.question")}>
          {"prompt" in block.ask && block.ask.prompt !== undefined && <MarkdownView text={block.ask.prompt} />}
          {block.ask.type === "confirm" && block.ask.text !== undefined && <MarkdownView text={block.ask.text} />}
          {answer}
        </Agent>
      );
  }
}

/** The same JSON with room between its parts. */
function indented(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

const loadDiffView = () => import("../diff/diff-view.tsx");

function Diff({ text, onDrawn }: { text: string; onDrawn: () => void }) {
  const loaded = useLazy(loadDiffView);
  const drawn = loaded.status !== "loading";
  useEffect(() => {
    if (drawn) onDrawn();
  }, [drawn, onDrawn]);
  if (loaded.status === "ready") return <loaded.part.DiffView text={text} />;
  if (loaded.status === "loading") return <p class="quiet-words">{t("ticket.blocks.loadingTheDiff")}</p>;
  // Without the viewer the diff is still shown, all of it.
  return <CodeView text={text} language={null} />;
}
