// The real `claude`, which the Claude Agent SDK's package carries for each platform: the oracle of what its clients are used to.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ScriptedModel } from "../wire/server.ts";
import type { Place } from "./place.ts";

const { resolve } = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));

/** Where the binary of this platform lies. */
export function realClaude(): string {
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  for (const libc of ["", "-musl"]) {
    try {
      const found = join(
        dirname(resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}${libc}/package.json`)),
        name,
      );
      if (existsSync(found)) return found;
    } catch {
      // Another libc, perhaps.
    }
  }
  throw new Error("The claude binary of this platform is missing: it is an optional dependency of the SDK; run npm install.");
}

/** What leads it to our scripted model, and keeps it from a word to anybody else. */
export function scriptedClaude(model: ScriptedModel): Record<string, string> {
  return {
    ...model.env("anthropic"),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
}

/** Its environment in a place. */
export function claudeEnvironment({ env, home, model }: Place): Record<string, string> {
  const { PATH, LANG, TMPDIR } = env;
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(LANG === undefined ? {} : { LANG }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    HOME: home,
    ...scriptedClaude(model),
  };
}
