// The process's edges: arguments, streams, signals, exit code.
import { fstatSync, statSync } from "node:fs";
import { OutputLost } from "./output-lost.ts";
import { run } from "./run.ts";

const interrupt = new AbortController();
let signalled: NodeJS.Signals | null = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    signalled ??= signal;
    interrupt.abort();
  });
}

/** The end of the work: whoever starts this awaits it, since a bundle in CommonJS cannot. */
export const done = run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: () => process.stdin,
  write: writeAnswer,
  warn: (text) => write(process.stderr, text),
  signal: interrupt.signal,
  signalled: () => signalled,
}).then((code) => {
  // At once, although a host may keep our standard input open: an answer was marked as heard just before, and a kill between
  // that and the end is the one that could lose it.
  process.exit(code);
});

/** Write to standard output, or throw `OutputLost` where nobody can read it: the answer is then kept for the next call. */
async function writeAnswer(text: string): Promise<void> {
  if (isDiscarded(1)) throw new OutputLost("standard output is closed or /dev/null");
  try {
    await write(process.stdout, text);
  } catch (error) {
    throw new OutputLost(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** True if a descriptor is /dev/null, which Node also puts in the place of one that was closed (`>&-`). */
function isDiscarded(descriptor: number): boolean {
  try {
    const output = fstatSync(descriptor);
    return output.isCharacterDevice() && output.rdev === statSync("/dev/null").rdev;
  } catch (error) {
    // No /dev/null here (Windows): only a descriptor that is not open is lost.
    return (error as NodeJS.ErrnoException).code === "EBADF";
  }
}

/** Write, and wait until the system has taken all of it. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
