// What we write is what Claude Code's own types take; the check itself is the type check.
import type { SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import type { AskUserQuestionInput } from "@anthropic-ai/claude-agent-sdk/sdk-tools";
import { expect, test } from "vitest";
import { answeredInput } from "../src/ask/question-input.ts";
import { type HostOutput, writeAnswer } from "../src/write/write-answer.ts";
import { claudePayloads } from "./fixtures/claude-payloads.ts";

const accepted = (output: HostOutput): SyncHookJSONOutput => output;

test("[HOOK-JSON-1] every answer is a SyncHookJSONOutput of @anthropic-ai/claude-agent-sdk", () => {
  expect(
    accepted(writeAnswer("claude", "PreToolUse", { decision: "allow", reason: "r", updatedInput: { command: "ls" } })),
  ).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "r",
      updatedInput: { command: "ls" },
    },
  });
  expect(accepted(writeAnswer("claude", "PermissionRequest", { decision: "deny", reason: "r" }))).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "r" } },
  });
  expect(accepted(writeAnswer("claude", "Elicitation", { decision: "elicited", action: "decline" }))).toEqual({
    hookSpecificOutput: { hookEventName: "Elicitation", action: "decline" },
  });
  expect(accepted(writeAnswer("claude", "Stop", { decision: "none" }))).toEqual({});
});

test("[HOOK-JSON-1, HOOK-QUESTION-1] answers go back as texts by question", () => {
  const { tool_input } = claudePayloads.question("/p", true);
  const given = { type: "choice", choices: ["1", "2"] } as const;
  const answers: NonNullable<AskUserQuestionInput["answers"]> = { "Which library should format dates?": "date-fns, Temporal" };
  expect(answeredInput(tool_input, { ...given, choices: [...given.choices] })).toEqual({ ...tool_input, answers });
});
