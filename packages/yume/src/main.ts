// The command's entry: the real world is put together here, and nowhere else.
import { homedir } from "node:os";
import { runCli } from "./run-cli.ts";

const code = await runCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => new Date(),
  createProvider: async (choice) => (await import("./providers/index.ts")).createProvider(choice),
  loadPrices: async (overrides) => {
    const { costOf, parsePrices } = await import("./providers/index.ts");
    const table = parsePrices(JSON.stringify(overrides));
    return (model, usage) => costOf(model, usage, table);
  },
});
// Standard input may still be open; whoever holds it must not keep this process alive.
process.stdin.destroy();
process.exit(code);
