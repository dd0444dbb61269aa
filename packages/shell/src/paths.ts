// `@hap/shell/paths`: what a path and a change of a file are, without the shell grammar, for programs that must start fast.
export { classifyFileChange } from "./classify-file-change.ts";
export { classifyPath, type PathClass } from "./paths/classify-path.ts";
