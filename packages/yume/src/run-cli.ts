// The command, from argv to an exit code.
import { HELP } from "./argv/help.ts";
import { parseOptions } from "./argv/parse-options.ts";
import { CLAUDE_VERSION } from "./frames/version.ts";
import { runProcess } from "./run/run-process.ts";
import type { World } from "./run/world.ts";

/** Run the command line. */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  const options = parseOptions(argv, world.env);
  switch (options.command) {
    case "version":
      world.stdout.write(`${CLAUDE_VERSION} (yume-cli)\n`);
      return 0;
    case "help":
      world.stdout.write(HELP);
      return 0;
    case "auth":
      return (await import("./run/run-auth.ts")).runAuth(options, world);
    case "doctor":
      return (await import("./run/run-doctor.ts")).runDoctor(options, world);
    case "mcp":
      return (await import("./run/run-mcp.ts")).runMcp(options, world);
    case "acp":
      return (await import("./acp/run-acp.ts")).runAcp(options, world);
    case "term-agent":
      return (await import("./term/run-term-agent.ts")).runTermAgent(options, world);
    default:
      return runProcess(options, world);
  }
}
