// Who is signed in here, how far that can be trusted, and the way out.
import type { AssuranceLevel } from "@hap/protocol";
import { switchPushOff } from "../push.ts";
import { sayFailure } from "../state/say-failure.ts";
import { me, signOut } from "../state/session.ts";
import { shortName } from "../ui/format.ts";
import { rich, t } from "../words/words.ts";
import { Card } from "./card.tsx";

/** The level of what is decided by a click (D3). */
const CLICK: AssuranceLevel = "session";

export function SignedInAs() {
  const { person, role, trust, place } = me();
  const leave = async (everywhere: boolean) => {
    try {
      // Who has signed out is not called here any more.
      await switchPushOff();
      await signOut(everywhere);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Card title={t("settings.session.title")}>
      <p>
        {rich("settings.session.about", {
          person: <strong translate={false}>{shortName(person)}</strong>,
          role: <span translate={false}>{role === null ? "" : `, ${role}`}</span>,
          place: <span translate={false}>{place}</span>,
          level: <em translate={false}>{CLICK}</em>,
          trust: <em translate={false}>{trust}</em>,
        })}
      </p>
      <div class="button-row">
        <button type="button" onClick={() => void leave(false)}>
          {t("settings.session.signOut")}
        </button>
        <button type="button" class="quiet" onClick={() => void leave(true)}>
          {t("settings.session.signOutEverywhere")}
        </button>
      </div>
    </Card>
  );
}
