// An agent that talks to an interactive program: it starts one, waits until the screen shows its prompt, and answers it.
import { type Request, Response, run } from "../src/index.ts";

const PROGRAM = `bash -c 'read -p "Name? " name; echo "Hello, $name" > hello.txt; echo written'\n`;

let answered = false;

await run({
  solve(request: Request): Response {
    if (request.first) return Response.keys({ keys: PROGRAM, wait: 0.2 });
    if (request.shows("written")) return Response.done("answered");
    if (answered || !request.shows("Name?")) return Response.keys({ keys: "", wait: 0.2 });
    answered = true;
    return Response.keys("world\n").withUsage({ prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 }, "none");
  },
});
