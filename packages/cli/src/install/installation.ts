// What a gate is installed from: the running Node, the hook that came with this command, the store and the person of now.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { HapError } from "@hap/protocol";
import { findInstalled } from "@hap/sdk/installed";
import type { Context } from "../context.ts";

/** In the single-file `hap` the hook is a command of the program itself. */
export const HOOK_COMMAND = "hook";

/** The parts that `hap init` names in settings. `hap` starts this program, as words; `hook` comes behind `node`. */
export type Parts = { node: string; hap: string[]; hook: string; store: string };

export function findParts(context: Context): Parts {
  const node = realpathSync(process.execPath);
  const store = storePath(context);
  if (process.getBuiltinModule("node:sea").isSea()) return { node, hap: [node], hook: HOOK_COMMAND, store };
  const hap = realpathSync(process.argv[1] ?? "");
  return { node, hap: [node, hap], hook: findHook(hap), store };
}

/** The store that is used now, by its absolute path. */
export function storePath({ env, home, cwd }: Context): string {
  const path = env.HAP_DB_PATH ?? "";
  if (path === "") return join(home, ".hap", "hap.db");
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path);
}

function findHook(hap: string): string {
  const hook = findInstalled(pathToFileURL(hap).href, "packages/doors/hook/bin/hap-hook.cjs");
  if (hook !== null && existsSync(join(dirname(hook), "../dist/main.cjs"))) return realpathSync(hook);
  throw new HapError("store_unusable", "The hook is not built. Run `npm install` again, then `hap init`.", {
    path: hook ?? hap,
  });
}
