// GitHub's Copilot program (`copilot --output-format json`): its HTTP API is for editors only. It asks for no permission when
// nobody can answer, so that without COPILOT_ALLOW_ALL what would need one is refused by itself.
import { isObject } from "../call-arguments.ts";
import { count, textOf } from "../wires/read-fields.ts";
import type { ProgramKind, ProgramLine } from "./program-provider.ts";
import { runForOutput } from "./run-for-output.ts";

type Json = Record<string, unknown>;

export function copilotProgram(): ProgramKind {
  return {
    name: "copilot",
    command: "copilot",
    install: "npm install -g @github/copilot",
    authHint: "Run `copilot login` or `gh auth login`, or set COPILOT_GITHUB_TOKEN.",
    args: (model) => ["--output-format", "json", "--stream", "on", ...(model === null ? [] : ["--model", model])],
    reader: copilotReader,
    async otherAccess(env, signal) {
      if (env.COPILOT_GITHUB_TOKEN || env.GH_TOKEN || env.GITHUB_TOKEN) return null;
      const token = await runForOutput("gh", ["auth", "token"], { env, signal });
      return token.ok && token.output !== "" ? { ...env, GH_TOKEN: token.output } : null;
    },
  };
}

function copilotReader(): (line: Json) => ProgramLine {
  const streamed = new Set<string>();
  let said = false;
  let failure: ProgramLine | null = null;
  /** A blank line between messages. */
  const text = (id: string, more: string): ProgramLine => {
    const first = !streamed.has(id);
    streamed.add(id);
    const separated = first && said ? `\n\n${more}` : more;
    said = true;
    return { says: "text", text: separated };
  };
  return (line) => {
    const data = isObject(line.data) ? line.data : {};
    const id = textOf(data.messageId);
    switch (line.type) {
      case "session.tools_updated":
        return textOf(data.model) === "" ? { says: "nothing" } : { says: "model", model: textOf(data.model) };
      case "assistant.reasoning_delta":
        return { says: "thinking", text: textOf(data.deltaContent) };
      case "assistant.message_delta":
        return text(id, textOf(data.deltaContent));
      case "assistant.message":
        // Whole, when it was not streamed.
        return streamed.has(id) || textOf(data.content) === "" ? { says: "nothing" } : text(id, textOf(data.content));
      case "tool.execution_start":
        return { says: "note", text: `[copilot called: ${textOf(data.toolName)}]\n` };
      case "session.error":
        failure = { says: "failed", message: textOf(data.message), status: count(data.statusCode) || null };
        return { says: "nothing" };
      case "result":
        if (line.exitCode === 0) return { says: "done", usage: null };
        return failure ?? { says: "failed", message: `it ended with ${String(line.exitCode)}`, status: null };
      default:
        return { says: "nothing" };
    }
  };
}
