// What the loop says to a model and what it hears back, whatever the provider's wire looks like.

/** JSON as a tool takes it. */
export type ToolInput = Record<string, unknown>;

export type TextPart = { type: "text"; text: string };
export type ImagePart = { type: "image"; media_type: string; data: string };
/** What a model thought. `replay` is what its provider wants back unchanged (a signature, an encrypted item). */
type ThinkingPart = { type: "thinking"; thinking: string; replay?: unknown };
/** A complete call. `replay` is what its provider wants back on this very part (Gemini's thought signature). */
export type ToolUsePart = { type: "tool_use"; id: string; name: string; input: ToolInput; replay?: unknown };
export type ToolResultPart = { type: "tool_result"; tool_use_id: string; content: (TextPart | ImagePart)[]; is_error: boolean };

export type UserTurn = { role: "user"; content: (TextPart | ImagePart | ToolResultPart)[] };
/** What a model said. `replay` is what its provider wants back on this very text (the phase of a message). */
type SaidPart = TextPart & { replay?: unknown };

export type AssistantTurn = { role: "assistant"; content: (SaidPart | ThinkingPart | ToolUsePart)[] };
export type Turn = UserTurn | AssistantTurn;

export type ToolSpec = { name: string; description: string; input_schema: Record<string, unknown> };

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

export type ModelRequest = {
  model: string;
  system: string;
  turns: readonly Turn[];
  tools: readonly ToolSpec[];
  max_output_tokens?: number;
  max_thinking_tokens?: number;
  /** How hard to think, in Claude's words. */
  effort?: Effort;
  /** `disabled`: as little as the model can. `adaptive`: as it finds right, shown where it can be. */
  thinking?: "adaptive" | "disabled";
  /** Another model is asked when this one stays overloaded: do not wait for long. */
  impatient?: boolean;
  /** A schema that the final text must fit, where the provider can enforce one. */
  json_schema?: Record<string, unknown>;
};

export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "refusal" | "stop_sequence";

/**
 * Deltas are for showing only. What counts is `end`, which comes once and last: a call that is not in its parts was not
 * received whole and is never run. A stream that cannot end so throws a `ModelError`.
 */
export type ModelEvent =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  | { type: "tool_start"; id: string; name: string }
  | { type: "tool_delta"; id: string; json: string }
  /** The stream broke and is tried again: forget the deltas since the request. */
  | { type: "retry"; attempt: number; max_retries: number; delay_ms: number; error: string; status: number | null }
  | { type: "end"; stop_reason: StopReason; parts: AssistantTurn["content"]; usage: Usage; model: string };

/** What went wrong with a model, in one word that callers match on. */
export type ModelErrorKind =
  | "auth"
  | "not_found"
  | "rate_limited"
  | "overloaded"
  | "bad_request"
  | "context_too_long"
  | "network"
  | "broken_stream"
  | "bad_output"
  | "refused"
  | "aborted";

export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(kind: ModelErrorKind, message: string, more: { status?: number | null; retryAfterMs?: number | null } = {}) {
    super(message);
    this.name = "ModelError";
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

export type ModelCapabilities = { context_window: number; max_output_tokens: number; tools: boolean; images: boolean };

/** One provider, ready to be asked. Retries are its business; the loop sees them as `retry` events. */
export interface ModelProvider {
  readonly name: string;
  readonly default_model: string;
  capabilities(model: string): ModelCapabilities;
  stream(request: ModelRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>;
}
