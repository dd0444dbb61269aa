// The package's public surface: one run of the hook, for `hap hook`.
export { runHook } from "./run-hook.ts";
