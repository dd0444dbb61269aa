// Follows a script: every line of the file given as the first argument is one command; stops at the first failure.
import { readFileSync } from "node:fs";
import { type Agent, type Request, Response, run } from "@hap/term-sdk";

class ScriptedAgent implements Agent {
  #commands: string[] = [];

  setup(): void {
    this.#commands = readFileSync(process.argv[2] ?? "script.txt", "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
  }

  solve(request: Request): Response {
    if (request.failed) throw new Error(`${request.lastCommand} ended with ${request.exitCode}: ${request.output}`);
    const command = this.#commands.shift();
    return command === undefined ? Response.done("script finished") : Response.cmd(command);
  }
}

await run(new ScriptedAgent());
