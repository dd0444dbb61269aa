// Where the process meets the program: everything that is read from outside is read here.
import { homedir } from "node:os";
import { isatty } from "node:tty";
import type { Context } from "./context.ts";
import { UNEXPECTED_EXIT } from "./failure.ts";
import { run } from "./run.ts";
import { Output } from "./terminal/output.ts";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const err = new Output(process.stderr);

const context: Context = {
  env: process.env,
  /** Asked for when it is needed: a folder that was deleted has no name. */
  get cwd() {
    return process.cwd();
  },
  home: homedir(),
  out: new Output(process.stdout, (error) => {
    err.line(`hap: Standard output cannot be written (${error.code}). What was done before that is done.`);
    process.exitCode = UNEXPECTED_EXIT;
  }),
  err,
  json: args.slice(0, end === -1 ? args.length : end).includes("--json"),
  now: Date.now,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  canAsk: isatty(0) && isatty(2),
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
  exitCode: 0,
};

/** The end of the work: whoever starts this awaits it, since a bundle in CommonJS cannot. */
export const done = run(args, context).then(() => {
  process.exitCode ??= context.exitCode;
});
