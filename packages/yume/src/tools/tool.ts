// What a tool is to the loop, and what it may touch while it runs.
import type { ImagePart, TextPart, ToolInput, ToolSpec } from "../model/types.ts";
import type { RuleSubject } from "../permissions/rules.ts";
import type { CallClass } from "../permissions/table.ts";
import type { Workspace } from "../permissions/workspace.ts";
import type { Shells } from "./bash/shells.ts";
import type { FileMemory } from "./files/file-memory.ts";

/** What a call would do: its row in the table, what rules are held against, and words for whoever decides. */
export type CallFacts = {
  callClass: CallClass;
  subject: RuleSubject;
  /** One line: what would be done. */
  summary: string;
  /** The path that lies outside, when that is why somebody is asked. */
  blockedPath?: string;
  /** That path is a folder. */
  isFolder?: boolean;
  /** The call touches files that arm a gate, or that hold credentials. */
  guards?: "gate" | "secret";
  /** What the call does by the shell parser and by this machine's disk, links followed. */
  effects?: readonly string[];
  /** Where a command would run. */
  cwd?: string;
  /** False when a program of the command lies where an agent could have put it. Looks at the disk when it is asked. */
  trusted?: () => boolean;
  /** Somebody is asked in every mode: the call is a question itself. */
  mustAsk?: boolean;
};

export type ToolOutput = { content: (TextPart | ImagePart)[]; is_error: boolean };

/** Texts that an editor has open. `read` is null for what it does not have, `write` false when it did not. */
export type EditorBuffers = {
  read: (path: string) => Promise<string | null>;
  write: (path: string, text: string) => Promise<boolean>;
};

/** The world of a call. */
export type ToolContext = {
  workspace: Workspace;
  shells: Shells;
  files: FileMemory;
  /** True for a path that a rule forbids to read: it is not listed and not searched. */
  hidden: (path: string) => boolean;
  /** The files of an editor, which may be newer than the disk. */
  buffers?: EditorBuffers | undefined;
  signal: AbortSignal;
  toolUseId: string;
};

export interface Tool {
  readonly spec: ToolSpec;
  /** It changes nothing, so that it may run beside others like it. */
  readonly parallel: boolean;
  /** The shell parser is loaded when a call first needs it, not at the start. */
  classify(input: ToolInput, context: ToolContext): CallFacts | Promise<CallFacts>;
  run(input: ToolInput, context: ToolContext): Promise<ToolOutput>;
}

/** Something that the model can put right; its words are the tool's result. */
export class ToolError extends Error {}

/** Text as a tool's result. */
export function text(words: string): ToolOutput {
  return { content: [{ type: "text", text: words }], is_error: false };
}

/** What went wrong, as a tool's result. */
export function failure(words: string): ToolOutput {
  return { content: [{ type: "text", text: words }], is_error: true };
}

/** An input schema of an object. */
export function schema(properties: Record<string, unknown>, required: readonly string[]): Record<string, unknown> {
  return { type: "object", properties, required };
}
