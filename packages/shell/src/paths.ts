// `@hap/shell/paths`: what a path and a change of a file are, without the shell grammar, for programs that must start fast.

export type { ShellContext } from "./classification.ts";
export { classifyFileChange } from "./classify-file-change.ts";
export { canNameSecret, matchesEverything, splitGlobs } from "./paths/can-name-secret.ts";
export { classifyPath, type PathClass } from "./paths/classify-path.ts";
export type { Disk } from "./paths/disk.ts";
export { GATE_PATTERNS } from "./paths/gate-files.ts";
export { gatesInProject } from "./paths/gates-in-project.ts";
export { GIT_GATE_NAMES, isGitFolder } from "./paths/git-folder.ts";
export { realPath } from "./paths/real-path.ts";
export { secretsBelow } from "./proof/holds-secret.ts";
