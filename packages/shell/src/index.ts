// The package's public surface. `@hap/shell/proof` is the part that needs no shell grammar.
export type { Classification, Finding, ShellContext } from "./classification.ts";
export { classifyCommand } from "./classify-command.ts";
export { classifyFileChange, type FileChange } from "./classify-file-change.ts";
export { CLASSIFIER_VERSION, type Effect, NEEDS, type Need } from "./effects.ts";
export { namedCommands } from "./named-commands.ts";
export { classifyPath, type PathClass } from "./paths/classify-path.ts";
export type { Disk, DiskEntry } from "./paths/disk.ts";
export { proveCommand } from "./proof.ts";
export { type SingleCommands, singleCommands } from "./single-commands.ts";
