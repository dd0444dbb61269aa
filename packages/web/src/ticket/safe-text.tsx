// Somebody else's words on the page: as text, never as markup, with what hides or imitates made visible.
import { t } from "../words/words.ts";
import { markText } from "./marked-text.ts";

const titles = {
  hidden: t("ticket.safeText.hidden"),
  alike: t("ticket.safeText.alike"),
};

export function SafeText({ text }: { text: string }) {
  const pieces = markText(text);
  if (pieces.length === 1 && pieces[0]?.kind === "plain") return <>{text}</>;
  return (
    <>
      {pieces.map(({ kind, text: words }, at) =>
        kind === "plain" ? (
          words
        ) : (
          <mark class={`mark-${kind}`} title={titles[kind]} key={at}>
            {words}
          </mark>
        ),
      )}
    </>
  );
}
