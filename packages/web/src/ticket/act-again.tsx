// The act once more, before a yes that cannot be taken back: what would happen, why it is risky, and where. In short form:
// a diff by its files, contents by their size. The whole of it is on the page behind.
import { type Block, blocksOf, effectWords, present, type Ticket, tierOfEffect, worstFirst } from "@hap/protocol";
import { t } from "../words/words.ts";
import { BlockView } from "./block-view.tsx";
import { causesOf } from "./blocks.tsx";
import { CausesContext } from "./command-view.tsx";
import { FileList } from "./file-list.tsx";
import { SafeText } from "./safe-text.tsx";
import { Severity } from "./severity.tsx";
import type { Yes } from "./yes.ts";

export function ActAgain({ ticket, yes = {} }: { ticket: Ticket; yes?: Yes }) {
  const blocks = blocksOf(present(ticket));
  const effects = worstFirst(ticket.effects).filter((effect) => tierOfEffect(effect) !== "routine");
  const { environment } = ticket.artifact;
  return (
    <CausesContext.Provider value={causesOf(blocks)}>
      <div class="act-again" translate={false}>
        <p class="act-sentence">
          <SafeText text={sentenceOf(blocks)} />
        </p>
        {blocks.map((block, at) => (
          <Again block={block} edited={yes.edits} key={at} />
        ))}
        <p class="act-risks">
          <Severity tier={ticket.tier} risk={ticket.ask.type === "approval" ? ticket.risk : null} />{" "}
          {effects.map(effectWords).join(" · ")}
        </p>
        {environment !== null && (
          <p>
            <span translate={true}>{t("ticket.act.environment")}</span> <strong>{environment}</strong>
          </p>
        )}
      </div>
    </CausesContext.Provider>
  );
}

/** The first sentence of a presentation says what would happen. */
function sentenceOf(blocks: readonly Block[]): string {
  const first = blocks[0];
  return first?.type === "plain" ? first.text : "";
}

function Again({ block, edited }: { block: Block; edited: Yes["edits"] }) {
  switch (block.type) {
    case "command":
      return typeof edited?.command === "string" ? (
        <BlockView block={{ ...block, text: edited.command }} path="" part={null} answer={null} />
      ) : (
        <BlockView block={block} path="" part={null} answer={null} />
      );
    case "files":
      return <FileList files={block.files} />;
    case "content":
      return (
        <p class="quiet-words" translate={true}>
          {t("ticket.act.content", { count: block.text.split("\n").length })}
        </p>
      );
    case "question":
      return "prompt" in block.ask && block.ask.prompt !== undefined ? (
        <blockquote>
          <SafeText text={block.ask.prompt} />
        </blockquote>
      ) : null;
    default:
      return null;
  }
}
