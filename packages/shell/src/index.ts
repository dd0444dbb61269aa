// The package's public surface. `@hap/shell/harmless` is the part that needs no shell grammar.
export type { Classification, Finding, ShellContext } from "./classification.ts";
export { classifyCommand } from "./classify-command.ts";
export { classifyFileChange, type FileChange } from "./classify-file-change.ts";
export { CLASSIFIER_VERSION, CRITICAL_EFFECTS, EFFECTS, type Effect } from "./effects.ts";
export { recogniseHarmless } from "./harmless.ts";
export { classifyPath, type PathClass } from "./paths/classify-path.ts";
