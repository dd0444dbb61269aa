// One block of a presentation.
import type { Block } from "@hap/protocol";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { languageOf } from "../diff/languages.ts";
import { Icon } from "../ui/icons.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { t } from "../words/words.ts";
import { CodeView } from "./code-view.tsx";
import { CommandView } from "./command-view.tsx";
import { FileList } from "./file-list.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { ReadingContext, useParts } from "./reading.ts";
import { SafeText } from "./safe-text.tsx";
import { Severity } from "./severity.tsx";

export type FactBlock = Extract<Block, { type: "fact" }>;

export function Facts({ facts }: { facts: readonly FactBlock[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value, origin }) => (
        <div class={`fact from-${origin}`} key={label}>
          <dt>{label}</dt>
          <dd>
            <SafeText text={value} />
            {origin === "agent" && (
              <span class="claimed" title={t("ticket.origin.agentTitle")} translate={true}>
                {t("ticket.origin.agent")}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Agent({ label, part, children }: { label: string; part?: string | null; children: ComponentChildren }) {
  const prefix = useContext(ReadingContext)?.prefix ?? "";
  return (
    <section
      class="block agent-block"
      aria-label={t("ticket.origin.agentBlock", { label })}
      {...(part == null ? {} : { "data-part": prefix + part })}
    >
      <p class="block-label">
        {label}{" "}
        <span class="claimed" translate={true}>
          {t("ticket.origin.agentWords")}
        </span>
      </p>
      {children}
    </section>
  );
}

type Props = { block: Exclude<Block, FactBlock>; path: string; part: string | null; answer: ComponentChildren };

export function BlockView({ block, path, part, answer }: Props) {
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
    case "severity":
      return (
        <p class="block severity-line">
          <Severity tier={block.tier} risk={block.risk} claimed={block.claimed} />
        </p>
      );
    case "effect":
      return (
        <div class={`block effect effect-${block.tier}`}>
          <Icon name={block.tier === "critical" ? "warning" : "dot"} />
          <div>
            <p class="effect-text">{block.text}</p>
            {block.causes.map(({ text, part: words }) => (
              <p class="cause" key={text}>
                <Cause text={text} words={words} />
              </p>
            ))}
          </div>
        </div>
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
        <Agent label={block.label} part={part}>
          <CommandView text={block.text} />
        </Agent>
      );
    case "content":
      return (
        <Agent label={block.label} part={part}>
          <CodeView text={block.text} language={languageOf(path)} numbers />
        </Agent>
      );
    case "json":
      return (
        <Agent label={block.label} part={part}>
          <CodeView text={indented(block.text)} language="json" />
        </Agent>
      );
    case "files":
      return <FileList files={block.files} part={part} />;
    case "diff":
      return (
        <Agent label={block.label}>
          <Diff text={block.text} />
        </Agent>
      );
    case "question":
      return (
        <Agent label={t("ticket.question.label")} part={part}>
          {"prompt" in block.ask && block.ask.prompt !== undefined && <MarkdownView text={block.ask.prompt} />}
          {block.ask.type === "confirm" && block.ask.text !== undefined && <MarkdownView text={block.ask.text} />}
          {answer}
        </Agent>
      );
  }
}

/** The classifier's sentence; the words of the command in it look like the command. */
function Cause({ text, words }: { text: string; words: string | null }) {
  if (words === null) return <SafeText text={text} />;
  return (
    <>
      <code>
        <SafeText text={words} />
      </code>
      <SafeText text={text.slice(words.length)} />
    </>
  );
}

/** The same JSON with room between its parts. */
function indented(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

const loadDiffView = () => import("../diff/diff-view.tsx");

function Diff({ text }: { text: string }) {
  const loaded = useLazy(loadDiffView);
  // Without the viewer the diff is still shown, all of it.
  const { partName } = useParts("diff", loaded.status === "failed" ? ["diff"] : null);
  if (loaded.status === "ready") return <loaded.part.DiffView text={text} />;
  if (loaded.status === "loading") return <p class="quiet-words">{t("ticket.diff.loading")}</p>;
  return (
    <div data-part={partName("diff")}>
      <CodeView text={text} language={null} />
    </div>
  );
}
