// Which sandbox commands run in: the one that was named, or the strongest that works here.
import { bubblewrap, bubblewrapWorks, type CommandSandbox, type GuardedPaths, landlock, landlockWorks } from "@hap/sandbox";
import type { SandboxChoice } from "../../argv/options.ts";
import type { Workspace } from "../../permissions/workspace.ts";
import { YumeError } from "../../yume-error.ts";

export function chooseSandbox(
  choice: SandboxChoice,
  workspace: Workspace,
  options: { network: boolean; guarded?: () => GuardedPaths },
  works = { bubblewrap: bubblewrapWorks, landlock: landlockWorks },
): CommandSandbox | null {
  if (choice === "none") return null;
  if (choice !== "landlock" && works.bubblewrap()) return bubblewrap(workspace, options);
  if (choice !== "bwrap" && works.landlock()) return landlock(workspace, options);
  if (choice === "auto") return null;
  throw new YumeError(
    "usage",
    choice === "bwrap"
      ? "--sandbox bwrap: bubblewrap does not work here. Install it (package bubblewrap) and allow user namespaces, or choose --sandbox landlock or none."
      : "--sandbox landlock: it needs Linux 6.2 or newer with Landlock on, and python3. Choose --sandbox bwrap or none.",
  );
}
