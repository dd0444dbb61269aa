// `hap claude` and `hap codex` in a test's world: the agent's program on a PATH of its own, and a look at what is left afterwards.
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import type { World } from "../../packages/doors/hook/test/world.ts";
import { nodePath, repoRoot } from "./bundle-fixture.ts";
import type { Start } from "./scripted-host.ts";

const HAP = join(repoRoot, "packages", "cli", "bin", "hap.mjs");

/** A program on a PATH of the test's own, given as a shell script. */
export function putProgram(world: World, name: string, script: string): string {
  const folder = join(world.home, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** The environment in which a person calls `hap`. */
function personsEnvironment(world: World): Record<string, string> {
  return {
    HOME: world.home,
    PATH: `${join(world.home, "bin")}:${process.env.PATH}`,
    HAP_DB_PATH: world.store,
    HAP_HUMAN_ID: "human:alex",
  };
}

/** Starts an agent through `hap NAME`; `skip` words of its own command line are the program itself. */
export function throughHap(world: World, name: "claude" | "codex", skip: number): Start {
  const variables = Object.entries(personsEnvironment(world)).map(([key, value]) => `${key}=${value}`);
  return (command) => ["/usr/bin/env", [...variables, nodePath, HAP, name, ...command.slice(skip)]];
}

/** What HAP keeps beside the store while an agent runs. */
function besideStore(world: World): string[] {
  return readdirSync(world.home).filter((name) => /^hap\.db\.(?:agents|server\.json)/.test(name));
}

/** Waits until nothing of a session is left beside the store. */
export async function untilNothingIsLeft(world: World): Promise<void> {
  await vi.waitFor(
    () => {
      if (besideStore(world).length > 0) throw new Error(`Left: ${besideStore(world).join(", ")}`);
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Settings files that `hap init` would write. */
export function settingsWritten(world: World): string[] {
  const { home, project } = world;
  return [
    join(home, ".claude", "settings.json"),
    join(project, ".claude", "settings.local.json"),
    join(project, ".mcp.json"),
    join(home, ".codex", "hooks.json"),
    join(project, ".codex"),
  ].filter(existsSync);
}
