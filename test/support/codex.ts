// The real Codex, as its npm package carries it, with a model of ours and nothing else to reach.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { World } from "../../packages/doors/hook/test/world.ts";
import type { ScriptedModel } from "../../packages/yume/test/wire/server.ts";
import { nodePath } from "./bundle-fixture.ts";
import { plainly, type Start } from "./scripted-host.ts";

/** The program's entry. */
export const LAUNCHER = join(dirname(createRequire(import.meta.url).resolve("@openai/codex/package.json")), "bin", "codex.js");

/** Start `codex exec` for one prompt, in a project that its user trusts. `trusted`: the hooks were reviewed. */
export function startCodex(
  world: World,
  model: ScriptedModel,
  { trusted = true, start = plainly }: { trusted?: boolean; start?: Start } = {},
): ChildProcess {
  const home = join(world.home, ".codex");
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "config.toml"),
    [
      'model = "scripted"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${model.url}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      `[projects.${JSON.stringify(world.project)}]`,
      'trust_level = "trusted"',
      "[analytics]",
      "enabled = false",
      "",
    ].join("\n"),
  );
  // Its own sandbox is off, so that what a test sees is the gate.
  const options = [
    "--json",
    "--skip-git-repo-check",
    "--sandbox",
    "danger-full-access",
    ...(trusted ? ["--dangerously-bypass-hook-trust"] : []),
  ];
  const [program, args] = start([nodePath, LAUNCHER, "exec", ...options, "Go"]);
  return spawn(program, args, {
    cwd: world.project,
    stdio: ["ignore", "pipe", "pipe"],
    env: { HOME: world.home, PATH: process.env.PATH, SCRIPTED_KEY: "none" },
  });
}

/** What the model reads after its newest call: everything behind the call itself. */
export function codexHeard(body: Record<string, unknown>): unknown {
  const items = body.input as { type: string }[];
  return items.slice(items.findLastIndex(({ type }) => type === "function_call") + 1);
}
