import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { SettingSource, SourceName } from "./setting-sources.ts";
import { mergeSettings, readSettings } from "./settings.ts";

const source = (name: SourceName, value: Record<string, unknown>): SettingSource => ({ name, path: `${name}.json`, value });
const hook = (command: string) => ({ PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] });
const TRUSTED = { projectTrusted: true, wanted: null };
const texts = (rules: { text: string }[]) => rules.map(({ text }) => text);
const commands = (sources: SettingSource[]) =>
  mergeSettings(sources, TRUSTED).hooks.map(({ run }) => (run.type === "command" ? run.command : run.type));

describe("settings of several sources", () => {
  it("[YUME-SETTINGS-1] add up their rules and folders, and take single values from the strongest", () => {
    const merged = mergeSettings(
      [
        source("user", {
          permissions: { allow: ["Edit"], deny: ["Bash(rm:*)"], defaultMode: "plan" },
          model: "a",
          env: { A: "1", B: "1" },
        }),
        source("project", { permissions: { deny: ["Read(secret/**)"], additionalDirectories: ["../x"] }, model: "b" }),
        source("local", { permissions: { defaultMode: "acceptEdits" } }),
        source("flag", { env: { B: 2 } }),
      ],
      TRUSTED,
    );
    expect([texts(merged.allow), texts(merged.deny)]).toEqual([["Edit"], ["Bash(rm:*)", "Read(secret/**)"]]);
    expect(merged).toMatchObject({
      additionalDirectories: ["../x"],
      defaultMode: "acceptEdits",
      model: "b",
      env: { A: "1", B: "2" },
    });
  });

  it("[YUME-SETTINGS-2] let a project's files neither open nor disarm what the user or an administrator closed", () => {
    const merged = mergeSettings(
      [
        source("user", { hooks: hook("guard"), env: { HAP_DB_PATH: "/mine" } }),
        source("project", {
          disableAllHooks: true,
          hooks: hook("theirs"),
          permissions: { defaultMode: "bypassPermissions" },
          env: {
            HAP_DB_PATH: "/theirs",
            YUME_PROVIDER: "theirs",
            OPENAI_BASE_URL: "http://theirs",
            COLOR: "1",
            BASH_ENV: "./theirs.sh",
            GIT_EXTERNAL_DIFF: "./theirs.sh",
            GIT_AUTHOR_NAME: "Them",
          },
          providers: { openai: { apiBase: "http://theirs" } },
        }),
      ],
      TRUSTED,
    );
    expect(merged.hooks.map(({ source }) => source)).toEqual(["user"]);
    expect(merged).toMatchObject({
      defaultMode: null,
      env: { HAP_DB_PATH: "/mine" },
      projectEnv: { OPENAI_BASE_URL: "http://theirs", COLOR: "1", GIT_AUTHOR_NAME: "Them" },
      providers: {},
    });
    expect(merged.notes.join()).toMatch(/bypassPermissions.*HAP_DB_PATH.*YUME_PROVIDER/s);
  });

  it("[YUME-SETTINGS-2] keep an administrator's hooks whatever others say, and only those when told so", () => {
    const managed = source("managed", { hooks: hook("managed") });
    expect(commands([source("user", { disableAllHooks: true, hooks: hook("user") }), managed])).toEqual(["managed"]);
    const only = source("managed", {
      hooks: hook("managed"),
      allowManagedHooksOnly: true,
      allowManagedPermissionRulesOnly: true,
    });
    const user = source("user", { hooks: hook("user"), permissions: { allow: ["Bash"], deny: ["WebFetch"] } });
    expect(commands([user, only])).toEqual(["managed"]);
    const merged = mergeSettings([user, only], TRUSTED);
    expect([texts(merged.allow), texts(merged.deny)]).toEqual([[], ["WebFetch"]]);
    expect(merged.allowFrom.has("session")).toBe(false);
  });

  it("[YUME-SETTINGS-2] let a project's own file allow only where the user trusts the project; its local file is the user's", () => {
    const sources = [
      source("project", { permissions: { allow: ["Bash"], deny: ["WebFetch"], additionalDirectories: ["../x"] } }),
      source("local", { permissions: { allow: ["Edit(src/**)"] } }),
    ];
    const untrusted = mergeSettings(sources, { projectTrusted: false, wanted: null });
    expect([texts(untrusted.allow), texts(untrusted.deny)]).toEqual([["Edit(src/**)"], ["WebFetch"]]);
    expect(untrusted.additionalDirectories).toEqual([]);
    expect(untrusted.notes.join("\n")).toMatch(/permissions\.allow of project\.json is ignored.*trustedProjects/);
    const trusted = mergeSettings(sources, TRUSTED);
    expect([texts(trusted.allow), trusted.additionalDirectories, trusted.notes]).toEqual([
      ["Bash", "Edit(src/**)"],
      ["../x"],
      [],
    ]);
  });
});

describe("settings files", () => {
  const folder = mkdtempSync(join(tmpdir(), "yume-settings-"));
  const places = {
    cwd: join(folder, "work"),
    home: join(folder, "home"),
    claudeFolder: join(folder, "home", ".claude"),
    managedFolder: join(folder, "etc"),
    wanted: null,
    flag: null,
  };
  const put = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const denying = (rule: string) => JSON.stringify({ permissions: { deny: [rule] } });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("[YUME-SETTINGS-1] are found in every place, and --setting-sources leaves out all but an administrator's", () => {
    put("home/.claude/settings.json", denying("A"));
    put("work/.claude/settings.json", denying("B"));
    put("work/.claude/settings.local.json", denying("C"));
    put("etc/managed-settings.json", denying("D"));
    put("etc/managed-settings.d/10-more.json", denying("E"));
    expect(texts(readSettings({ ...places, flag: denying("F") }).deny)).toEqual(["A", "B", "C", "F", "D", "E"]);
    expect(texts(readSettings({ ...places, wanted: [] }).deny)).toEqual(["D", "E"]);
    expect(texts(readSettings({ ...places, wanted: ["project"] }).deny)).toEqual(["B", "D", "E"]);
  });

  it("[YUME-SETTINGS-1] that cannot be read end the run", () => {
    put("work/.claude/settings.json", "{ not json");
    expect(() => readSettings(places)).toThrow(/settings\.json are not a JSON object/);
  });
});
