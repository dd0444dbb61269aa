// How a proposed policy would have answered, beside how it really went; what would differ comes first.
import { type PolicyPreview, showInvisible } from "@hap/protocol";
import { ticketPath } from "../router.ts";
import { plainKind } from "../ui/format.ts";
import { rich, t } from "../words/words.ts";

/** True where the rule would have said the opposite of what a person said. */
function contradicts({ verdict, outcome, by }: PolicyPreview["tickets"][number]): boolean {
  if (by !== "human") return false;
  return (
    (verdict === "allow" && outcome !== "approved" && outcome !== "answered") || (verdict === "deny" && outcome === "approved")
  );
}

export function PreviewTable({ preview: { tickets } }: { preview: PolicyPreview }) {
  const count = (verdict: string) => tickets.filter((ticket) => ticket.verdict === verdict).length;
  const against = tickets.filter(contradicts);
  const answered = tickets.filter((ticket) => ticket.verdict !== "ask" && !contradicts(ticket));
  return (
    <div class="preview" role="status">
      <p>
        {rich("settings.preview.summary", {
          tickets: tickets.length,
          allowed: <strong>{count("allow")}</strong>,
          denied: <strong>{count("deny")}</strong>,
          asked: <strong>{count("ask")}</strong>,
        })}
      </p>
      {against.length > 0 && <p class="problem">{t("settings.preview.against", { against: against.length })}</p>}
      <ul class="things">
        {[...against, ...answered].slice(0, 50).map((ticket) => (
          <li class="thing" key={ticket.id}>
            <span class="thing-words">
              <a href={ticketPath(ticket.id)}>{showInvisible(ticket.summary)}</a>
              <span class="quiet-words">
                {t("settings.preview.byRule", { kind: plainKind(ticket.kind), rule: ticket.rule ?? "" })}
              </span>
            </span>
            <span class={ticket.verdict === "allow" ? "state state-good" : "state state-bad"}>{ticket.verdict}</span>
            <span class="quiet-words">
              {t("settings.preview.was", {
                value: ticket.outcome === null ? t("settings.preview.open") : plainKind(ticket.outcome),
              })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
