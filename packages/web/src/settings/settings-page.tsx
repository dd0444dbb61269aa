// What a person can set: how it looks and calls, their passkeys, and for owners keys, people and rules.
import { me } from "../state/session.ts";
import { shortName } from "../ui/format.ts";
import { t } from "../words/words.ts";
import { ApiKeys } from "./api-keys.tsx";
import { Appearance } from "./appearance.tsx";
import { Passkeys } from "./passkeys.tsx";
import { People } from "./people.tsx";
import { Push } from "./push.tsx";
import { Rules } from "./rules.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

export function SettingsPage() {
  const owner = me().role === "owner";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="scroll page" tabIndex={0} aria-label={t("common.settings")}>
      <div class="page-body">
        <h1 class="page-title">{t("common.settings")}</h1>
        <Appearance />
        <Push />
        <Passkeys />
        <Rules owner={owner} />
        {owner && <ApiKeys />}
        {owner && <People />}
        {!owner && (
          <p class="quiet-words">{t("settings.settingsPage.apiKeysAndPeopleAre", { person: shortName(me().person) })}</p>
        )}
        <SignedInAs />
      </div>
    </section>
  );
}
