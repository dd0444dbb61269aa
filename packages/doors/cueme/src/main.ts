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

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: () => process.stdin,
  write: (text) => write(process.stdout, text),
  warn: (text) => write(process.stderr, text),
  signal: interrupt.signal,
  signalled: () => signalled,
});
// A host that keeps our standard input open must not keep us.
process.stdin.destroy();

/** Write, and wait until the system has taken all of it. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
