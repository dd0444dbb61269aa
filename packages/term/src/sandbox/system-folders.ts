// What of this host a sandbox may see.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { type SystemFolders, systemFolders } from "@hap/shell/sandbox";

/** The system's folders of this host. */
export function hostFolders(network: boolean): SystemFolders {
  return systemFolders(network, (path) =>
    existsSync(path) ? { link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null } : null,
  );
}
