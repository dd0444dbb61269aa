// The package's public surface: what confines a program, for whoever runs one (D30).
export { SANDBOX_HOME, SANDBOX_PATH } from "./allow-list.ts";
export { bubblewrapArguments } from "./bubblewrap-arguments.ts";
export { makeCgroup } from "./cgroup.ts";
export { bubblewrap, bubblewrapWorks, type CommandSandbox, type GuardedPaths } from "./command-sandbox.ts";
export { type Availability, tryConfinement } from "./confined/availability.ts";
export { findHostProcess, type ProcessId } from "./confined/host-process.ts";
export { keepSession } from "./confined/keep-session.ts";
export { connectKeeper, type Keeper } from "./confined/keeper-protocol.ts";
export type { Quarantined } from "./confined/quarantine.ts";
export { configuredRegistries, DEFAULT_REGISTRY_HOSTS } from "./confined/registries.ts";
export { lookForGates, runConfined } from "./confined/run-confined.ts";
export { isActive, makeSessionFolder, sessionFolder } from "./confined/session-folder.ts";
export type { Watched } from "./confined/session-runs.ts";
export { trustedPath } from "./confined/trusted-path.ts";
export { hostFolders } from "./host-folders.ts";
export { landlock, landlockWorks } from "./landlock.ts";
export { SandboxError } from "./sandbox-error.ts";
