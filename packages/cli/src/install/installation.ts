// What a gate is installed from: the running Node, the hook that came with this command, the store and the person of now.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { HapError } from "@hap/protocol";
import { findInstalled } from "@hap/sdk/installed";
import type { Context } from "../context.ts";

/** Where the parts are that `hap init` names in settings. */
export type Parts = { node: string; hap: string; hook: string; store: string };

export function findParts(context: Context): Parts {
  const hap = realpathSync(process.argv[1] ?? "");
  return { node: realpathSync(process.execPath), hap, hook: findHook(hap), store: storePath(context) };
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
