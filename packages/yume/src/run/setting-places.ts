// Where the settings of a run are looked for.
import type { Options } from "../argv/options.ts";
import { claudeFolder, managedFolder, type SettingPlaces } from "../settings/setting-sources.ts";
import type { World } from "./world.ts";

/** The places for options and a working folder. */
export function settingPlaces({ settings, settingSources }: Options, { env, home }: World, cwd: string): SettingPlaces {
  return {
    cwd,
    home,
    claudeFolder: claudeFolder(env, home),
    managedFolder: managedFolder(process.platform),
    wanted: settingSources,
    flag: settings,
  };
}
