// Where the process meets the program.
import { runHook } from "./run-hook.ts";

void runHook(process.argv.slice(2));
