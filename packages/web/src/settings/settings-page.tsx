// What a person can set: how it looks and calls, their passkeys, and for owners keys, people and rules.
import { GrantsCard } from "../grants/grants-card.tsx";
import { host } from "../state/host.ts";
import { me } from "../state/session.ts";
import { shortName } from "../ui/format.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { t } from "../words/words.ts";
import { ApiKeys } from "./api-keys.tsx";
import { AppCard } from "./app-card.tsx";
import { Appearance, UndoCard } from "./appearance.tsx";
import { Devices } from "./devices.tsx";
import { Passkeys } from "./passkeys.tsx";
import { People } from "./people.tsx";
import { Push } from "./push.tsx";
import { Rules } from "./rules.tsx";
import { SignedInAs } from "./signed-in-as.tsx";
import { YourData } from "./your-data.tsx";

export function SettingsPage() {
  const owner = me().role === "owner";
  const app = host();
  return (
    <ScrollRegion class="scroll page" label={t("common.settings")}>
      <div class="page-body">
        <h1 class="page-title">{t("common.settings")}</h1>
        <Appearance />
        <UndoCard />
        {app === null ? <Push /> : <AppCard host={app} />}
        {app === null && <Devices />}
        <Passkeys />
        <GrantsCard />
        <Rules owner={owner} />
        {owner && <ApiKeys />}
        {owner && <People />}
        {!owner && <p class="quiet-words">{t("settings.ownersOnly", { person: shortName(me().person) })}</p>}
        <YourData person={me().person} />
        {app === null && <SignedInAs />}
      </div>
    </ScrollRegion>
  );
}
