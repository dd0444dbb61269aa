// Where the process meets the program: everything that is read from outside is read here.
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
  write: (text) => write(process.stdout, text),
  warn: (text) => write(process.stderr, text),
  signal: interrupt.signal,
  signalled: () => signalled,
}).then((code) => {
  // At once, although a host may keep our standard input open: an answer was marked as heard just before, and a kill between
  // that and the end is the one that could lose it.
  process.exit(code);
});

/** Write, and wait until the system has taken all of it. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
