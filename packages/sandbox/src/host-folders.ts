// What of this host a sandbox may see.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { type Look, type SystemFolders, systemFolders } from "./allow-list.ts";

/** What stands at a path of this host. */
const lookAt: Look = (path) => (existsSync(path) ? { link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null } : null);

/** The system's folders of this host. */
export function hostFolders(network: boolean): SystemFolders {
  return systemFolders(network, lookAt);
}
