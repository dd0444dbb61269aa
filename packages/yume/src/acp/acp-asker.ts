// Asking the person in an ACP editor. Only a choice to allow is a yes.
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import type { Asker, Call, Gate, Permission } from "../permissions/gate.ts";
import type { RuleValue } from "../permissions/permission-update.ts";
import type { CallFacts } from "../tools/tool.ts";
import { type Diffs, kindOf, titleOf } from "./acp-updates.ts";

export class AcpAsker implements Asker {
  readonly #client: AgentContext;
  readonly #sessionId: string;
  readonly #gate: () => Gate;

  readonly #diffs: Diffs;

  constructor(client: AgentContext, sessionId: string, gate: () => Gate, diffs: Diffs) {
    this.#diffs = diffs;
    this.#client = client;
    this.#sessionId = sessionId;
    this.#gate = gate;
  }

  async ask(call: Call, facts: CallFacts, why: string, signal: AbortSignal): Promise<Permission> {
    const denied = (words: string, interrupt = false): Permission => ({
      behavior: "deny",
      message: `${call.name} was not run: ${words}`,
      reason: why,
      interrupt,
    });
    try {
      const { outcome } = await this.#client.request(
        methods.client.session.requestPermission,
        {
          sessionId: this.#sessionId,
          toolCall: {
            toolCallId: call.id,
            title: titleOf(call.name, call.input),
            kind: kindOf(call.name),
            status: "pending",
            rawInput: call.input,
            ...(this.#diffs.has(call.id) ? { content: this.#diffs.get(call.id) ?? [] } : {}),
          },
          options: [
            { optionId: "allow", name: "Allow", kind: "allow_once" },
            { optionId: "always", name: "Allow in this session", kind: "allow_always" },
            { optionId: "reject", name: "Reject", kind: "reject_once" },
          ],
        },
        { cancellationSignal: signal },
      );
      if (outcome.outcome !== "selected") return denied("the question was cancelled", true);
      if (outcome.optionId === "always") this.#remember(call, facts);
      if (outcome.optionId === "allow" || outcome.optionId === "always") return { behavior: "allow", input: call.input };
      return denied("the user said no");
    } catch (error) {
      return denied(`the editor did not say yes (${(error as Error).message})`, signal.aborted);
    }
  }

  /** The same command again, edits in the workspace, or this tool of a server: never more than was shown. */
  #remember(call: Call, { callClass, subject }: CallFacts): void {
    const allow = (rule: RuleValue) =>
      this.#gate().take([{ type: "addRules", behavior: "allow", rules: [rule], destination: "session" }]);
    if (callClass === "edit") this.#gate().take([{ type: "setMode", mode: "acceptEdits", destination: "session" }]);
    else if (subject.command !== undefined) allow({ toolName: call.name, ruleContent: subject.command });
    else if (callClass === "mcp") allow({ toolName: call.name });
  }
}
