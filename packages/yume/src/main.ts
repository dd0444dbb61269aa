// The command's entry: the real world is put together here, and nowhere else.
import { homedir } from "node:os";
import { costOf, createProvider, parsePrices } from "./providers/index.ts";
import { runCli } from "./run-cli.ts";

let readsInput = false;

/** The end of the work: whoever starts this awaits it, since a bundle in CommonJS cannot. */
export const done = runCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  cwd: process.cwd(),
  // Made when they are asked for: Node takes milliseconds for each.
  get stdin() {
    readsInput = true;
    return process.stdin;
  },
  stdout: process.stdout,
  get stderr() {
    return process.stderr;
  },
  now: () => new Date(),
  createProvider,
  loadPrices: async (overrides) => {
    const table = parsePrices(JSON.stringify(overrides));
    return (model, usage) => costOf(model, usage, table);
  },
}).then((code) => {
  // Standard input may still be open; whoever holds it must not keep this process alive.
  if (readsInput) process.stdin.destroy();
  process.exit(code);
});
