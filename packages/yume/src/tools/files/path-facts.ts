// The class of a call on a path: inside or outside the workspace, or a file that guards something (credentials, what arms the
// gate or runs by itself).
import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { nodeDisk } from "@hap/shell/disk";
import { slashes } from "../../permissions/rules.ts";
import type { CallFacts, ToolContext } from "../tool.ts";

/** Facts about reading a path. */
export async function readFacts(
  tool: string,
  given: string,
  context: ToolContext,
  ownFolders: readonly string[] = [],
): Promise<CallFacts> {
  const { workspace } = context;
  const path = workspace.resolve(given);
  const own = ownFolders.some((folder) => path.startsWith(folder + sep));
  const { classifyPath } = await import("@hap/shell");
  const place = classifyPath(slashes(path), {
    cwd: slashes(workspace.cwd),
    projectRoot: slashes(workspace.cwd),
    home: slashes(workspace.home),
    disk: nodeDisk(""),
  });
  const inside = own || workspace.holds(path);
  return {
    callClass: !inside ? "read_outside" : place.secret ? "guarded" : "read",
    subject: { tool, path: slashes(path), givenPath: slashes(resolve(workspace.cwd, given)) },
    summary: `${tool} ${workspace.show(path)}`,
    effects: [inside ? "read_inside" : "read_outside", ...(place.secret ? ["credentials"] : [])],
    ...(place.secret ? { guards: "secret" as const } : {}),
    ...(inside ? {} : { blockedPath: path, isFolder: statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false }),
  };
}

/** Facts about writing a path. */
export async function editFacts(tool: string, given: string, context: ToolContext): Promise<CallFacts> {
  const { workspace } = context;
  const path = workspace.resolve(given);
  const { classifyPath } = await import("@hap/shell");
  const place = classifyPath(slashes(path), {
    cwd: slashes(workspace.cwd),
    projectRoot: slashes(workspace.cwd),
    home: slashes(workspace.home),
    disk: nodeDisk(""),
  });
  const inside = workspace.holds(path);
  return {
    callClass: !inside ? "edit_outside" : place.secret || place.gate ? "guarded" : "edit",
    subject: { tool, path: slashes(path), givenPath: slashes(resolve(workspace.cwd, given)) },
    summary: `${tool} ${workspace.show(path)}`,
    effects: [
      inside ? "write_inside" : "write_outside",
      ...(place.secret ? ["credentials"] : []),
      ...(place.gate ? ["gate_files"] : []),
    ],
    ...(place.gate ? { guards: "gate" as const } : place.secret ? { guards: "secret" as const } : {}),
    ...(inside ? {} : { blockedPath: path }),
  };
}
