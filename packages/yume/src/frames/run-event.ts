// Everything that a run tells its host, in one vocabulary. Each dialect has an encoder that turns these into lines.
import type { AssistantTurn, ImagePart, ModelEvent, StopReason, TextPart, ToolInput, Usage } from "../model/types.ts";

export type PermissionDenial = { tool_name: string; tool_use_id: string; tool_input: ToolInput };

export type ModelTotals = Usage & { cost_usd: number | null; context_window: number; max_output_tokens: number };

export type ResultSubtype =
  | "success"
  | "error_during_execution"
  | "error_max_turns"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries";

export type ResultFacts = {
  subtype: ResultSubtype;
  duration_ms: number;
  duration_api_ms: number;
  num_turns: number;
  result: string;
  stop_reason: StopReason | null;
  total_cost_usd: number | null;
  usage: Usage;
  models: Readonly<Record<string, ModelTotals>>;
  permission_denials: PermissionDenial[];
  errors: string[];
  structured_output?: unknown;
};

export type InitFacts = {
  cwd: string;
  model: string;
  permissionMode: string;
  tools: string[];
  mcp_servers: { name: string; status: string }[];
  agents: string[];
  skills: string[];
  slash_commands: string[];
};

/** `parent` is the call of the sub-agent that says this, or null for the run itself. */
export type RunEvent =
  | ({ type: "init" } & InitFacts)
  | { type: "user"; text: string; uuid: string | null }
  | { type: "request"; message_id: string; model: string; parent: string | null }
  | { type: "text_delta"; text: string; parent: string | null }
  | { type: "thinking_delta"; text: string; parent: string | null }
  | { type: "tool_start"; id: string; name: string; parent: string | null }
  | { type: "tool_delta"; id: string; json: string; parent: string | null }
  | ({ parent: string | null } & Extract<ModelEvent, { type: "retry" }>)
  | {
      type: "message";
      message_id: string;
      model: string;
      parts: AssistantTurn["content"];
      stop_reason: StopReason;
      usage: Usage;
      parent: string | null;
    }
  | {
      type: "tool_result";
      tool_use_id: string;
      tool_name: string;
      content: (TextPart | ImagePart)[];
      is_error: boolean;
      parent: string | null;
    }
  /** What an answer had said when it was interrupted. */
  | { type: "broken_off"; message_id: string; model: string; text: string; parent: string | null }
  /** `by_host`: the host said no itself. */
  | { type: "permission_denied"; tool_name: string; tool_use_id: string; message: string; reason: string; by_host: boolean }
  | { type: "compacted"; trigger: "auto" | "manual"; pre_tokens: number }
  /** Something the host should know that ends nothing. */
  | { type: "notice"; text: string }
  | { type: "session_id"; session_id: string }
  | { type: "interrupted" }
  | { type: "error"; message: string; kind: string }
  | ({ type: "result" } & ResultFacts);

export type Emit = (event: RunEvent) => void;
