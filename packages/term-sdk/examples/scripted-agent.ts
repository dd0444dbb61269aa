// Follows a script, the file given as the first argument: one command, or several with a line `---` between them.
import { readFileSync } from "node:fs";
import { type Agent, type Request, Response, run } from "@hap/term-sdk";

class ScriptedAgent implements Agent {
  #commands: string[] = [];

  setup(): void {
    this.#commands = readFileSync(process.argv[2] ?? "script.sh", "utf8").split("\n---\n");
  }

  solve(request: Request): Response {
    if (request.failed) throw new Error(`${request.lastCommand} ended with ${request.exitCode}: ${request.output}`);
    const command = this.#commands.shift();
    return command === undefined ? Response.done("script finished") : Response.cmd(command);
  }
}

await run(new ScriptedAgent());
