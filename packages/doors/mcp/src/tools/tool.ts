// The shape of a tool: what a model reads about it, what it takes, and what it does with the agent's client.
import type { AgentClient } from "@hap/sdk/agent";
import type { CallToolResult, InputRequiredResult, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { ClientPowers } from "../client-powers.ts";
import type { Face } from "../face.ts";

/** What travels through the client and back between two rounds of one call; authenticated, never trusted otherwise. */
export type RoundState = { ticket_id: string };

/** One call of a tool, or the next round of it. */
export type ToolCall = {
  face: Face;
  client: AgentClient;
  powers: ClientPowers;
  ctx: ServerContext;
  /** What the round before left, once its seal was checked. */
  state: RoundState | null;
  seal: (state: RoundState) => Promise<string>;
};

export type ToolResult = CallToolResult | InputRequiredResult;

/** A tool. `input` is read at the edge: what does not fit is refused with the field's name. */
export type Tool<Input = unknown> = {
  name: string;
  title: string;
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  /** The host must let its own user see the call. */
  forPerson: boolean;
  input: z.ZodType<Input>;
  output: z.ZodType;
  run: (input: Input, call: ToolCall) => Promise<ToolResult>;
};

/** Keep a tool's input type while it is declared, and forget it for the table. */
export function tool<Input>(declared: Tool<Input>): Tool {
  return declared as unknown as Tool;
}
