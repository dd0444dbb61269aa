// Folders in which Claude Code keeps commands, agents and skills, as far as --setting-sources wants them.
import { join } from "node:path";
import type { Options } from "../argv/options.ts";
import { claudeFolder } from "../settings/setting-sources.ts";
import type { World } from "./world.ts";

/** Whether a source of settings is wanted. */
export function wantsSource({ settingSources }: Pick<Options, "settingSources">, name: "user" | "project"): boolean {
  return settingSources === null || settingSources.includes(name);
}

/** The folders of one kind, the project's first. */
export function claudePlaces(
  options: Pick<Options, "settingSources">,
  { env, home }: Pick<World, "env" | "home">,
  cwd: string,
  kind: "commands" | "agents" | "skills",
): string[] {
  return [
    ...(wantsSource(options, "project") ? [join(cwd, ".claude", kind)] : []),
    ...(wantsSource(options, "user") ? [join(claudeFolder(env, home), kind)] : []),
  ];
}
