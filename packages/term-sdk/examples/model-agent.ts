// Asks a model behind an OpenAI-compatible endpoint what to type next: OPENAI_BASE_URL (for example http://127.0.0.1:8080/v1),
// OPENAI_MODEL, and OPENAI_API_KEY where it needs one.
import { type Agent, type Request, Response, run } from "@hap/term-sdk";

const RULES = `You operate a Linux terminal to fulfil a task. Answer with one JSON object and nothing else:
{"command": "<shell command>" or null, "task_complete": true or false, "text": "<why, in a few words>"}
Say task_complete only after you have seen that the task is fulfilled. Commands must end by themselves.`;
const TIMEOUT_MS = 240_000;

class ModelAgent implements Agent {
  readonly #url = `${setting("OPENAI_BASE_URL").replace(/\/+$/, "")}/chat/completions`;
  readonly #model = setting("OPENAI_MODEL");
  readonly #messages = [{ role: "system", content: RULES }];

  async solve(request: Request): Promise<Response> {
    const { first, instruction, cwd, exitCode, output } = request;
    const seen = first ? `Task: ${instruction}\nFolder: ${cwd}` : `exit code ${exitCode}, folder ${cwd}\n${output}`;
    this.#messages.push({ role: "user", content: seen });
    const answer = await this.#ask();
    this.#messages.push({ role: "assistant", content: answer });
    return Response.fromLLM(answer);
  }

  async #ask(): Promise<string> {
    const reply = await fetch(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY ?? ""}` },
      body: JSON.stringify({ model: this.#model, messages: this.#messages }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!reply.ok) throw new Error(`the endpoint answered ${reply.status}: ${await reply.text()}`);
    const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
    return choices[0]?.message.content ?? "";
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

await run(new ModelAgent());
