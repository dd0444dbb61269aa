// The thread in which a server classifies long commands: it is given one at a time, and killed when it takes too long.
import { parentPort } from "node:worker_threads";
import { classifyCommand, type ShellContext } from "@hap/shell";
import { foundIn } from "./classify.ts";

parentPort?.on("message", ({ command, context }: { command: string; context: ShellContext }) => {
  parentPort?.postMessage(foundIn(classifyCommand(command, context)));
});
