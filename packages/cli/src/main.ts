// Where the process meets the program: everything that is read from outside is read here.
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import type { Context } from "./context.ts";
import { run } from "./run.ts";
import { Output } from "./terminal/output.ts";

const args = process.argv.slice(2);
const end = args.indexOf("--");

const context: Context = {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  out: new Output(process.stdout),
  err: new Output(process.stderr),
  json: args.slice(0, end === -1 ? args.length : end).includes("--json"),
  now: Date.now,
  randomBytes,
  canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
  exitCode: 0,
};

await run(args, context);
process.exitCode = context.exitCode;
