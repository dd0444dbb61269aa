// `yume-cli doctor`: whether a run in this folder could begin, and what would guard it.
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Options } from "../argv/options.ts";
import { CLAUDE_VERSION } from "../frames/version.ts";
import { findProvider } from "../providers/index.ts";
import { readSources } from "../settings/setting-sources.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { chooseModel, chooseProvider } from "./choose-model.ts";
import { keySource } from "./find-key.ts";
import { settingPlaces } from "./setting-places.ts";
import type { World } from "./world.ts";

type Line = { ok: boolean; words: string };

/** Print what was found; exit code 1 when a run could not begin. */
export function runDoctor(options: Options, world: World): number {
  const cwd = resolve(world.cwd, options.cwd ?? ".");
  const lines: Line[] = [{ ok: true, words: `yume-cli ${CLAUDE_VERSION}, Node.js ${process.versions.node}` }];
  const settings = check(lines, () => {
    const places = settingPlaces(options, world, cwd);
    const sources = readSources(places);
    const found = readSettings(places);
    const files = sources.length === 0 ? "none" : sources.map(({ path }) => path).join(", ");
    lines.push({ ok: true, words: `settings: ${files}` });
    lines.push({
      ok: true,
      words: `rules: ${found.deny.length} deny, ${found.ask.length} ask, ${found.allow.length} allow; hooks: ${found.hooks.length}`,
    });
    for (const note of found.notes) lines.push({ ok: true, words: note });
    return found;
  });
  if (settings !== null) checkProvider(lines, options, settings, world);
  check(lines, () => {
    const folder = join(world.home, ".yume", "sessions");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    lines.push({ ok: true, words: `sessions: ${folder}` });
  });
  const bwrap = (world.env.PATH ?? "").split(":").some((place) => place !== "" && existsSync(join(place, "bwrap")));
  lines.push({
    ok: true,
    words: `bubblewrap: ${bwrap ? "installed" : "not installed; --sandbox auto uses Landlock where it can"}`,
  });
  for (const { ok, words } of lines) world.stdout.write(`${ok ? "ok  " : "FAIL"} ${words}\n`);
  return lines.every(({ ok }) => ok) ? 0 : 1;
}

function checkProvider(lines: Line[], options: Options, settings: Settings, world: World): void {
  check(lines, () => {
    const env = { ...world.env, ...settings.env };
    const provider = chooseProvider({ provider: options.provider ?? settings.provider }, env);
    const setting = settings.providers[provider];
    const model = chooseModel(options.model ?? settings.model, provider, env) ?? "its default model";
    const kind = findProvider(provider);
    const names = kind?.keys ?? [];
    const required = kind?.needsKey(env, options.apiBase ?? setting?.apiBase ?? undefined) ?? false;
    const source = keySource(provider, settings, env, world.home);
    lines.push({ ok: true, words: `provider: ${provider}, ${model}` });
    lines.push(
      source === null && required
        ? { ok: false, words: `key: none. Set ${names.join(" or ")}, or providers.${provider}.keyCommand in ~/.yume/config.json` }
        : { ok: true, words: `key: ${source ?? "none needed"}` },
    );
  });
}

function check<T>(lines: Line[], look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    lines.push({ ok: false, words: (error as Error).message });
    return null;
  }
}
