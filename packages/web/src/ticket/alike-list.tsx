// What was decided about tickets like this one.
import { showInvisible, type Ticket } from "@hap/protocol";
import { useEffect, useState } from "preact/hooks";
import { ENDED_STATES } from "../inbox/filters.ts";
import { ticketPath } from "../router.ts";
import { now } from "../state/clock.ts";
import { me, signedOut } from "../state/session.ts";
import { ago, plainKind, shortName } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { type Alike, findAlike } from "./alike.ts";
import { StateWord } from "./state-word.tsx";

/** How many of the newest are looked at. */
const LOOKED_AT = 100;

export function AlikeList({ ticket }: { ticket: Ticket }) {
  const [alike, setAlike] = useState<Alike[] | null>(null);
  useEffect(() => {
    let here = true;
    me()
      .list({ from: ticket.from, kind: ticket.intent.kind, state: ENDED_STATES, limit: LOOKED_AT })
      .then(
        ({ tickets }) => here && setAlike(findAlike(ticket, tickets)),
        (error) => {
          if (!signedOut(error) && here) setAlike([]);
        },
      );
    return () => {
      here = false;
    };
  }, [ticket.id]);
  if (alike === null) return <p class="quiet-words">{t("ticket.alike.looking")}</p>;
  if (alike.length === 0)
    return (
      <p class="quiet-words">
        {t("ticket.alike.none", {
          count: LOOKED_AT,
          from: shortName(ticket.from),
          kind: plainKind(ticket.intent.kind),
        })}
      </p>
    );
  return (
    <ul class="alike-list">
      {alike.map(({ ticket: other, by }) => (
        <li key={other.id}>
          <a href={ticketPath(other.id)}>{showInvisible(other.intent.summary)}</a>
          <StateWord ticket={other} />
          <span class="quiet-words">
            {t("ticket.alike.shares", {
              by,
              when: ago(now.value - Date.parse(other.resolution?.at ?? other.updated_at)),
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}
