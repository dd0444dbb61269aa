// The package's public surface: what confines a program, for whoever runs one (D30).
export { SANDBOX_HOME, SANDBOX_PATH } from "./allow-list.ts";
export { bubblewrapArguments } from "./bubblewrap-arguments.ts";
export { type Cgroup, makeCgroup } from "./cgroup.ts";
export { bubblewrap, bubblewrapWorks, type CommandSandbox } from "./command-sandbox.ts";
export { hostFolders } from "./host-folders.ts";
export { landlock, landlockWorks } from "./landlock.ts";
